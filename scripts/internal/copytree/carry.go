package copytree

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"isdlc-hooks/lib/disk"
)

func (p *plan) carryOut() error {
	for _, s := range p.steps {
		target := filepath.Join(p.to, s.rel)
		var err error
		switch {
		case s.mode.IsDir():
			err = os.MkdirAll(target, s.mode.Perm())
		case s.mode&fs.ModeSymlink != 0:
			err = os.Symlink(s.link, target)
		case s.same != "" && os.Link(filepath.Join(p.to, s.same), target) == nil:
		case s.source == "":
			err = os.WriteFile(target, s.text, s.mode)
		default:
			err = p.copy(s, target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copy copies a file with its mode and time. One that cannot be read is left
// out; one that grows meanwhile is copied as far as it was planned.
func (p *plan) copy(s step, target string) error {
	in, err := disk.Open(s.source)
	if err != nil {
		p.missing(s.rel)
		return nil
	}
	defer in.Close()
	out, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, s.mode|0o200)
	if err != nil {
		return err
	}
	_, err = io.CopyN(out, in, s.info.Size())
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err == nil {
		err = out.Chmod(s.mode)
	}
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Chtimes(target, s.info.ModTime(), s.info.ModTime())
}
