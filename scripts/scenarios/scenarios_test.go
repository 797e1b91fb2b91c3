// Package scenarios plays the handshake scenarios TS-001 to TS-015 through the
// built programs: steps on one project, in which an orchestrator delegates,
// agents write, tests run, and isdlc-hooks moves the workflow on.
package scenarios

import (
	"fmt"
	"strings"
	"testing"

	"isdlc-hooks/lib/hooktest"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/phase"
	"isdlc-hooks/lib/state"
)

const (
	folder    = "REQ-0042-coupons"
	documents = "docs/requirements/" + folder + "/"
	allPassed = "Test Suites: 1 passed, 1 total\nTests:       31 passed, 31 total\n"
	oneFailed = "Test Suites: 1 failed, 1 total\nTests:       1 failed, 30 passed, 31 total\n"
)

var (
	feature = []string{"01-requirements", "02-impact-analysis", "03-architecture", "04-design", "05-test-strategy", "06-implementation", "16-quality-loop", "08-code-review"}
	fix     = []string{"02-tracing", "06-implementation", "16-quality-loop", "08-code-review"}

	// artifacts are what gates look for.
	artifacts = [...]struct{ phase, name string }{
		{"01-requirements", "requirements-spec.md"},
		{"03-architecture", "architecture-overview.md"},
		{"04-design", "module-design.md"},
		{"05-test-strategy", "test-strategy.md"},
		{"08-code-review", "code-review-report.md"},
	}
)

func begin(kind string, phases []string) step {
	return hand("init", "--type", kind, "--artifact-folder", folder, "--phases", strings.Join(phases, ","))
}

// validated is the record of a constitutional validation that is through.
func validated() *ordered.Value {
	return ordered.NewObject("completed", true, "status", "compliant", "iterations_used", 1, "articles_checked", []string{"I", "IV"})
}

// work is what the agent of a phase does until its gate opens.
func work(key string) []step {
	list := steps(write(key+" is validated", set{"phases/" + key + "/constitutional_validation", validated()}))
	for _, a := range artifacts {
		if a.phase == key {
			list = append(list, file(documents+a.name, "# Written\n"))
		}
	}
	switch key {
	case "01-requirements":
		list = append(list, write("the menu was answered", set{"phases/01-requirements/iteration_requirements/interactive_elicitation",
			ordered.NewObject("completed", true, "menu_interactions", 3, "final_selection", "save")}))
	case "06-implementation", "16-quality-loop":
		list = append(list, tests(0, allPassed))
	}
	return list
}

// agentOf is whom the orchestrator calls for a phase.
func agentOf(key string) string {
	if key == "00-quick-scan" {
		return "quick-scan-agent"
	}
	return phase.AgentOf(key)
}

// whole plays a workflow from its beginning to its record, and looks at every
// boundary: after the activation, after the completion, and that the agent of the
// next phase waits until then.
func whole(kind string, phases []string) []step {
	list := steps(begin(kind, phases), file("docs/isdlc/tasks.md", "# Plan\n"),
		expect("active_workflow/current_phase", quoted(phases[0]), "active_workflow/current_phase_index", "0", "active_workflow/phase_status", statuses(phases, 0, true),
			"current_phase", quoted(phases[0])),
		healthy())
	for i, key := range phases {
		list = steps(list,
			hand("activate", key),
			expect("active_workflow/current_phase", quoted(key), "current_phase", quoted(key), "active_workflow/current_phase_index", fmt.Sprint(i),
				"active_workflow/phase_status", statuses(phases, i, true), "phases/"+key+"/status", `"in_progress"`, "active_agent", quoted(agentOf(key)), "phases/"+key+"/timing/retries", "0"),
			healthy(),
			delegate(agentOf(key), "Do your part. Artifacts: "+documents))
		if i+1 < len(phases) {
			list = steps(list, delegate(agentOf(phases[i+1]), "Begin already.", phases[i+1], key))
		}
		if key != "00-quick-scan" { // which asks for nothing
			list = steps(list, refused("complete "+key+" --summary x", key, "constitutional_validation"), work(key))
		}
		done := expect("active_workflow/phase_status", statuses(phases, i+1, false), "active_workflow/current_phase_index", fmt.Sprint(i+1), "phases/"+key+"/status", `"completed"`,
			"phases/"+key+"/summary", `"done"`, "active_workflow/current_phase", quoted(key), "current_phase", quoted(key), "active_agent", quoted(agentOf(key)))
		list = steps(list, advance(), hand("complete", key, "--summary", "done"), done, healthy())
	}
	return steps(list,
		expect("active_workflow/current_phase_index", fmt.Sprint(len(phases))),
		hand("finalize"),
		expect("active_workflow", "null", "workflow_history/-1/metrics/phases_completed", fmt.Sprint(len(phases)), "workflow_history/-1/metrics/total_phases", fmt.Sprint(len(phases))),
		healthy())
}

