package shellcmd

import (
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

// show writes the commands of a script one a line: the words joined by |, an
// unknown part as ?, the directory behind @.
func show(text string) string {
	var lines []string
	for _, c := range Parse(text, Place{Home: "/home/me"}).Commands {
		line := strings.Join(texts(c.Words), "|")
		for _, t := range c.Targets {
			line += " >" + t.Text
		}
		if c.Text != "" {
			line += "TEXT " + c.Text
		}
		if c.Dir != "" {
			line += " @" + c.Dir
		}
		lines = append(lines, strings.ReplaceAll(line, unknown, "?"))
	}
	return strings.Join(lines, "\n")
}

func TestCommands(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`g\it "com"'mit' -m $'a\x41\'b'`, "git|commit|-m|aA'b"},
		{"git \\\n commit", "git|commit"},
		{"a=git; b=commit; $a \"$b\" ${c}x $d", "git|commit|?x|?"},
		{`X="git commit"; $X -m "$X"`, "git|commit|-m|git commit"},
		{`a && b || c; d | e & (f) ; { g; }`, "a\nb\nc\nd\ne\nf\ng"},
		{`if a; then b; elif c; then d; else e; fi; while f; do g; done; case x in y) h;; esac; for i in *; do i; done`, "a\nb\nc\nd\ne\nf\ng\nh\ni"},
		{`echo $(a "$(b)") <(c) $((1 + $(d))) ${x:-$(e)} ; [[ $(f) ]]`, "b\na|?\nc\nd\ne\necho|?|?|?|?\nf"},
		{`f() { git "$@"; }; f commit`, "git|?\ngit|commit"},
		{`cd a; cd b && c; (cd /x; d); e`, "cd|a\ncd|b @a\nc @a/b\ncd|/x @a/b\nd @/x\ne @a/b"},
		{`cd a || exit 1; b`, "cd|a\nexit|1\nb @a"},
		{`cd a || cd b; c`, "cd|a\ncd|b\nc @?"},
		{`if x; then cd a; fi; c`, "x\ncd|a\nc @?"},
		{`cd a; cd -; b; cd; c; cd ..; d; cd ~/q; e`, "cd|a\ncd|- @a\nb @.\ncd @.\nc @/home/me\ncd|.. @/home/me\nd @/home\ncd|/home/me/q @/home\ne @/home/me/q"},
		{`cd $X; a; cd /b; c`, "cd|?\na @?\ncd|/b @?\nc @/b"},
		{`pushd a; b; popd; c`, "pushd|a\nb @a\npopd @a\nc"},
		{`for d in a b; do (cd $d && x); done`, "cd|a\nx @a\ncd|b\nx @b"},
		{`sudo -u me env A=b -i nice -n 5 timeout -s 9 5s nohup stdbuf -oL command exec builtin time x y`, "x|y"},
		{`$SUDO git commit; "$SUDO" git`, "git|commit\n?|git"},
		{`xargs -0 -n1 git commit; echo a b | xargs -I{} x {}c`, "git|commit|?\necho|a|b\nx|?c"},
		{`echo "a b" | xargs rm`, "echo|a b\nrm|a|b"},
		{`bash -c "git commit" ; sh -ec 'x "$1"' _ y; eval "a b" c`, "bash|-c|git commit\ngit|commit\nsh|-ec|x \"$1\"|_|y\nx|y\neval|a b|c\na|b|c"},
		{"bash <<'E'\ngit commit\nE\ncat <<E\ngit commit $(a)\nE", "bash\ngit|commit\na\ncat"},
		{"cat <<'E' | sh\ngit commit\nE", "cat\nsh\ngit|commit"},
		{`echo git commit | bash; bash <<<"a b"`, "echo|git|commit\nbash\ngit|commit\nbash\na|b"},
		{`bash -c "cd $D && x '$Y'"`, "bash|-c|cd ? && x '?'\ncd|?\nx|? @?"},
		{`a > b 2>&1 >>c &>d <e 2>/dev/null >&f >|g <>h`, "a >b >c >d >/dev/null >f >g >h"},
		{`{ a; } > b; (cd x; c) > d`, "a\n >b\ncd|x\nc @x\n >d"},
		{`$(which git) commit; "$(command -v git)" commit`, "which|git\ngit|commit\ncommand|-v|git\ngit|commit"},
		{`find . -name x -exec git commit {} \;`, "git|commit|?"},
		{`a {b,c}{d,e} {1..3}`, "a|bd|be|cd|ce|?"},
		{`a=(git commit); "${a[@]}" x; ${a[1]}; b+=z; echo ${b}`, "git|commit|x\necho|?z"},
		{`echo "unclosed`, `TEXT echo "unclosed`},
		{`bash -c 'echo "x' ; a`, "bash|-c|echo \"x\nTEXT echo \"x\na"},
		{`export A=b; echo $A # git commit`, "echo|b"},
		{`echo ${A:-x} ${B:+y} ${A%z} ${#A} ${!A}`, "echo|x|?|?|?|?"},
		{"a\r\nb\r\n", "a\nb"},
	} {
		assert.Equal(t, show(test.text), test.want, "%s", test.text)
	}
}

