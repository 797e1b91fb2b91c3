package taskie

import (
	"strings"
	"testing"
	"time"
)

// FuzzTasks holds that no table makes the reader of tasks.md panic or take long,
// and that every task has a name that stands for a file beside it.
func FuzzTasks(f *testing.F) {
	for _, seed := range []string{
		"| Id | Status | Title |\n|---|---|---|\n| 1 | pending | a |\n| 2 | done | b |\n",
		"| Task | x | STATUS |\r\n| --- | :-: | --- |\r\n| [1](task-1.md) | y | in progress |\r\n", "|||||\n|-|\n|a", "x | y\n- | -\n1 | pending", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, table string) {
		start := time.Now()
		tasks := parseTasks(table)
		taskFiles(tasks)
		anotherPending(tasks, TaskID{})
		for _, task := range tasks {
			if strings.ContainsAny(task.ID, " \t\r\n") {
				t.Errorf("a task called %q", task.ID)
			}
		}
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("took %s", d)
		}
	})
}