func quoted(s string) string { return fmt.Sprintf("%q", s) }

// statuses is phase_status with n phases completed and, where it is active, the
// next in progress.
func statuses(phases []string, n int, active bool) string {
	v := ordered.NewObject()
	for i, key := range phases {
		status := "pending"
		switch {
		case i < n:
			status = "completed"
		case i == n && active:
			status = "in_progress"
		}
		v.Set(key, status)
	}
	return string(v.Compact())
}

func TestScenarios(t *testing.T) {
	hooktest.Build(t, append(hooktest.Programs(t), "isdlc-hooks")...) // at once: that is much faster
	for _, sc := range []struct {
		id    string
		steps []step
	}{
		{"TS-001 a feature workflow of eight phases", whole("feature", feature)},
		{"TS-001 all nine that a feature can have", whole("feature", append([]string{"00-quick-scan"}, feature...))},
		{"TS-002 a fix workflow of four phases", whole("fix", fix)},

		{"TS-003 sub-agents of a phase", steps(
			begin("fix", fix), hand("activate", "02-tracing"),
			delegate("trace-code-analyzer", "T1"),
			delegate("execution-path-tracer", "T2"),
			delegate("trace-synthesizer", "T3"),
			logged(3, "phase-loop-controller", "same-phase-bypass"),
			ask("phase-loop-controller", "execution-path-tracer", "T2"),
			ask("phase-sequence-guard", "trace-synthesizer", "T3"),
			delegate("software-developer", "Mend it.", "06-implementation", "02-tracing"),
		)},

		{"TS-004 failing tests hold the gate", steps(
			begin("feature", []string{"06-implementation", "08-code-review"}), file("docs/isdlc/tasks.md", "# Plan\n"), hand("activate", "06-implementation"),
			write("validated", set{"phases/06-implementation/constitutional_validation", validated()}),
			tests(1, oneFailed), tests(1, strings.Replace(oneFailed, "1 failed, 30", "2 failed, 29", 1)),
			expect("phases/06-implementation/iteration_requirements/test_iteration/last_test_result", `"failed"`, "phases/06-implementation/iteration_requirements/test_iteration/current_iteration", "2"),
			ask("gate-blocker", "sdlc-orchestrator", "Advance to the next phase", "test_iteration", "06-implementation"),
			delegate("sdlc-orchestrator", "Advance to the next phase", "iteration corridor", "tests"),
			advance("iteration corridor"),
			refused("complete 06-implementation --summary x", "test_iteration", "2/"),
			passes("Bash", "command", "npm test"), passes("Read", "file_path", "src/a.js"), passes("Edit", "file_path", "src/a.js", "old_string", "a", "new_string", "b"), passes("Write", "file_path", "src/a.js", "content", "b"),
			delegate("software-developer", "Mend the coupon test."),
			tests(0, allPassed),
			delegate("sdlc-orchestrator", "Advance to the next phase"),
			hand("complete", "06-implementation", "--summary", "31 tests"),
			healthy(),
		)},

		{"TS-005 an open validation holds the gate", steps(
			begin("feature", []string{"01-requirements", "03-architecture"}), hand("activate", "01-requirements"),
			work("01-requirements"),
			write("validation is under way", set{"phases/01-requirements/constitutional_validation", ordered.NewObject("completed", false, "status", "in_progress", "iterations_used", 1, "max_iterations", 5)}),
			delegate("sdlc-orchestrator", "Advance to the next phase", "iteration corridor", "constitution", "1/5"),
			ask("gate-blocker", "sdlc-orchestrator", "Advance to the next phase", "constitutional_validation"),
			refused("complete 01-requirements --summary x", "constitutional_validation", "1/5"),
			passes("Read", "file_path", "docs/a.md"), passes("Write", "file_path", "docs/a.md", "content", "b"),
			write("validation is through", set{"phases/01-requirements/constitutional_validation", validated()}),
			delegate("sdlc-orchestrator", "Advance to the next phase"),
			hand("complete", "01-requirements", "--summary", "12 stories"),
		)},

		{"TS-006 a stale phase at the top level", steps(
			begin("feature", []string{"01-requirements", "03-architecture", "06-implementation"}), hand("activate", "01-requirements"), work("01-requirements"),
			hand("complete", "01-requirements", "--summary", "12 stories"), hand("activate", "03-architecture"),
			changed("the top level is left behind", set{"current_phase", "01-requirements"}),
			delegate("solution-architect", "Design it."),
			delegate("requirements-analyst", "Ask again.", "01-requirements", "the workflow is in phase 03-architecture"),
			ask("gate-blocker", "sdlc-orchestrator", "Advance to the next phase", "phase 03-architecture", "architecture-overview.md"),
			ask("constitution-validator", "sdlc-orchestrator", "Phase complete", "03-architecture"),
			refused("complete 01-requirements --summary x", "completed already"),
			finds("AC-001b", "V9-B"),
			expect("current_phase", `"03-architecture"`),
			healthy(),
		)},

		{"TS-007 the write of an activation fails", steps(
			begin("feature", []string{"02-impact-analysis", "03-architecture"}),
			changed("nothing is activated", set{"phases/02-impact-analysis/status", "pending", "active_workflow/phase_status/02-impact-analysis", "pending"}),
			step{"handshake activate cannot write", func(s *session) {
				lock, err := state.Lock(s.Path(".isdlc/state.json"))
				if err != nil {
					s.t.Fatal(err)
				}
				defer lock.Unlock()
				before := s.Files()
				r := s.run("isdlc-hooks", nil, "handshake", "activate", "02-impact-analysis")
				judge(s.t, r.Stderr, []string{"the state was not written"})
				if r.Exit != 1 || len(before.Changed(s.Files())) > 0 {
					s.t.Error(r.Exit, before.Changed(s.Files()))
				}
			}},
			ask("phase-loop-controller", "solution-architect", "Design it.", "03-architecture", "in_progress", "pending"),
			delegate("solution-architect", "Design it.", "03-architecture"),
			hand("activate", "02-impact-analysis"),
			expect("phases/02-impact-analysis/timing/retries", "0"), // the one that failed was none
			delegate("impact-analysis-orchestrator", "Analyse it."),
			healthy(),
		)},

		{"TS-008 a key of older days", steps(
			given(`{"state_version":3,"current_phase":"13-test-deploy","active_agent":"deployment-engineer-staging",
				"active_workflow":{"type":"deploy","phases":["11-local-testing","13-test-deploy"],"current_phase":"13-test-deploy","current_phase_index":1,
					"phase_status":{"11-local-testing":"completed","13-test-deploy":"pending"}},
				"phases":{"11-local-testing":{"status":"completed","summary":"up","started":"2026-02-20T08:00:00Z","timing":{"started_at":"2026-02-20T08:00:00Z","completed_at":"2026-02-20T08:10:00Z","wall_clock_minutes":10},
						"constitutional_validation":{"completed":true,"status":"compliant","iterations_used":1}},
					"13-test-deploy":{"status":"pending"}}}`),
			file("docs/isdlc/tasks.md", "# Plan\n"),
			hand("activate", "12-test-deploy"),
			expect("phases/13-test-deploy/status", `"in_progress"`, "phases/12-test-deploy", "", "active_workflow/current_phase", `"13-test-deploy"`),
			healthy(),
			delegate("deployment-engineer-staging", "Deploy it."),
			ask("gate-blocker", "sdlc-orchestrator", "Advance to the next phase", "12-test-deploy", "constitutional_validation"),
			step{"nobody misses requirements", func(s *session) {
				if log := s.Files()[".isdlc/hook-activity.log"].Data; strings.Contains(log, "no requirements are configured") {
					s.t.Error(log)
				}
			}},
			write("validated", set{"phases/13-test-deploy/constitutional_validation", validated()}),
			hand("complete", "13-test-deploy", "--summary", "on staging"),
			expect("active_workflow/current_phase_index", "2"),
			hand("finalize"),
			expect("workflow_history/-1/metrics/phases_completed", "2"),
		)},

		{"TS-009 a write that comes from an older state", steps(
			begin("feature", feature), hand("activate", "01-requirements"),
			changed("five versions on", set{"state_version", 5}),
			write("version 3", set{"state_version", 3}, "state_version", "5", "3", "re-read"),
			expect("state_version", "5"),
			write("version 5", set{"state_version", 5, "note", "x"}),
		)},

		{"TS-010 a phase goes back", steps(
			begin("feature", []string{"02-impact-analysis", "03-architecture"}), hand("activate", "02-impact-analysis"), work("02-impact-analysis"), hand("complete", "02-impact-analysis", "--summary", "x"),
			write("pending again", set{"active_workflow/phase_status/02-impact-analysis", "pending"}, "phase_status", "02-impact-analysis", "completed", "pending"),
			write("index 0 again", set{"active_workflow/current_phase_index", 0}, "current_phase_index"),
			expect("active_workflow/phase_status/02-impact-analysis", `"completed"`),
			refused("activate 02-impact-analysis", "does not go back"),
		)},

		{"TS-011 completion and record", steps(
			whole("feature", feature),
			expect("workflow_history/-1/phases", `["`+strings.Join(feature, `","`)+`"]`, "workflow_history/-1/status", `"completed"`, "phases/06-implementation/iteration_requirements", ""),
			step{"all eight phases have a snapshot", func(s *session) {
				if n := len(at(s.doc(), "workflow_history/-1/phase_snapshots").Items()); n != len(feature) {
					s.t.Error(n)
				}
			}},
			write("a note afterwards", set{"note", "x"}),
			logged(0, "workflow-completion-enforcer", "self-heal"), // there was nothing to complete
			refused("finalize", "no workflow is active"),
			begin("fix", fix),
			expect("phases/06-implementation", `{"status":"pending","started":null,"completed":null,"gate_passed":null,"artifacts":[]}`, "phases/01-requirements", ""),
		)},

		{"TS-012 two projects of a monorepo", steps(
			file(".isdlc/monorepo.json", `{"projects": {"api-service": {"path": "services/api"}, "web-frontend": {"path": "apps/web"}}}`),
			inProject("api-service"), begin("feature", []string{"03-architecture", "06-implementation"}), hand("activate", "03-architecture"),
			delegate("software-developer", "Code it.", "06-implementation"),
			write("validated", set{"phases/03-architecture/constitutional_validation", validated()}),
			refused("complete 03-architecture --summary x", "artifact_presence"),
			file("docs/web-frontend/requirements/"+folder+"/architecture-overview.md", ""),
			refused("complete 03-architecture --summary x", "artifact_presence"), // that one is the other project's
			file("docs/api-service/requirements/"+folder+"/architecture-overview.md", ""),
			inProject("web-frontend"),
			step{"the other project has no state", func(s *session) {
				if _, there := s.Files()[s.state]; there {
					s.t.Error(s.state)
				}
			}},
			delegate("software-developer", "Code it."), // nothing holds here
			hand("init", "--type", "fix"),
			expect("active_workflow/type", `"fix"`),
			inProject("api-service"),
			expect("active_workflow/type", `"feature"`, "state_version", "2"), // from init and activate: the other project's writes are not counted here
			hand("complete", "03-architecture", "--summary", "layers"),
			step{"the audit sees both", func(s *session) {
				r := s.run("isdlc-hooks", nil, "audit", "--all")
				judge(s.t, r.Stdout, []string{".isdlc/projects/api-service/state.json: nothing found", ".isdlc/projects/web-frontend/state.json: nothing found"})
			}},
		)},

		{"TS-013 artifacts from phase to phase", steps(
			begin("feature", []string{"01-requirements", "02-impact-analysis"}), hand("activate", "01-requirements"),
			work("01-requirements"),
			step{"the specification is not there", func(s *session) { s.Remove(documents) }},
			refused("complete 01-requirements --summary x", "artifact_presence", documents+"requirements-spec.md"),
			file(documents+"requirements-spec.md", "# Coupons\n"),
			hand("complete", "01-requirements", "--summary", "12 stories"), hand("activate", "02-impact-analysis"),
			step{"the prompt can name the folder, and the agent finds the file", func(s *session) {
				r := s.run("isdlc-hooks", nil, "handshake", "status", "--json")
				status, err := ordered.Parse([]byte(r.Stdout))
				if err != nil {
					s.t.Fatal(err, r.Stderr)
				}
				name := "docs/requirements/" + status.Get("artifact_folder").Text() + "/requirements-spec.md"
				if s.Files()[name].Data != "# Coupons\n" {
					s.t.Error(name)
				}
			}},
			delegate("impact-analysis-orchestrator", "Analyse it. Artifact folder: "+folder),
			step{"the file is lost", func(s *session) { s.Remove(documents) }},
			delegate("impact-analysis-orchestrator", "Analyse it. Artifact folder: "+folder),
			work("02-impact-analysis"),
			hand("complete", "02-impact-analysis", "--summary", "3 modules"),
		)},

		{"TS-014 a supervised review", steps(
			begin("feature", []string{"02-impact-analysis", "03-architecture"}), hand("activate", "02-impact-analysis"), work("02-impact-analysis"), hand("complete", "02-impact-analysis", "--summary", "first"),
			write("the review begins", set{"active_workflow/supervised_review", ordered.NewObject("status", "reviewing", "phase", "02-impact-analysis")}),
			refused("activate 03-architecture", "reviewing", "02-impact-analysis"),
			write("redo", set{"active_workflow/supervised_review", ordered.NewObject("status", "redo_pending", "phase", "02-impact-analysis", "redo_count", 1)}),
			refused("activate 03-architecture", "once more", "02-impact-analysis"),
			hand("activate", "02-impact-analysis"),
			expect("phases/02-impact-analysis/timing/retries", "1", "phases/02-impact-analysis/status", `"in_progress"`, "active_workflow/current_phase_index", "0"),
			healthy(),
			delegate("impact-analysis-orchestrator", "Once more."),
			hand("complete", "02-impact-analysis", "--summary", "second"),
			write("continue", set{"active_workflow/supervised_review/status", "approved"}),
			hand("activate", "03-architecture"),
			expect("active_workflow/current_phase", `"03-architecture"`, "active_workflow/current_phase_index", "1"),
			healthy(),
		)},

		{"TS-015 escalations, and a person retries", steps(escalated(),
			hand("activate", "06-implementation", "--clear-escalations"),
			expect("pending_escalations", "[]", "phases/06-implementation/timing/retries", "1"),
			healthy(),
		)},
		{"TS-015 escalations, and a person skips", steps(escalated(),
			hand("complete", "06-implementation", "--summary", "as it is", "--override", "spike"),
			expect("pending_escalations", "[]", "phases/06-implementation/gate_override/open", `["test_iteration","constitutional_validation"]`, "phases/06-implementation/gate_passed", "null"),
			healthy(),
			hand("activate", "08-code-review"),
			healthy(),
		)},
		{"TS-015 escalations, and a person cancels", steps(escalated(),
			hand("finalize", "--cancel", "--reason", "too dear"),
			expect("pending_escalations", "[]", "active_workflow", "null", "workflow_history/-1/status", `"cancelled"`, "workflow_history/-1/cancel_reason", `"too dear"`),
			healthy(),
			delegate("requirements-analyst", "Something else."),
		)},
	} {
		t.Run(sc.id, func(t *testing.T) { play(t, sc.steps) })
	}
}

// escalated is a workflow whose gate was tried too early.
func escalated() []step {
	return steps(
		begin("feature", []string{"06-implementation", "08-code-review"}), file("docs/isdlc/tasks.md", "# Plan\n"), hand("activate", "06-implementation"),
		delegate("sdlc-orchestrator", "Advance to the next phase", "test_iteration"),
		expect("pending_escalations/0/type", `"gate_blocked"`, "pending_escalations/0/phase", `"06-implementation"`),
		step{"the status shows it", func(s *session) {
			judge(s.t, s.run("isdlc-hooks", nil, "handshake", "status").Stdout, []string{"escalation: gate_blocked by gate-blocker in 06-implementation", "open: test_iteration"})
		}},
		refused("complete 06-implementation --summary x", "test_iteration", "constitutional_validation"),
	)
}

// inProject makes another project of a monorepo the active one.
func inProject(id string) step {
	return step{"in " + id, func(s *session) {
		s.state = ".isdlc/projects/" + id + "/state.json"
		s.env = map[string]string{"ISDLC_PROJECT": id}
	}}
}
