package replay

import (
	"bytes"
	"os"
	"path/filepath"

	"isdlc-hooks/lib/claude"
	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
)

// apply writes into the copy what a tool wrote, so that hooks find what they
// would have found. What does not fit the copy is left: the file is another one
// than it was when the event was recorded.
func (p *player) apply(body *ordered.Value) {
	input := body.Get("tool_input")
	path := input.Get("file_path").Text()
	if path == "" {
		return
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.copy, path)
	}
	var edits []*ordered.Value
	switch claude.Tool(body.Get("tool_name").Text()) {
	case claude.Write:
		content := input.Get("content")
		if content.Kind() == ordered.String {
			p.put(path, []byte(content.Text()))
		}
		return
	case claude.Edit:
		edits = []*ordered.Value{input}
	case claude.MultiEdit:
		edits = input.Get("edits").Items()
	default:
		return
	}
	if !p.within(path) {
		return
	}
	data, err := disk.Read(path)
	if err != nil {
		return
	}
	for _, edit := range edits {
		old, text, n := edit.Get("old_string").Text(), edit.Get("new_string").Text(), 1
		if edit.Get("replace_all").IsTrue() {
			n = -1
		}
		if old == "" || !bytes.Contains(data, []byte(old)) {
			return
		}
		data = bytes.Replace(data, []byte(old), []byte(text), n)
	}
	p.put(path, data)
}

func (p *player) put(path string, data []byte) {
	if !p.within(path) || os.MkdirAll(filepath.Dir(path), 0o755) != nil {
		return
	}
	_ = os.WriteFile(path, data, 0o644) // a file that cannot be written in the copy stays as it is
}

// within tells whether a path leads into the copy, also through links.
func (p *player) within(path string) bool {
	path = filepath.Clean(path)
	if !below(p.copy, path) {
		return false
	}
	for at := path; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return below(p.copy, real)
		}
		if at == p.copy {
			return false
		}
	}
}
