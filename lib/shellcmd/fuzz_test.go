package shellcmd

import (
	"strings"
	"testing"
	"time"
)

// FuzzParse looks for texts that make the package panic or take long, and for
// commits that [Mentions] does not see coming.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`git -C "a b" -c x=y commit -m $'\x41\u00e9' --dry-run`,
		"cat <<'E' | bash\ncd a || exit; git commit\nE",
		`f() { "$@" git commit; }; f sudo; a=(b c); "${a[@]}" ${d:-e} {f,g}{h,i}`,
		`for i in a b; do (cd $i && git commit); done; case x in y) z;; esac; [[ a && $(b) ]]`,
		`echo $((1 + 2 ** 3)) > .isdlc\state.json; sed -Ei s/a/b/ .isdlc/state.json; cp -t .isdlc state.json`,
		`python3 -c "open('.isdlc/state.json', 'w')"; node -pe 'x'; perl -0777 -pi -e y z`,
		`npx -y jest@29; python3.11 -m pytest; mvn -pl a verify; xargs -I{} sh -c 'npm test {}'`,
		"echo \"git commit", "((((", "`\\`\\\\\\``", "a=x;a=$a$a;a=$a$a", "git shell; git ca",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		s := Parse(text, Place{Dir: "/w", Home: "/home/me"})
		commits := s.Commits(aliases)
		s.StateWrites()
		s.TestRuns([][]string{{"x"}})
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("took %s", d)
		}
		if (s.MayCommit() || len(commits) > 0) && !Mentions(text, "git") {
			t.Error("a commit out of nothing")
		}
		if len(s.StateWrites()) > 0 && !Mentions(text, stateName) && !strings.ContainsAny(text, "*?[") {
			t.Error("a state file out of nothing")
		}
	})
}
