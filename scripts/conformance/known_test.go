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
}

const (
	aliases       = "05 B.3: a record is found under the canonical key or an alias, and an alias is the same phase"
	leavingOnly   = "05 C.6: blast-radius-validator judges only calls that would leave the phase"
	beforeWriting = "05 F.1: V7 and V8 run before the write; afterwards a higher version on disk is no stale write"
)
