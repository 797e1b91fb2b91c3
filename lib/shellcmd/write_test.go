package shellcmd

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestStateWrites(t *testing.T) {
	const state = "/w/.isdlc/state.json"
	for _, test := range []struct{ text, want string }{
		// redirections
		{`echo x > .isdlc/state.json`, state},
		{`echo x >> "$PWD"/.isdlc/./a/../state.json`, state},
		{`echo x >| .isdlc//state.json`, state},
		{`x &> .isdlc/state.json; x <> .isdlc/state.json; x >& .isdlc/state.json`, state},
		{`> .isdlc/state.json`, state},
		{`{ a; b; } > .isdlc/state.json`, state},
		{`(cd x; b) > .isdlc/state.json`, state},
		{`while read l; do echo $l; done < a > .isdlc/state.json`, state},
		{`exec > .isdlc/state.json`, state},
		{`cd .isdlc && echo x > state.json`, state},
		{`cd sub; cd ../.isdlc; echo x > state.json`, state},
		{`D=.isdlc; echo x > $D/state.json`, state},
		{`F=.isdlc/state.json; jq . $F > t && mv t "$F"`, state},
		{`echo x > $ROOT/.isdlc/state.json`, "?/.isdlc/state.json"},
		{`cd $X/.isdlc; echo x > state.json`, "?/.isdlc/state.json"},
		{`echo x > ${S:-.isdlc/state.json}`, state},
		{`echo x > .isdlc/projects/$ID/state.json`, "/w/.isdlc/projects/?/state.json"},
		{`echo x > .isdlc\state.json`, state},
		{`echo x > '.isdlc\projects\a\state.json'`, "/w/.isdlc/projects/a/state.json"},
		{`save() { echo "$1" > .isdlc/state.json; }; save x`, state},
		{`bash -c 'echo x > .isdlc/state.json'`, state},
		{`echo x > .isdlc/state'.json'`, state},

		// programs
		{`echo x | tee -a a .isdlc/state.json; x | sudo tee .isdlc/state.json`, state},
		{`rm -f .isdlc/state.json`, state},
		{`rm -f -- .isdlc/*.json`, state},
		{`find . | xargs rm; echo .isdlc/state.json | xargs rm`, state},
		{`truncate -s 0 .isdlc/state.json; unlink .isdlc/state.json; shred .isdlc/state.json`, state},
		{`dd if=x of=.isdlc/state.json`, state},
		{`chmod 600 .isdlc/state.json; chown a .isdlc/state.json; patch .isdlc/state.json < p`, state},
		{`cp a .isdlc/state.json && true`, state},
		{`cp a/state.json .isdlc`, state},
		{`cp -t .isdlc a/state.json; cp --target-directory=.isdlc state.json`, state},
		{`mv .isdlc/state.json /tmp/x`, state},
		{`mv .isdlc/state.json{.bak,}`, "/w/.isdlc/state.json"},
		{`install -m 644 a .isdlc/state.json; ln -sf a .isdlc/state.json; rsync -a a .isdlc/state.json; scp h:a .isdlc/state.json`, state},
		{`sed -i.bak s/a/b/ .isdlc/state.json`, state},
		{`sed -E -n -i s/a/b/ .isdlc/state.json`, state},
		{`sed -Ei -e s/a/b/ .isdlc/state.json; sed .isdlc/state.json --in-place=x -e p`, state},
		{`perl -pi -e s/a/b/ .isdlc/state.json`, state},
		{`perl -i.bak -pe s/a/b/ .isdlc/state.json; perl -0777 -i -pe x .isdlc/state.json`, state},
		{`gawk -v a=b -i inplace 1 .isdlc/state.json; awk --include=inplace 1 .isdlc/state.json`, state},
		{`git checkout HEAD -- .isdlc/state.json; git restore .isdlc/state.json; git rm .isdlc/state.json`, state},
		{`git -C .isdlc checkout state.json`, state},
		{`cd sub && git -C ../.isdlc restore state.json`, state},
		{`git mv a .isdlc/state.json`, state},

		// scripts
		{`python3 -c "open('.isdlc/state.json','w+')"`, state},
		{`python3.11 -u -c'open(".isdlc/state.json", mode="a")'`, state},
		{`python -c "import json; json.dump(x, open('.isdlc/state.json', 'w'))"`, state},
		{`cd .isdlc && python3 -c "open('state.json', 'w')"`, state},
		{`python3 -c "import os; open(os.path.join('.isdlc', 'state.json'), 'wb')"`, ".isdlc/state.json"},
		{"python3 - <<'E'\nfrom pathlib import Path\nPath('.isdlc/state.json').write_text('')\nE", state},
		{`node -e "require('fs').writeFileSync('.isdlc/state.json', '')"`, state},
		{`node -r x -pe "fs.unlinkSync('.isdlc/state.json')"`, state},
		{`node --require x --eval="fs.renameSync('a', './.isdlc/state.json')"`, state},
		{`deno eval "Deno.writeTextFileSync('.isdlc/state.json', '')"; bun -e "Bun.write('.isdlc/state.json', '')"`, state},
		{`ruby -rjson -e "File.write('.isdlc/state.json', '')"`, state},
		{`perl -e 'open(F, ">", ".isdlc/state.json")'`, state},
		{"node <<'E'\nfs.appendFileSync('.isdlc/state.json', '')\nE", state},

		// reading, and other files
		{`cat .isdlc/state.json 2>/dev/null; cat .isdlc/state.json 2>&1 | head`, ""},
		{`jq '.a > 3' .isdlc/state.json > /tmp/x`, ""},
		{`cp .isdlc/state.json /tmp/x; cp .isdlc/state.json{,.bak}; ln -s .isdlc/state.json x`, ""},
		{`scp .isdlc/state.json host:/backup/.isdlc/state.json`, ""},
		{`diff .isdlc/state.json a; grep tee .isdlc/state.json; echo "rm .isdlc/state.json"`, ""},
		{`cat .isdlc/state.json | tee /tmp/x; npm install && cat .isdlc/state.json`, ""},
		{`sed -n s/a/b/ .isdlc/state.json; sed -e i .isdlc/state.json; perl -ne 'print if /i/' .isdlc/state.json; awk '{print}' .isdlc/state.json`, ""},
		{`git add .isdlc/state.json; git diff -- .isdlc/state.json; git restore --staged .isdlc/state.json; git rm --cached .isdlc/state.json`, ""},
		{`git commit -m "v1 -> v2 of .isdlc/state.json"`, ""},
		{`python3 -c "print(open('.isdlc/state.json').read()['a'])"`, ""},
		{`python3 -c "import sys; sys.stdout.write(open('.isdlc/state.json').read())"`, ""},
		{`python3 -c "json.load(open('.isdlc/state.json', 'r'))['w']; json.dumps(1)"`, ""},
		{`node -e "console.log(fs.readFileSync('.isdlc/state.json'))"; node tools/reset.js .isdlc/state.json`, ""},
		{`echo x > .isdlc/state.json.bak; echo x > .isdlc/state.jsonl; echo x > .isdlc/projects/a/b/state.json`, ""},
		{`echo x > .isdlc/projects//state.json; echo x > state.json; echo x > .isdlc/stateXjson; echo x > .ISDLC/state.json`, ""},
		{`echo x > $D/state.json; echo x > $F; rm *.json`, ""},
		{"cat > notes.md <<'E'\necho x > .isdlc/state.json\nE", ""},
		{`cd .isdlc; cat state.json > ../x`, ""},

		// what does not parse
		{`echo "x > .isdlc/state.json`, ".isdlc/state.json"},
		{`echo "x .isdlc/state.json`, ""},
		{`( cp a .isdlc/state.json`, ".isdlc/state.json"},
		{`( node -e "fs.writeFileSync" .isdlc/state.json`, ".isdlc/state.json"},
		{`( python -c "open('.isdlc/state.json','w')"`, ".isdlc/state.json"},
	} {
		got := strings.Join(Parse(test.text, Place{Dir: "/w", Home: "/home/me"}).StateWrites(), " ")
		assert.Equal(t, strings.ReplaceAll(got, unknown, "?"), test.want, "%s", test.text)
	}
}
