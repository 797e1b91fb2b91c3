// Package defaults holds the configuration files that a project without its own
// gets: phases and what each demands, agents and their skills, workflows and
// the artifacts that gates look for.
package defaults

import (
	"embed"
	"path"
)

//go:embed files/*.json
var files embed.FS

// The folders in which hooks look for configuration.
const (
	hooksFolder   = ".claude/hooks/config"
	projectFolder = ".isdlc/config"
)

// A File is a configuration file.
type File struct {
	Name string
	// Folders are where hooks look for it; it is put into the first, and only
	// where none of them has it.
	Folders []string
}

// Files are all configuration files.
var Files = []File{
	{"skills-manifest.json", []string{hooksFolder, projectFolder}},
	{"iteration-requirements.json", []string{hooksFolder, projectFolder}},
	{"artifact-paths.json", []string{hooksFolder, projectFolder}},
	{"workflows.json", []string{projectFolder, hooksFolder}},
}

// Path is where the file is put, below the project.
func (f File) Path() string { return path.Join(f.Folders[0], f.Name) }

// Content is the text of the file.
func (f File) Content() []byte {
	data, err := files.ReadFile("files/" + f.Name)
	if err != nil {
		panic("defaults: a file of the table is not embedded: " + err.Error())
	}
	return data
}