func TestBounds(t *testing.T) {
	n := 10_000
	for name, text := range map[string]string{
		"long":         "echo " + strings.Repeat("abcdefg ", 1<<17),
		"list":         strings.Repeat("a;", 1<<19),
		"and":          strings.Repeat("a&&", 1<<18) + "a",
		"pipe":         strings.Repeat("a|", 1<<19) + "a",
		"sum":          "echo $((" + strings.Repeat("1+", 1<<19) + "1))",
		"power":        "echo $((" + strings.Repeat("1**", 1<<18) + "1))",
		"subshells":    strings.Repeat("(", n) + "git commit" + strings.Repeat(")", n),
		"substitution": strings.Repeat("$(", n) + "git commit" + strings.Repeat(")", n),
		"quoted":       strings.Repeat(`"$(`, n) + "git commit" + strings.Repeat(`)"`, n),
		"braces":       strings.Repeat("{ ", n) + "git commit" + strings.Repeat("; }", n),
		"ifs":          strings.Repeat("if ", n) + "git commit",
		"many ifs":     strings.Repeat("if ", 300_000) + "git commit",
		"open":         strings.Repeat("(", 1<<20),
		"arithmetic":   "$((" + strings.Repeat("(", 1<<20),
		"unary":        "$((" + strings.Repeat("!", 1<<20),
		"defaults":     strings.Repeat("${a:-", 200_000),
		"backquotes":   strings.Repeat("`", 1<<20),
		"tests":        "[[ " + strings.Repeat("a && ", 1<<17) + "a ]]",
		"functions":    "f() { f; f; }; f; f",
		"growth":       "a=xxxxxxxxxxxxxxxx" + strings.Repeat(`; a="$a$a"`, 1000),
		"eval":         "a='" + strings.Repeat("x;", 1<<17) + "'" + strings.Repeat(`; eval "$a"`, 50_000),
		"alternatives": strings.Repeat("{a,b}", 10_000),
		"quote":        `git commit -m "` + strings.Repeat("x", 1<<20),
		"heredocs":     strings.Repeat("cat <<E\n", 10_000),
		"cases":        strings.Repeat("case x in y) ", n),
		"elifs":        "if a; then b; " + strings.Repeat("elif a; then b; ", n) + "fi",
		"variables":    strings.Repeat("(a=b; $a ", 1000) + strings.Repeat(")", 1000),
		"nul":          strings.Repeat("\x00", 1<<20),
		"continued":    strings.Repeat("\\\n", 1<<19),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			s := Parse(text, Place{})
			s.MayCommit()
			s.StateWrites()
			s.TestRuns(nil)
			t.Log(name, len(text), len(s.Commands), time.Since(start))
		})
	}
}

func TestManyBraces(t *testing.T) {
	start := time.Now()
	s := Parse("perl -pi"+strings.Repeat(`{"a":`, 10_000)+"; "+strings.Repeat("{a,", 10_000)+"; git commit", Place{})
	assert.Assert(t, s.MayCommit())
	assert.Assert(t, time.Since(start) < 5*time.Second, "took %v", time.Since(start))
}
