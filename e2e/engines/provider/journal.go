package main

import (
	"encoding/json"
	"os"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// journal is where one operation on one resource is recorded; without a path, nowhere. Many providers may share a file.
type journal struct {
	path      string
	operation string
	name      string
}

type entry struct {
	Operation string `json:"op"`
	Name      string `json:"name"`
	Phase     string `json:"phase"`
	Time      string `json:"time"`
	Process   int    `json:"pid"`
	Error     string `json:"error,omitempty"`
}

// write appends one line in one system call, so that lines of several processes never mix.
func (j journal) write(phase, failure string) error {
	if j.path == "" {
		return nil
	}
	line, err := json.Marshal(entry{
		Operation: j.operation, Name: j.name, Phase: phase,
		Time: time.Now().UTC().Format(time.RFC3339Nano), Process: os.Getpid(), Error: failure,
	})
	if err != nil {
		return status.Errorf(codes.FailedPrecondition, "journal: %v", err)
	}
	file, err := os.OpenFile(j.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return status.Errorf(codes.FailedPrecondition, "journal: %v", err)
	}
	_, err = file.Write(append(line, '\n'))
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return status.Errorf(codes.FailedPrecondition, "journal: %v", err)
	}
	return nil
}
