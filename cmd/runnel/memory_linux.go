package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// machineMemory is how much memory this process can hope for, in bytes: the
// machine's, or what its container is limited to.
func machineMemory() int64 {
	total := int64(8 << 30)
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) == nil {
		total = int64(info.Totalram) * int64(info.Unit)
	}
	if data, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64); err == nil && n > 0 {
			total = min(total, n)
		}
	}
	return total
}
