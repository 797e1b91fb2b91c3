package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"isdlc-hooks/lib/hooktest"
)

// A vectorFile is one <program>.json. Its documents stay as they are written
// until the templates in them are expanded.
type vectorFile struct {
	Program string                     `json:"program"`
	Bases   map[string]json.RawMessage `json:"bases"`
	Cases   []json.RawMessage          `json:"cases"`
}

// A vector is one case: what is laid down, then one run, or several.
type vector struct {
	ID       string            `json:"id"`
	Why      string            `json:"why"`
	Source   string            `json:"source"`
	Configs  configs           `json:"configs"`
	Modes    map[string]string `json:"modes"`
	Git      *repository       `json:"git"`
	Bin      map[string]string `json:"bin"`
	Volatile []string          `json:"volatile"` // already <any> in the expectation
	Ignore   []string          `json:"ignore"`
	Edited   []string          `json:"edited"` // what was decided and not observed, for readers
	Steps    []step            `json:"steps"`
	step                       // the only one, or what the steps have in common
}

// A step is one run of a program and what is to come of it.
type step struct {
	Program string                     `json:"program"`
	Stdin   json.RawMessage            `json:"stdin"`
	Env     map[string]*string         `json:"env"`
	Cwd     string                     `json:"cwd"`
	Files   map[string]json.RawMessage `json:"files"`
	Tokens  map[string][]string        `json:"tokens"` // those of the expectation once more
	Expect  *expectation               `json:"expect"`
}

type repository struct {
	Branch   string `json:"branch"`
	Detached bool   `json:"detached"`
	Unborn   bool   `json:"unborn"`
	Add      bool   `json:"add"`
}

type expectation struct {
	Exit   *int                  `json:"exit"`
	Stdout stdoutExpect          `json:"stdout"`
	Stderr stderrExpect          `json:"stderr"`
	Files  map[string]fileExpect `json:"files"`
}

type stdoutExpect struct {
	Kind   string          `json:"kind"`
	JSON   json.RawMessage `json:"json"`
	Tokens []string        `json:"tokens"`
}

type stderrExpect struct {
	Empty  *bool    `json:"empty"`
	Tokens []string `json:"tokens"`
}

// A fileExpect holds one of five ways to say what becomes of a file.
type fileExpect struct {
	Patch   []operation       `json:"patch"`
	JSON    json.RawMessage   `json:"json"`
	JSONL   []json.RawMessage `json:"jsonl"`
	Text    *string           `json:"text"`
	Deleted bool              `json:"deleted"`
}

// configs is "default", "none" or a list of names.
type configs struct {
	none  bool
	names []string
}

func (c *configs) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case `"default"`:
		return nil
	case `"none"`:
		c.none = true
		return nil
	}
	return json.Unmarshal(data, &c.names)
}

// runs lists the runs of a vector; a step without a program has that of the case.
func (v *vector) runs() []step {
	if v.Steps == nil {
		return []step{v.step}
	}
	runs := make([]step, len(v.Steps))
	for i, s := range v.Steps {
		if s.Program == "" {
			s.Program = v.Program
		}
		runs[i] = s
	}
	return runs
}

func vectorDir(t testing.TB) string {
	return filepath.Join(hooktest.Root(t), "testdata", "conformance")
}

func load(t testing.TB, path string) *vectorFile {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := new(vectorFile)
	if err := decode(data, f); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return f
}

// decode refuses keys that nothing here would look at.
func decode(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

// identify reads no more of a case than its id.
func identify(raw json.RawMessage) (id string, err error) {
	var only struct{ ID string }
	err = json.Unmarshal(raw, &only)
	return only.ID, err
}

// A scene is what the templates of a vector stand for in one run of it.
type scene struct {
	project string
	now     time.Time
}

var templatePattern = regexp.MustCompile(`\{\{(project|today|now|epochms)(?:([+-]\d+)([smhd]))?\}\}`)

var units = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}

// timestamp is how all programs write times.
const timestamp = "2006-01-02T15:04:05.000Z"

// expand replaces the templates in a JSON text. What they stand for needs no
// escaping beyond that of the project's path.
func (s scene) expand(raw []byte) []byte {
	return templatePattern.ReplaceAllFunc(raw, func(found []byte) []byte {
		parts := templatePattern.FindSubmatch(found)
		at := s.now
		if len(parts[2]) > 0 {
			n, _ := strconv.Atoi(string(parts[2])) // digits, by the pattern
			at = at.Add(time.Duration(n) * units[string(parts[3])])
		}
		switch string(parts[1]) {
		case "project":
			quoted := quote(s.project)
			return []byte(quoted[1 : len(quoted)-1])
		case "today":
			return []byte(at.Format(time.DateOnly))
		case "epochms":
			return strconv.AppendInt(nil, at.UnixMilli(), 10)
		default:
			return []byte(at.Format(timestamp))
		}
	})
}

// read expands and decodes one case.
func (s scene) read(raw json.RawMessage) (*vector, error) {
	v := new(vector)
	if err := decode(s.expand(raw), v); err != nil {
		return nil, err
	}
	return v, nil
}

// content is the text of a file that a case lays down.
func (s scene) content(t testing.TB, bases map[string]json.RawMessage, raw json.RawMessage) (string, error) {
	var special struct {
		Config *string     `json:"$config"`
		Base   *string     `json:"$base"`
		Patch  []operation `json:"patch"`
	}
	v, err := parse(raw)
	switch {
	case err != nil:
		return "", err
	case v.kind == text:
		return v.text, nil
	case v.get("$config") == nil && v.get("$base") == nil:
		return v.indent(), nil
	}
	if err := decode(raw, &special); err != nil {
		return "", err
	}
	if special.Config != nil {
		return hooktest.Config(t, *special.Config), nil
	}
	base, there := bases[*special.Base]
	if !there {
		return "", fmt.Errorf("no base %q", *special.Base)
	}
	doc, err := parse(s.expand(base))
	if err != nil {
		return "", err
	}
	if doc, err = applyPatch(doc, special.Patch); err != nil {
		return "", fmt.Errorf("patch of %q: %w", *special.Base, err)
	}
	return doc.indent(), nil
}
