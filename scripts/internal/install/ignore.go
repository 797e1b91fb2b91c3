package install

import (
	"bytes"
	"io/fs"
	"strings"

	"isdlc-hooks/scripts/internal/registration"
)

const (
	ignoreFile  = hooksFolder + "/.gitignore"
	ignoreBegin = "# >>> isdlc-hooks: built programs, not to be committed"
	ignoreEnd   = "# <<< isdlc-hooks"
)

// ignoreBlock names every program, so that everything else in the folder can be
// committed.
func ignoreBlock() string {
	lines := []string{ignoreBegin, "/.isdlc-hooks*"}
	for _, p := range registration.Programs() {
		name := strings.TrimPrefix(p.Path(), hooksFolder)
		lines = append(lines, name, name+".exe")
	}
	return strings.Join(append(lines, ignoreEnd, ""), "\n")
}

// withIgnoreBlock puts our block at the end of a .gitignore, or in the place of
// an older one.
func withIgnoreBlock(data []byte) []byte {
	if start, end, found := findIgnoreBlock(data); found {
		return bytes.Join([][]byte{data[:start], []byte(ignoreBlock()), data[end:]}, nil)
	}
	if len(data) > 0 && !bytes.HasSuffix(data, []byte("\n")) {
		data = append(bytes.Clone(data), '\n')
	}
	return append(bytes.Clone(data), ignoreBlock()...)
}

// withoutIgnoreBlock takes our block out.
func withoutIgnoreBlock(data []byte) []byte {
	start, end, found := findIgnoreBlock(data)
	if !found {
		return data
	}
	return append(bytes.Clone(data[:start]), data[end:]...)
}

func findIgnoreBlock(data []byte) (start, end int, found bool) {
	start = bytes.Index(data, []byte(ignoreBegin))
	if start < 0 {
		return 0, 0, false
	}
	length := bytes.Index(data[start:], []byte(ignoreEnd))
	if length < 0 {
		return 0, 0, false
	}
	end = start + length + len(ignoreEnd)
	for _, newline := range []string{"\r\n", "\n"} {
		if bytes.HasPrefix(data[end:], []byte(newline)) {
			return start, end + len(newline), true
		}
	}
	return start, end, true
}

// ignore keeps the programs out of commits.
func (p *Plan) ignore() error {
	target, err := p.project.resolve(ignoreFile)
	if err != nil {
		return err
	}
	data, now, err := p.project.read(target)
	if err != nil {
		return err
	}
	wanted := withIgnoreBlock(data)
	sum := sumOfBytes(wanted)
	if now.exists && now.sum == sum {
		return nil
	}
	rec := p.record.file(target)
	edited := rec != nil && now.exists && rec.Sum != now.sum && !rec.asBefore(now)
	if err := p.own(target, sum, now); err != nil {
		return err
	}
	if edited {
		p.record.file(target).Sum = "" // only the block can be taken out again
	}
	mode := fs.FileMode(0o644)
	if now.exists {
		mode = now.mode
	}
	p.set.Write(target, wanted, mode, now.exists)
	p.add("write", "%s, so that the programs are not committed", target)
	return nil
}
