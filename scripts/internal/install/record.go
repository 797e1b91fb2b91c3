package install

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/goccy/go-json"
	"isdlc-hooks/scripts/internal/settings"
)

const (
	recordFolder    = ".claude/hooks/.isdlc-hooks"
	recordFile      = recordFolder + "/manifest.json"
	originalsFolder = recordFolder + "/originals"

	recordVersion = 1
)

// record is what was installed into a project, and lies in it.
type record struct {
	Version  int              `json:"version"`
	Folders  []string         `json:"folders"` // made by us, parents first
	Files    []fileRecord     `json:"files"`
	Settings []settingsRecord `json:"settings"`
}

// fileRecord is a file that was written.
type fileRecord struct {
	Path     string    `json:"path"`
	Sum      string    `json:"sha256"`             // as it was written
	Replaced string    `json:"replaced,omitempty"` // what we had written before that: all there is if an update is killed
	Original *original `json:"original,omitempty"`
}

// original is a file as it was before the first installation. Its bytes lie in
// the folder of originals under its own path.
type original struct {
	Sum  string      `json:"sha256"`
	Mode fs.FileMode `json:"mode"`
}

// asBefore tells that somebody, or a crash in the middle of an installation,
// has left the file as it was before the first one.
func (f fileRecord) asBefore(now state) bool {
	return f.Original != nil && now.exists && f.Original.Sum == now.sum
}

// ours tells that the file is as we wrote it.
func (f fileRecord) ours(now state) bool {
	return now.exists && (now.sum == f.Sum || now.sum == f.Replaced)
}

// settingsRecord is a settings file that was edited.
type settingsRecord struct {
	fileRecord
	// Existed tells whether there was a file. Its original is dropped when an
	// installation meets a file that the user has edited since the last one:
	// then only Changes can be taken back.
	Existed bool              `json:"existed"`
	Changes []settings.Change `json:"changes"`
}

func (f settingsRecord) asBefore(now state) bool {
	return f.fileRecord.asBefore(now) || !f.Existed && !now.exists
}

func originalPath(file string) string { return path.Join(originalsFolder, file) }

// readRecord is nil where nothing is installed.
func (p *project) readRecord() (*record, state, error) {
	data, s, err := p.read(recordFile)
	if err != nil || !s.exists {
		return nil, s, err
	}
	r := &record{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, s, fmt.Errorf("the record of the installation, %s, is damaged: %w", recordFile, err)
	}
	if r.Version != recordVersion {
		return nil, s, fmt.Errorf("the record of the installation, %s, has version %d; this tool knows version %d", recordFile, r.Version, recordVersion)
	}
	paths := slices.Clone(r.Folders)
	for _, f := range r.Files {
		paths = append(paths, f.Path)
	}
	for _, f := range r.Settings {
		paths = append(paths, f.Path)
	}
	for _, file := range paths {
		if !filepath.IsLocal(filepath.FromSlash(file)) {
			return nil, s, fmt.Errorf("the record of the installation, %s, is damaged: it names %q", recordFile, file)
		}
	}
	return r, s, nil
}

func (r *record) encode() ([]byte, error) {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the record: %w", err)
	}
	return append(data, '\n'), nil
}

// file is the record of a file; nil where it is not ours.
func (r *record) file(path string) *fileRecord {
	if i := slices.IndexFunc(r.Files, func(f fileRecord) bool { return f.Path == path }); i >= 0 {
		return &r.Files[i]
	}
	return nil
}

func (r *record) settings(path string) *settingsRecord {
	if i := slices.IndexFunc(r.Settings, func(f settingsRecord) bool { return f.Path == path }); i >= 0 {
		return &r.Settings[i]
	}
	return nil
}

// own records that a file will have the given sum, and keeps what is there now
// where it is not ours.
func (p *Plan) own(file, sum string, now state) error {
	if err := p.folder(file); err != nil {
		return err
	}
	if rec := p.record.file(file); rec != nil && !rec.asBefore(now) {
		if rec.ours(now) {
			rec.Replaced = now.sum
		}
		rec.Sum = sum
		return nil
	}
	kept, err := p.keep(file, now)
	if err != nil {
		return err
	}
	p.record.Files = slices.DeleteFunc(p.record.Files, func(f fileRecord) bool { return f.Path == file })
	p.record.Files = append(p.record.Files, fileRecord{Path: file, Sum: sum, Original: kept})
	return nil
}

// keep copies a file to the originals; nil where there is no file.
func (p *Plan) keep(file string, now state) (*original, error) {
	if !now.exists {
		return nil, nil
	}
	if err := p.folder(originalPath(file)); err != nil {
		return nil, err
	}
	p.set.Copy(originalPath(file), "", func() (io.ReadCloser, error) { return p.project.root.Open(file) }, 0o600)
	return &original{Sum: now.sum, Mode: now.mode}, nil
}
