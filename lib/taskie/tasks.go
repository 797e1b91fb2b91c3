package taskie

import (
	"strings"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/text"
)

const tasksName = "tasks.md"

// A Task is one row of the table in tasks.md.
type Task struct {
	ID     string // without any white space; may be empty
	Status string
}

// readTasks reads tasks.md; a file that is missing or cannot be read has no
// tasks (spec 70 §6).
func readTasks(p Plan) []Task {
	data, err := disk.Read(p.Path(tasksName))
	if err != nil {
		return nil
	}
	return parseTasks(string(data))
}

// parseTasks reads the rows of a table, without the header and the line below
// it. The status stands in the column that the header calls so, in any case of
// letters; where it has none, in the second (spec 05 H.3).
func parseTasks(table string) []Task {
	var tasks []Task
	status, rows := 2, 0
	for line := range lines(table) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		cells := strings.Split(line, "|") // what is before the first bar is number 0
		switch rows++; rows {
		case 1:
			for i, cell := range cells {
				if strings.EqualFold(text.Trim(cell), "status") {
					status = i
					break
				}
			}
		case 2:
		default:
			task := Task{ID: strings.Join(strings.FieldsFunc(cells[1], text.IsSpace), "")}
			if status < len(cells) {
				task.Status = cells[status]
			}
			tasks = append(tasks, task)
		}
	}
	return tasks
}

// lines gives the lines of a text without their ends, which may be LF or CRLF.
func lines(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(s) {
			if !yield(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")) {
				return
			}
		}
	}
}

// taskFiles are the names of the files of the tasks that are numbered, whether
// they exist or not (spec 70 §6.1).
func taskFiles(tasks []Task) []string {
	var names []string
	for _, t := range tasks {
		if areDigits(t.ID) {
			names = append(names, taskFile(t.ID))
		}
	}
	return names
}

func taskFile(id string) string { return "task-" + id + ".md" }

// anotherPending tells whether a task other than current is still to be done
// (spec 70 §6.2).
func anotherPending(tasks []Task, current TaskID) bool {
	for _, t := range tasks {
		if (!current.Known || t.ID != current.Text) && strings.Contains(text.LowerASCII(t.Status), "pending") {
			return true
		}
	}
	return false
}
