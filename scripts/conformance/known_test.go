package conformance

// known are cases that fail and why, by "<case id> <form>". They are listed in the
// summary. One that passes is an error: the entry has to go.
//
// All of them were recorded from the older hooks, and a decision of the
// specification (05) says otherwise now.
var known = map[string]string{
	"constitutional-iteration-validator/alias-canonical-data recorded": aliases,
	"constitutional-iteration-validator/alias-canonical-data today":    aliases,
	"state-write-validator/v9b-alias recorded":                         aliases,
	"state-write-validator/v9b-alias today":                            aliases,
	"workflow-completion-enforcer/phases-alias recorded":               aliases,
	"workflow-completion-enforcer/phases-alias today":                  aliases,

	"pre-task-dispatcher/blast-no-git recorded":  leavingOnly,
	"pre-task-dispatcher/blast-no-git today":     leavingOnly,
	"pre-task-dispatcher/order-8-blast recorded": leavingOnly,
	"pre-task-dispatcher/order-8-blast today":    leavingOnly,
	"pre-task-dispatcher/order-8-blast legacy":   leavingOnly,

	"post-write-edit-dispatcher/swv-redo today":        beforeWriting,
	"post-write-edit-dispatcher/swv-v7-no-block today": beforeWriting,

	"branch-guard/adr005-unborn-no-name recorded":         unborn,
	"branch-guard/adr005-unborn-no-name today":            unborn,
	"branch-guard/detect-dry-run legacy":                  commits,
	"branch-guard/detect-dry-run recorded":                commits,
	"branch-guard/detect-dry-run today":                   commits,
	"branch-guard/phase-block-alias-key legacy":           aliases,
	"branch-guard/phase-block-alias-key recorded":         aliases,
	"branch-guard/phase-block-alias-key today":            aliases,
	"branch-guard/phase-fooled-echo legacy":               simpleCommands,
	"branch-guard/phase-fooled-echo recorded":             simpleCommands,
	"branch-guard/phase-fooled-echo today":                simpleCommands,
	"post-bash-dispatcher/alias-phase recorded":           aliases,
	"post-bash-dispatcher/alias-phase today":              aliases,
	"post-bash-dispatcher/atdd-node-test recorded":        runners,
	"post-bash-dispatcher/atdd-node-test today":           runners,
	"review-reminder/warn-command-commit-tree legacy":     commits,
	"review-reminder/warn-command-commit-tree recorded":   commits,
	"review-reminder/warn-command-commit-tree today":      commits,
	"review-reminder/warn-command-echo legacy":            simpleCommands,
	"review-reminder/warn-command-echo recorded":          simpleCommands,
	"review-reminder/warn-command-echo today":             simpleCommands,
	"test-watcher/breaker-reset-by-pass legacy":           takenBack,
	"test-watcher/breaker-reset-by-pass recorded":         takenBack,
	"test-watcher/breaker-reset-by-pass today":            takenBack,
	"test-watcher/command-newline legacy":                 runners,
	"test-watcher/command-newline recorded":               runners,
	"test-watcher/command-newline today":                  runners,
	"test-watcher/history-not-capped legacy":              capped,
	"test-watcher/history-not-capped recorded":            capped,
	"test-watcher/history-not-capped today":               capped,
	"test-watcher/inconclusive-jest-with-skips legacy":    summaries,
	"test-watcher/inconclusive-jest-with-skips recorded":  summaries,
	"test-watcher/inconclusive-pytest-plain legacy":       summaries,
	"test-watcher/inconclusive-pytest-plain recorded":     summaries,
	"test-watcher/nocommand-bun recorded":                 runners,
	"test-watcher/nocommand-bun today":                    runners,
	"test-watcher/nocommand-ctest recorded":               runners,
	"test-watcher/nocommand-ctest today":                  runners,
	"test-watcher/nocommand-make recorded":                runners,
	"test-watcher/nocommand-make today":                   runners,
	"test-watcher/nocommand-mvn-q recorded":               runners,
	"test-watcher/nocommand-mvn-q today":                  runners,
	"test-watcher/nocommand-npm-prefix recorded":          runners,
	"test-watcher/nocommand-npm-prefix today":             runners,
	"test-watcher/nocommand-npm-run-build recorded":       runners,
	"test-watcher/nocommand-npm-run-build today":          runners,
	"test-watcher/nocommand-npm-run-script recorded":      runners,
	"test-watcher/nocommand-npm-run-script today":         runners,
	"test-watcher/nocommand-npm-t recorded":               runners,
	"test-watcher/nocommand-npm-t today":                  runners,
	"test-watcher/nocommand-tox recorded":                 runners,
	"test-watcher/nocommand-tox today":                    runners,
	"test-watcher/override-articles-not-applied legacy":   overrides,
	"test-watcher/override-articles-not-applied recorded": overrides,
	"test-watcher/override-articles-not-applied today":    overrides,
	"test-watcher/pass-after-escalation legacy":           takenBack,
	"test-watcher/pass-after-escalation recorded":         takenBack,
	"test-watcher/pass-after-escalation today":            takenBack,
}

const (
	aliases       = "05 B.3: a record is found under the canonical key or an alias, and an alias is the same phase"
	leavingOnly   = "05 C.6: blast-radius-validator judges only calls that would leave the phase"
	beforeWriting = "05 F.1: V7 and V8 run before the write; afterwards a higher version on disk is no stale write"

	simpleCommands = "05 D.1: the arguments of echo are no command"
	commits        = "05 D.3: a dry run and commit-tree are no commits"
	unborn         = "05 D.5: a branch without a commit has its name, too"
	runners        = "05 D.7: what a test command is, the phase's own ones among them; two lines are two commands"

	summaries = "05 E.1, E.2: a summary with passes only is passed"
	takenBack = "05 E.4: a failure takes a success back, a success removes the escalation"
	capped    = "05 E.5: the history keeps the newest 50"
	overrides = "05 B.4: overrides are laid over every section"
)
