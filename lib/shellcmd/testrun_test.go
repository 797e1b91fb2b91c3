package shellcmd

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestTestRuns(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`npm test; npm t; npm run test:unit -- --ci; npm run-script test; npm run e2e`, "script script script script script"},
		{`npm --prefix app test; npm -w a test; npm run -s test; pnpm -r test; pnpm --filter x run test`, "script script script script script"},
		{`yarn test; yarn workspace a test; yarn workspaces foreach -A run test; bun run test`, "script script script script"},
		{`bun test; deno test; node --test; node --test --watch x.js`, "bun deno node node"},
		{`npx jest --ci; npx -y jest@29; pnpm exec vitest run; pnpm vitest; yarn mocha; bunx vitest; npm exec -- ava`, "jest jest vitest vitest mocha vitest ava"},
		{`npm run jest; ./node_modules/.bin/jest; node --inspect node_modules/jest/bin/jest.js; node_modules/.bin/mocha.cmd`, "jest jest jest mocha"},
		{`pytest -q; py.test; python -m pytest x; python3.11 -W error -m unittest -v; /usr/bin/pytest-3`, "pytest pytest pytest unittest pytest"},
		{`poetry run pytest; uv run --with x pytest; coverage run -m pytest; pipenv run python -m pytest; uvx tox`, "pytest pytest pytest pytest tox"},
		{`go test ./...; go1.22 test; gotestsum -- -race; go run gotest.tools/gotestsum@latest ./...`, "go go gotestsum gotestsum"},
		{`cargo test; cargo +nightly test; cargo nextest run; cargo --locked test`, "cargo cargo nextest cargo"},
		{`mvn -q test; ./mvnw clean verify; gradle test --info; ./gradlew :app:check -x lint; gradlew.bat test`, "maven maven gradle gradle gradle"},
		{`dotnet test; phpunit; vendor/bin/phpunit; php vendor/bin/phpunit; rspec; bundle exec rspec spec/a; bundle exec rake test; rake spec:models`, "dotnet phpunit phpunit phpunit rspec rspec rake rake"},
		{`cypress run; npx cypress run; npx playwright test --ui; tap; jasmine; bats t; ctest --test-dir b; prove -lr t; tox -e py; nox; make test; make -C a check`, "cypress cypress playwright tap jasmine bats ctest prove tox nox make make"},
		{`CI=1 npm test 2>&1 | tail -20; timeout 60 npx jest || true; (cd a && go test)`, "script jest go"},
		{`NPM Test; Go TEST`, "script go"},
		{`bash -c "npm test"; T="npm test"; $T; time pytest; nyc mocha; c8 node --test; cross-env CI=1 jest`, "script script pytest mocha node jest"},

		{`cat jest.config.js; grep -rn pytest .; npm install -D vitest; yarn add jest; pip install pytest; which pytest`, ""},
		{`npm run build; npm testing; npx tsc; npm ls jest; cargo build; go vet ./...; go build; mvn package; gradle build -x test`, ""},
		{`make; make tests-data; node server.js; python app.py; python -c "import pytest"; python -m http.server; deno run test.ts`, ""},
		{`jest --version; pytest --collect-only; cargo test --no-run; npx playwright install; npx playwright test --list; vitest bench; cypress open; go test -c; mvn verify -DskipTests`, ""},
		{`GO build; CTEST -N; Jest --version`, ""},
		{`echo "npm test"; # npm test`, ""},
		{"cat > x <<E\nnpm test\nE", ""},
		{`git commit -m "run npm test"`, ""},

		{`npm test "`, "?"},
		{`( NPM  RUN  TEST`, "?"},
		{`( ls`, ""},
	} {
		var got []string
		for _, r := range Parse(test.text, Place{}).TestRuns(nil) {
			if r.Runner == Unnamed {
				r.Runner = "?"
			}
			got = append(got, string(r.Runner))
		}
		assert.Equal(t, strings.Join(got, " "), test.want, "%s", test.text)
	}
}

func TestTestRunsOfThePhase(t *testing.T) {
	extra := [][]string{{"./scripts/verify.sh"}, {"just", "check"}, {}}
	runs := Parse(`cd a && ./scripts/verify.sh -v; just check all; just build; sudo /usr/bin/just check`, Place{Dir: "/w"}).TestRuns(extra)
	assert.DeepEqual(t, runs, []Run{
		{Words: []string{"./scripts/verify.sh", "-v"}, Dir: "/w/a"},
		{Words: []string{"just", "check", "all"}, Dir: "/w/a"},
		{Words: []string{"/usr/bin/just", "check"}, Dir: "/w/a"},
	})
}
