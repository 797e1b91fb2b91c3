package taskie

// A Kind is one of the four reviews (spec 70 §5).
type Kind struct {
	Name    string // as next_phase says it
	Title   string // as a sentence says it
	Subject string // begins the names of its files; "" stands for task-<id>

	Plan  bool // the reviewer reads plan.md
	Tasks bool // the reviewer reads tasks.md and the files of all tasks

	Fix     string // what the findings are resolved in
	LookFor string // for a reviewer who has no description of the action
}

const (
	planReview    = "plan-review"
	tasksReview   = "tasks-review"
	codeReview    = "code-review"
	allCodeReview = "all-code-review"

	postPrefix = "post-"
)

var kinds = [...]Kind{
	{
		Name: planReview, Title: "plan review", Subject: "plan", Plan: true,
		Fix:     "plan.md",
		LookFor: "gaps, ambiguity and wrong design decisions",
	},
	{
		Name: tasksReview, Title: "tasks review", Subject: "tasks", Tasks: true,
		Fix:     "tasks.md and the task files",
		LookFor: "missing steps, unclear acceptance criteria and a wrong order",
	},
	{
		Name: codeReview, Title: "code review", Plan: true,
		Fix:     "the code",
		LookFor: "bugs, missing parts, security, quality and tests",
	},
	{
		Name: allCodeReview, Title: "all-code review", Subject: "all-code", Plan: true, Tasks: true,
		Fix:     "the code of all tasks",
		LookFor: "bugs, missing parts, security, quality and tests, and how the tasks fit together",
	},
}

// kindOf finds the review that a value of next_phase asks for.
func kindOf(nextPhase string) (Kind, bool) {
	for _, k := range kinds {
		if k.Name == nextPhase {
			return k, true
		}
	}
	return Kind{}, false
}

// OfTask tells whether it is the task in work that is reviewed.
func (k Kind) OfTask() bool { return k.Subject == "" }

// Post is the phase in which the agent works on the findings.
func (k Kind) Post() string { return postPrefix + k.Name }

// Target is the phase that follows when the reviews are done (spec 70 §5.1):
// tdd chooses the variant of the task action, and pending tells whether there
// is another task to do.
func (k Kind) Target(tdd, pending bool) string {
	switch {
	case k.Name == planReview:
		return "create-tasks"
	case k.Name == allCodeReview:
		return "complete"
	case k.Name == codeReview && !pending:
		return allCodeReview
	case tdd:
		return "complete-task-tdd"
	}
	return "complete-task"
}

// cleanToAdvance is how many reviews in a row have to find nothing.
const cleanToAdvance = 2

// A Move is a step of the review loop.
type Move struct {
	Phase     string // the review that was done, or left out
	NextPhase string
	Cycle     Cycle
	Advance   bool // the person goes on from here; else the agent, with the findings
	Counted   bool // the cycle is written too, and the fields that are missing
}

// Skip is the move where no reviews are wanted (spec 70 §5.2). The cycle stays
// as it is written, unless another one begins.
func Skip(k Kind, target string) Move {
	return Move{Phase: k.Name, NextPhase: target, Advance: true}
}

// Next is the move after review number c.Iteration+1 (spec 70 §5.6 to §5.8).
func Next(k Kind, c Cycle, clean bool, target string) Move {
	after := Cycle{Iteration: c.Iteration + 1, Model: otherModel(c.Model)}
	if clean {
		after.Clean = c.Clean + 1
	}
	if after.Clean < cleanToAdvance {
		return Move{Phase: k.Name, NextPhase: k.Post(), Cycle: after, Counted: true}
	}
	return Move{Phase: k.Name, NextPhase: target, Cycle: after, Advance: true, Counted: true}
}

func otherModel(model string) string {
	if model == opus {
		return sonnet
	}
	return opus
}

// Fields are the members of the state file that a move sets, in the order in
// which they are added where they are missing.
func (m Move) Fields() []Field {
	fields := []Field{{"phase", m.Phase}, {"next_phase", m.NextPhase}}
	cycle := m.Cycle
	switch {
	case m.Advance && m.NextPhase == allCodeReview: // which begins a cycle of its own
		cycle = Cycle{Model: opus}
	case !m.Counted:
		return fields
	}
	return append(fields,
		Field{"phase_iteration", cycle.Iteration},
		Field{"review_model", cycle.Model},
		Field{"consecutive_clean", cycle.Clean})
}

// Defaults are the members that a move adds where they are missing or null.
func (m Move) Defaults() []Field {
	if !m.Counted {
		return nil
	}
	return []Field{{"max_reviews", defaultLimit}, {"current_task", nil}, {"tdd", false}}
}
