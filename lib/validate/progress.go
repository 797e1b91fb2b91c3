package validate

import (
	"strings"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/text"
)

// Progress finds an active workflow whose current phase nobody has started, V4,
// or whose agent is not one of that phase, V5 (spec 05 F.2).
func Progress(doc *ordered.Value) []Finding {
	workflow := doc.Get("active_workflow")
	key := workflow.Get("current_phase").Text()
	if key == "" && workflow.IsObject() {
		key = doc.Get("current_phase").Text()
	}
	if key == "" {
		return nil
	}
	var found []Finding
	if f := pending(doc, workflow, key); f != nil {
		found = append(found, *f)
	}
	if f := wrongAgent(doc, key); f != nil {
		found = append(found, *f)
	}
	return found
}

func pending(doc, workflow *ordered.Value, key string) *Finding {
	var places []string
	if phase.Lookup(doc.Get("phases"), key).Get("status").Text() == "pending" {
		places = append(places, "phases")
	}
	if phase.Lookup(workflow.Get("phase_status"), key).Text() == "pending" {
		places = append(places, "active_workflow.phase_status")
	}
	if places == nil {
		return nil
	}
	return finding("V4", key, "the current phase is %s, but its status is still \"pending\" in %s",
		named(key), strings.Join(places, " and "))
}

func wrongAgent(doc *ordered.Value, key string) *Finding {
	agent, want := doc.Get("active_agent"), phase.AgentOf(key)
	if agent.Text() == "" || want == "" || phase.NormalizeAgent(text.Trim(agent.Text())) == want {
		return nil
	}
	return finding("V5", key, "active_agent is %s, but the current phase %s is the work of %s",
		show(agent), named(key), named(want))
}
