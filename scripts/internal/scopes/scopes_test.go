package scopes

import (
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/fs"

	"isdlc-hooks/scripts/internal/settings"
)

func TestLoad(t *testing.T) {
	dir := fs.NewDir(t, "scopes",
		fs.WithDir("home",
			fs.WithDir("settings",
				fs.WithFile("settings.json", `{"enabledPlugins":{"old@m":true,"new@m":true,"off@m":false,"gone@m":true}}`),
				fs.WithDir("plugins"),
			),
			fs.WithDir("old", fs.WithDir("hooks", fs.WithFile("hooks.json", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"old"}]}]}}`))),
			fs.WithDir("new", fs.WithDir("hooks", fs.WithFile("hooks.json", `{"hooks":[]}`))),
			fs.WithDir("off", fs.WithDir("hooks", fs.WithFile("hooks.json", `{}`))),
			fs.WithDir("named", fs.WithDir("hooks", fs.WithFile("hooks.json", `{}`))),
		),
		fs.WithDir("project", fs.WithDir(".claude", fs.WithFile("settings.local.json", `{"disableAllHooks":true}`))),
	)
	home := func(name string) string { return dir.Join("home", name) }
	fs.Apply(t, dir, fs.WithDir("home", fs.WithDir("settings", fs.WithDir("plugins", fs.WithFile("installed_plugins.json",
		`{"plugins":{"old@m":{"installPath":"`+filepath.ToSlash(home("old"))+`"},"new@m":[{"installPath":"`+filepath.ToSlash(home("new"))+`"},{"scope":"project","projectPath":"/src/other","installPath":"`+filepath.ToSlash(home("off"))+`"}],"off@m":{"installPath":"`+filepath.ToSlash(home("off"))+`"}}}`)))))
	found := Load(Options{Project: dir.Join("project"), User: home("settings"), PluginDirs: []string{home("named"), home("old")}})

	var kinds []Kind
	var names []string
	for _, s := range found {
		kinds, names = append(kinds, s.Kind), append(names, s.String())
	}
	assert.DeepEqual(t, kinds, []Kind{Local, User, Plugin, Plugin, Plugin})
	assert.DeepEqual(t, names, []string{".claude/settings.local.json", home("settings/settings.json"), "plugin named", "plugin old", "plugin new"})
	assert.Check(t, found[0].Settings.Disabled)
	assert.Equal(t, found[3].Settings.Hooks[0].Command, "old")
	assert.Equal(t, found[3].Root, home("old"))
	assert.ErrorIs(t, found[4].Err, settings.ErrBroken)

	assert.Equal(t, len(Load(Options{Project: dir.Join("project")})), 1)
}

func TestAHomeThatIsTheProject(t *testing.T) {
	dir := fs.NewDir(t, "scopes", fs.WithDir(".claude", fs.WithFile("settings.json", "{}")))
	getenv := func(name string) string { return map[string]string{"HOME": dir.Path()}[name] }
	found := Load(Options{Project: dir.Path(), User: UserFolder(getenv)})
	assert.Equal(t, len(found), 1)
	assert.Equal(t, found[0].Kind, Project)
}

func TestUserFolder(t *testing.T) {
	env := map[string]string{"HOME": "h"}
	getenv := func(name string) string { return env[name] }
	assert.Equal(t, UserFolder(getenv), filepath.Join("h", ".claude"))
	env["CLAUDE_CONFIG_DIR"] = "c"
	assert.Equal(t, UserFolder(getenv), "c")
}
