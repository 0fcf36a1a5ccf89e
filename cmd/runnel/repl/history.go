package repl

import (
	"os"
	"path/filepath"
	"runtime"
)

// maxHistory is how many entries outlive a session.
const maxHistory = 1000

// historyFile is where entries are kept for later sessions: in the folder for
// state of the user's programs, or in the file that RUNNEL_HISTORY names; "" when
// that is empty or off.
func historyFile() string {
	if path, ok := os.LookupEnv("RUNNEL_HISTORY"); ok {
		if path == "off" {
			return ""
		}
		return expandHome(path)
	}
	return stateFile("history")
}

// stateFile is a file in the folder for state, "" when there is no such folder.
func stateFile(name string) string {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "runnel", name)
	}
	if runtime.GOOS == "windows" {
		if dir, err := os.UserCacheDir(); err == nil {
			return filepath.Join(dir, "runnel", name)
		}
		return ""
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "state", "runnel", name)
}
