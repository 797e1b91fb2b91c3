package phase

import "isdlc-hooks/lib/ordered"

// Requirements is what the phase key asks for in a workflow of the given type:
// phase_requirements.<phase> with workflow_overrides.<type>.<phase> laid over
// it, section by section and one level deep (spec 05 B.4). It is nil where the
// phase has no requirements; an override alone makes none. The result must not
// be edited.
func Requirements(config *ordered.Value, key, workflowType string) *ordered.Value {
	base := Lookup(config.Get("phase_requirements"), key)
	if !base.IsObject() || workflowType == "" {
		return object(base)
	}
	over := Lookup(config.Get("workflow_overrides", workflowType), key)
	if !over.IsObject() {
		return base
	}
	merged := base.Clone()
	for _, section := range over.Members() {
		if !section.Value.IsObject() || !merged.Get(section.Name).IsObject() {
			merged.Set(section.Name, section.Value)
			continue
		}
		into := merged.Get(section.Name)
		for _, field := range section.Value.Members() {
			into.Set(field.Name, field.Value)
		}
	}
	return merged
}

func object(v *ordered.Value) *ordered.Value {
	if v.IsObject() {
		return v
	}
	return nil
}
