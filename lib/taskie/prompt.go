package taskie

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// verdictSchema is the shape of the answer that is asked of the reviewer.
const verdictSchema = `{"type":"object","properties":{"verdict":{"type":"string","enum":["PASS","FAIL"]}},"required":["verdict"]}`

const rulesName = "ground-rules.md"

// arguments is the command line of the reviewer, without the program (spec 70
// §5.5).
func arguments(model, prompt string) []string {
	return []string{
		"--print",
		"--model", model,
		"--output-format", "json",
		"--json-schema", verdictSchema,
		"--dangerously-skip-permissions",
		prompt,
	}
}

// A Review is one review of a plan.
type Review struct {
	Kind
	In     Plan
	Number int64
	Task   TaskID
	Files  []string // of the tasks, for a kind that reads them
}

// File is where the reviewer writes, PostFile where the agent answers.
func (r Review) File() string     { return r.file("-review-") }
func (r Review) PostFile() string { return r.file("-post-review-") }

func (r Review) file(form string) string {
	subject := r.Subject
	if r.OfTask() {
		subject = "task-" + r.Task.Text
	}
	return r.In.Path(subject + form + strconv.FormatInt(r.Number, 10) + ".md")
}

// Log is the file for what the reviewer says on its standard error.
func (r Review) Log() string {
	return r.In.Path(".review-" + strconv.FormatInt(r.Number, 10) + ".log")
}

// Prompt tells the reviewer what to read, to do and to write. It is one line,
// for some systems cut an argument at the end of a line. root is where the
// ground rules and the actions are; "" where nobody knows.
func (r Review) Prompt(root string) string {
	s := []string{"You are an independent reviewer and know nothing yet of the work you are going to judge."}
	rules, action := rulesName, "actions/"+r.Name+".md"
	if root == "" {
		s = append(s,
			"First read "+rules+", if the project has it.",
			"Then read "+strings.Join(r.reads(), ", ")+".",
			"Do the "+r.Title+" as "+action+" describes it, if the project has that file too; in any case look for "+r.LookFor+".")
	} else {
		root = strings.TrimRight(root, "/")
		s = append(s,
			"First read "+root+"/"+rules+".",
			"Then read "+strings.Join(r.reads(), ", ")+".",
			"Perform the action that "+root+"/"+action+" describes.")
	}
	if r.OfTask() {
		s = append(s, "Only this task is to be judged.")
	}
	return strings.Join(append(s,
		"Write your review to "+r.File()+", and change no other file: who started you keeps "+r.In.Path(stateName)+" up to date.",
		"Be very critical: what you let pass is not found by anybody else.",
		"Your last answer is the verdict: PASS when nothing needs to be changed, else FAIL."), " ")
}

func (r Review) reads() []string {
	var names []string
	if r.Plan {
		names = append(names, "plan.md")
	}
	if r.OfTask() {
		names = append(names, taskFile(r.Task.Text))
	}
	if r.Tasks {
		names = append(append(names, tasksName), r.Files...)
	}
	for i, name := range names {
		names[i] = r.In.Path(name)
	}
	return names
}

// pluginRoot is where the ground rules and the actions are, "" where nobody
// knows: what the environment says, else the folder above that of the program. A
// plugin that brings this program need not be that of Taskie, so the environment
// says nothing more than the folder of the program there.
func pluginRoot(getenv func(string) string) string {
	if root := getenv("TASKIE_PLUGIN_ROOT"); root != "" {
		return root
	}
	own := ""
	if program, err := os.Executable(); err == nil {
		own = filepath.Dir(filepath.Dir(program))
	}
	if root := getenv("CLAUDE_PLUGIN_ROOT"); root != "" && !sameFolder(root, own) {
		return root
	}
	if own == "" || !isFile(filepath.Join(own, rulesName)) {
		return ""
	}
	return own
}

func sameFolder(a, b string) bool {
	infoA, err := os.Stat(a)
	if err != nil {
		return false
	}
	infoB, err := os.Stat(b)
	return err == nil && os.SameFile(infoA, infoB)
}
