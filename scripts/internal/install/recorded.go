package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Recorded are the files that an installation has written into a project, with
// their sums as they were written; nil where nothing is installed. Paths are
// relative to the project, with slashes. A record that cannot be read is an
// error.
func Recorded(dir string) (sums map[string]string, err error) {
	p, err := openProject(dir)
	if err != nil {
		return nil, err
	}
	defer p.root.Close()
	r, _, err := p.readRecord()
	if err != nil || r == nil {
		return nil, err
	}
	sums = map[string]string{}
	for _, f := range r.Files {
		sums[f.Path] = f.Sum
	}
	return sums, nil
}

// Sum is the sum of a file as the record has it.
func Sum(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return sumOf(f)
}

// Built are the sums that an installed program may have when it comes from the
// built programs in bin: its own, and those of the executables which can be many
// programs. Where none is built there are none.
func Built(bin, name string) ([]string, error) {
	var sums []string
	for _, file := range append([]string{strings.TrimSuffix(name, exe)}, multicall...) {
		sum, err := Sum(filepath.Join(bin, file+exe))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		sums = append(sums, sum)
	}
	return sums, nil
}
