package shellcmd

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// aliases are those of a repository in the tests.
func aliases(where Repository, name string) string {
	switch name {
	case "ci":
		return "commit -v"
	case "ca":
		return "ci --all"
	case "dry":
		return "commit --dry-run"
	case "shell":
		return "!cd sub && git commit"
	case "function":
		return `!f() { git "$@"; }; f`
	case "loop":
		return "loop"
	case "st":
		return "status"
	}
	return ""
}

// places writes where a script commits: the directory, and the repository behind
// a colon if it is told; what is not known is a ?.
func places(text string) string {
	var list []string
	for _, c := range Parse(text, Place{Dir: "/w", Home: "/home/me"}).Commits(aliases) {
		place := c.Dir
		if c.GitDir != "" {
			place += ":" + c.GitDir
		}
		list = append(list, place)
	}
	return strings.ReplaceAll(strings.Join(list, " "), unknown, "?")
}

func TestCommits(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		// what is one
		{`git commit -m x`, "/w"},
		{`git -c a=b commit`, "/w"},
		{`git -C . commit -m x`, "/w"},
		{`bash -c "git commit"`, "/w"},
		{`g\it commit`, "/w"},
		{"git \\\n commit", "/w"},
		{`"git" 'com'"mit"`, "/w"},
		{`$'\x67it' $'\143ommit'`, "/w"},
		{`git --no-pager -p --literal-pathspecs --namespace x --exec-path=/x commit`, "/w"},
		{`/usr/bin/git commit; git.exe commit`, "/w"},
		{`sudo -u dev env A=b git commit`, "/w"},
		{`G=git; C=commit; $G $C -m x`, "/w"},
		{`cmd="git commit"; eval "$cmd -m x"`, "/w"},
		{`c() { git commit -m "$1"; }; c x`, "/w"},
		{`case $x in a) git commit;; esac`, "/w"},
		{`echo "$(echo "$(git commit)")"`, "/w"},
		{"bash <<E\ngit commit\nE", "/w"},
		{"cat <<'E' | bash -s\ngit commit\nE", "/w"},
		{"bash -c 'bash -c \"git commit\"'", "/w"},
		{"xargs -I{} sh -c 'git commit -m {}'", "/w"},
		{`while read -r l; do git commit -m "$l"; done < x`, "/w"},
		{`! git commit`, "/w"},
		{`time git commit & wait`, "/w"},
		{`git $OPTIONS commit`, "/w"},
		{`$SUDO git commit`, "/w"},
		{`git commit -m --help`, "/w"},
		{`git commit -am -h`, "/w"},
		{`git commit --dry-run --no-dry-run`, "/w"},
		{`git commit -- --dry-run`, "/w"},
		{`trap 'x' EXIT; [[ -n $(git commit) ]] && x`, "/w"},
		{"git commit -m \"$(cat <<'EOF'\nfeat: don't\nEOF\n)\"", "/w"},

		// aliases
		{`git ci`, "/w"},
		{`git ca`, "/w"},
		{`git shell`, "/w/sub"},
		{`git function commit`, "/w"},
		{`git -c alias.x=commit x`, "/w"},
		{`git -c alias.x='!git commit' x`, "/w"},
		{`git -c alias.x=y -c alias.y=ci x`, "/w"},
		{`git ci --dry-run; git dry; git st; git loop; git unheard-of`, ""},

		// where it goes
		{`cd sub && git commit`, "/w/sub"},
		{`cd sub; git add . && git commit`, "/w/sub"},
		{`(cd sub && git add .); git commit`, "/w"},
		{`cd sub && cd .. && git commit`, "/w"},
		{`cd /other || exit 1; git commit`, "/other"},
		{`cd ~/x && git commit`, "/home/me/x"},
		{`cd "$X" && git commit`, "?"},
		{`cd $(pwd)/a && git commit`, "/w/a"},
		{`if [ -d a ]; then cd a; fi; git commit`, "?"},
		{`if [ -d a ]; then cd a; else exit; fi; git commit`, "/w/a"},
		{`git -C sub -C deep commit`, "/w/sub/deep"},
		{`git -C "a b" commit`, "/w/a b"},
		{"git -C 'a\nb' commit", "/w/a\nb"},
		{`git -C $X commit`, "?"},
		{`git -C $X/sub commit`, "?/sub"},
		{`git --git-dir=.git commit`, "/w:/w/.git"},
		{`git --git-dir /srv/r commit`, "/w:/srv/r"},
		{`git -C sub --git-dir=../x.git --work-tree . commit`, "/w/sub:/w/x.git"},
		{`GIT_DIR=/srv/r git commit`, "/w:/srv/r"},
		{`env GIT_DIR=/srv/r git commit`, "/w:/srv/r"},
		{`export GIT_DIR=/srv/r; git commit`, "/w:/srv/r"},
		{`GIT_DIR=/srv/r; git commit`, "/w"},
		{`env -C sub git commit`, "/w/sub"},
		{`bash -c 'cd sub; git commit'; git commit`, "/w/sub /w"},
		{`pushd sub; git commit; popd; git commit`, "/w/sub /w"},
		{`for d in a b; do (cd $d && git commit); done`, "/w/a /w/b"},
		{`for d in *; do (cd $d && git commit); done`, "?"},
		{`cd a && make || git commit`, "?"},

		// what is none
		{`echo "git commit"; echo git commit`, ""},
		{"cat > x <<'E'\ngit commit\nE", ""},
		{`ls # git commit`, ""},
		{`grep -rn 'git commit' .; git log --grep="git commit"`, ""},
		{`git commit-tree x; git commit-graph write; git commits; git commit.txt`, ""},
		{`git commit --dry-run; git commit --help; git commit -h; git --help commit; git help commit`, ""},
		{`git merge x; git revert x; git cherry-pick x; git am x; git update-ref x y; git stash; git push`, ""},
		{`my-git commit; égit commit; legit commit; GIT COMMIT; commit git`, ""},
		{"git\u00a0commit", ""},
		{`git "$CMD" -m x; git $CMD -m x`, ""},
		{`git --version commit`, ""},
		{`git`, ""},
		{`command -v git commit; type git`, ""},

		// what does not parse
		{`git commit -m "x`, "/w"},
		{`echo "git status`, ""},
		{`(git  commit`, "/w"},
	} {
		assert.Equal(t, places(test.text), test.want, "%s", test.text)
		if test.want != "" {
			assert.Assert(t, Mentions(test.text, "git"), "%s", test.text)
			assert.Assert(t, Parse(test.text, Place{}).MayCommit(), "%s", test.text)
		}
	}
}

func TestAliasIsAskedOnlyForWhatGitDoesNotKnow(t *testing.T) {
	for text, want := range map[string]string{
		"git status; git add .; git log; git push": "",
		"git ci; git ci; git -C a ci":              "/w ci,/w/a ci",
		"git $X; git \"$X\"; git a_b; git a.b":     "",
		"git commit && git ci":                     "/w ci",
	} {
		var asked []string
		Parse(text, Place{Dir: "/w"}).Commits(func(where Repository, name string) string {
			asked = append(asked, where.Dir+" "+name)
			return ""
		})
		assert.Equal(t, strings.Join(asked, ","), want, "%s", text)
	}
}

func TestMentions(t *testing.T) {
	for text, want := range map[string]bool{
		"ls -la":          false,
		`echo "a" 'b' \c`: false,
		"g'i't x":         true,
		"g\\\nit x":       true,
		"g\x00it":         true,
		`$'\x67it'`:       true,
		"a=g; ${a}it":     true,
		"{g,x}it":         true,
		"`x`":             true,
	} {
		assert.Equal(t, Mentions(text, "git"), want, "%q", text)
	}
}
