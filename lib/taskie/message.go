package taskie

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	capVariable = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"
	defaultCap  = 8 // blocks in a row after which the client ends a turn
)

// postReviewRequest tells the agent what to do with a review, and how to give
// the turn back (spec 70 §5.8).
func postReviewRequest(r Review, clean bool, limit float64, getenv func(string) string) string {
	state := r.In.Path(stateName)
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }

	line("An independent reviewer has finished %s %d of the plan %s: %s", r.Title, r.Number, r.In.ID, r.File())
	if clean {
		line("It found nothing that has to change, but only two such reviews in a row end the loop.")
	}
	line("Carry out the action %s now:", r.Post())
	line("1. Read %s and resolve what it raises in %s.", r.File(), r.Fix)
	line("2. Write what you did about each point to %s.", r.PostFile())
	line("3. Only then update %s: read it, set phase to %q and next_phase to %q, and leave every other field as it is (max_reviews, current_task, phase_iteration, review_model, consecutive_clean, tdd and any other). Do it atomically: write the whole document to a temporary file in the same directory and rename it (mv) over state.json.", state, r.Post(), r.Name)
	if r.Plan && r.Name != planReview {
		line("4. Update tasks.md, commit, and push to the remote.")
	} else {
		line("4. Commit, and push to the remote.")
	}
	line("Then stop: the next review starts by itself. To leave the loop, set next_phase to null in %s.", state)
	if blocks := blockCap(getenv); limit > float64(blocks) {
		line("The client ends a turn after %d blocks in a row, and max_reviews is %s: for the loop to get that far, the person has to set %s to %s or more. If the turn ends early, the next stop goes on where the loop was.",
			blocks, number(limit), capVariable, number(limit))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// blockCap is how many blocks in a row the client allows (spec 05 H.2).
func blockCap(getenv func(string) string) int {
	if n, err := strconv.Atoi(getenv(capVariable)); err == nil && n > 0 {
		return n
	}
	return defaultCap
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func advanced(p Plan, m Move) string {
	return fmt.Sprintf("Taskie: %s of the plan %s is done, the last two reviews found nothing. Next is %s: look at the result, then run continue-plan.",
		m.Phase, p.ID, m.NextPhase)
}

func skipped(p Plan, m Move) string {
	return fmt.Sprintf("Taskie: max_reviews is 0, so the plan %s goes on without %s. Next is %s: run continue-plan.",
		p.ID, m.Phase, m.NextPhase)
}

func limitReached(k Kind, limit float64) string {
	return fmt.Sprintf("The max of %s reviews is reached for %s, without two clean ones in a row. No further review is run and nothing is advanced: decide yourself how to go on (raise max_reviews, or set next_phase in state.json).",
		number(limit), k.Name)
}

func validated(p Plan, notes []string) string {
	return strings.Join(append([]string{fmt.Sprintf("Taskie: the plan %s is validated.", p.ID)}, notes...), " ")
}

func violated(p Plan, violations []string) string {
	return fmt.Sprintf("The directory of the Taskie plan %s (%s) is not in order:\n- %s\nPut it right before you stop.",
		p.ID, p.Path(""), strings.Join(violations, "\n- "))
}

// toldOnly is [violated] for the person, where the agent was sent back once
// already.
func toldOnly(p Plan, violations, notes []string) string {
	return strings.Join(append([]string{fmt.Sprintf("Taskie: the directory of the plan %s is not in order: %s.",
		p.ID, strings.Join(violations, "; "))}, notes...), " ")
}
