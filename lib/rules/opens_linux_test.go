package rules_test

import (
	"bytes"
	"encoding/binary"
	"path"
	"slices"
	"syscall"
	"testing"

	"gotest.tools/v3/assert"

	"isdlc-hooks/lib/hooktest"
)

// TestFilesAreOpenedOnce watches the disk while the real dispatchers run: no file
// of the project is opened a second time, and a state that changes is replaced
// once.
func TestFilesAreOpenedOnce(t *testing.T) {
	skill := `{"tool_name":"Skill","tool_input":{"skill":"isdlc","args":"advance"}}`
	all := map[string]int{
		"state.json": 1, "skills-manifest.json": 1, "iteration-requirements.json": 1, "workflows.json": 1, "artifact-paths.json": 1,
	}
	for _, test := range []struct {
		name, program, event string
		without              string // a file that is taken away before
		opened               map[string]int
		replaced             int
	}{
		{"a guard turns the call away", "gate-blocker", `{"tool_name":"Agent","tool_input":{"subagent_type":"Explore","prompt":"list the files"}}`, "", map[string]int{}, 0},
		{"every check lets it pass", "pre-task-dispatcher", advance, "", all, 0},
		{"a check blocks", "pre-task-dispatcher", advance, "docs/requirements/R1/module-design.md", all, 1},
		{"a skill is checked", "pre-skill-dispatcher", skill, "", all, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := open(t)
			if test.without != "" {
				p.Remove(test.without)
			}
			watch := watchFolders(t, p.Path(".isdlc"), p.Path(".isdlc/config"), p.Path(".claude/hooks/config"))
			p.Run(test.program, test.event)
			opened, replaced := watch.count(t)
			assert.Equal(t, replaced, test.replaced)
			assert.DeepEqual(t, opened, test.opened)
		})
	}
}

// TestAGuardOpensNoFile holds, of every program, that an event of a tool that it
// is not about costs no look into the project: not one of its files is opened.
func TestAGuardOpensNoFile(t *testing.T) {
	// These look at every event: delegation-gate at every stop, and the DES programs
	// keep a record of all that they are asked.
	without := []string{"delegation-gate", "des-pre-tool-use", "des-subagent-stop"}
	for _, name := range hooktest.Programs(t) {
		if slices.Contains(without, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			p := open(t)
			watch := watchFolders(t, p.Dir, p.Path(".isdlc"), p.Path(".isdlc/config"), p.Path(".claude/hooks/config"))
			r := p.Run(name, `{"session_id":"s","tool_name":"Read","tool_input":{"file_path":"README.md"}}`)
			assert.Equal(t, r.Exit, 0)
			opened, replaced := watch.count(t)
			assert.Equal(t, len(opened)+replaced, 0, "%v", opened)
		})
	}
}

// A watch counts what happens to the .json files of some folders.
type watch int

func watchFolders(t *testing.T, folders ...string) watch {
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	assert.NilError(t, err)
	t.Cleanup(func() { _ = syscall.Close(fd) })
	for _, dir := range folders {
		_, err := syscall.InotifyAddWatch(fd, dir, syscall.IN_OPEN|syscall.IN_MOVED_TO)
		assert.NilError(t, err)
	}
	return watch(fd)
}

// count tells how often each file was opened, and how often the state was
// replaced.
func (w watch) count(t *testing.T) (opened map[string]int, replaced int) {
	opened = map[string]int{}
	buffer := make([]byte, 64<<10)
	n, err := syscall.Read(int(w), buffer)
	if err == syscall.EAGAIN { // nothing happened
		return opened, 0
	}
	assert.NilError(t, err)
	for buffer = buffer[:n]; len(buffer) > 0; {
		mask, length := binary.NativeEndian.Uint32(buffer[4:]), binary.NativeEndian.Uint32(buffer[12:])
		name := string(bytes.TrimRight(buffer[16:16+length], "\x00"))
		buffer = buffer[16+length:]
		switch {
		case path.Ext(name) != ".json":
		case mask&syscall.IN_OPEN != 0:
			opened[name]++
		case mask&syscall.IN_MOVED_TO != 0:
			replaced++
		}
	}
	return opened, replaced
}
