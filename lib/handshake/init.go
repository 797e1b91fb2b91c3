package handshake

import (
	"strings"

	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
)

// A Plan is what a workflow begins with.
type Plan struct {
	Type           string
	Phases         []string // none: those that workflows.json has for the type
	Description    string   // may be empty, as the next one
	ArtifactFolder string
}

// Init begins a workflow (IR-008). Records of earlier workflows go, and the first
// phase is in progress in both places, though not started before it is activated:
// the requirement's list of fields leaves its record pending for that moment, but
// AC-001e and the rules V4 and V9-A allow no current phase that is.
func (h *Handshake) Init(p Plan) error {
	if w := h.State.Get("active_workflow"); w.Present() {
		return refuse("a workflow is active already (%s, in phase %s); finalize it, or give it up with finalize --cancel",
			orUnknown(w.Get("type").Text()), orUnknown(h.State.CurrentPhase()))
	}
	keys, err := h.plan(p)
	if err != nil {
		return err
	}
	if strings.ContainsAny(p.ArtifactFolder, "/\\\x00") || p.ArtifactFolder == "." || p.ArtifactFolder == ".." {
		return refuse("the artifact folder has to be one plain name, %q is none", p.ArtifactFolder)
	}
	statuses, records := ordered.NewObject(), ordered.NewObject()
	for i, key := range keys {
		status := pending
		if i == 0 {
			status = inProgress
		}
		statuses.Set(key, status)
		records.Set(key, ordered.NewObject("status", status, "started", nil, "completed", nil, "gate_passed", nil, "artifacts", ordered.NewArray()))
	}
	workflow := ordered.NewObject(
		"type", p.Type,
		"phases", keys,
		"current_phase", keys[0],
		"current_phase_index", 0,
		"phase_status", statuses,
		"started_at", h.now(),
		"status", "active",
	)
	for _, text := range [...]struct{ name, text string }{{"artifact_folder", p.ArtifactFolder}, {"description", p.Description}} {
		if text.text != "" {
			workflow.Set(text.name, text.text)
		}
	}
	doc := h.State.Object
	doc.Set("active_workflow", workflow)
	doc.Set("phases", records)
	doc.Set("current_phase", keys[0])
	doc.Set("active_agent", h.agent(keys[0]))
	return nil
}

// plan gives the canonical keys of the phases of a new workflow.
func (h *Handshake) plan(p Plan) ([]string, error) {
	if p.Type == "" {
		return nil, refuse("a workflow needs a type")
	}
	definition := h.Rules.Workflows().Get("workflows", p.Type)
	var defined []string
	for _, item := range definition.Get("phases").Items() {
		if key := item.Text(); key != "" {
			defined = append(defined, phase.Canonical(key))
		}
	}
	if len(p.Phases) == 0 {
		if defined == nil {
			return nil, refuse("workflows.json defines no workflow of type %s, so its phases have to be given; defined are: %s",
				p.Type, orUnknown(strings.Join(h.types(), ", ")))
		}
		return defined, nil
	}
	var keys []string
	for _, key := range p.Phases {
		key = phase.Canonical(strings.TrimSpace(key))
		if !phase.Known(key, nil, h.Rules.Manifest, h.Rules.Requirements, h.Rules.Workflows) {
			return nil, refuse("there is no phase %q", key)
		}
		keys = append(keys, key)
	}
	for i, key := range keys {
		for _, other := range keys[:i] {
			if other == key {
				return nil, refuse("phase %s is given twice", key)
			}
		}
	}
	if rest := defined; defined != nil { // phases may be left out, but neither added nor moved (AC-008a, AC-008f)
		for _, key := range keys {
			for len(rest) > 0 && rest[0] != key {
				rest = rest[1:]
			}
			if len(rest) == 0 {
				return nil, refuse("a %s workflow cannot have phase %s there; it has, in this order, all or some of: %s", p.Type, key, strings.Join(defined, ", "))
			}
			rest = rest[1:]
		}
	}
	return keys, nil
}

func (h *Handshake) types() []string {
	var names []string
	for _, m := range h.Rules.Workflows().Get("workflows").Members() {
		names = append(names, m.Name)
	}
	return names
}

func orUnknown(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
