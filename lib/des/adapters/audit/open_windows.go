package audit

import "os"

// openAppend opens or makes a file of the log.
func openAppend(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, Mode)
}
