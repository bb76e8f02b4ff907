package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// what one Stack shows, and what each tool makes of it.
type row struct {
	name        string
	metadata    string
	status      string
	kstatus     string
	argo        string
	argoDocs    string
	argoTelling string
}

const upToDate = `"generation":2`

func conditions(list ...string) string {
	return `{"observedGeneration":2,"conditions":[` + strings.Join(list, ",") + `]}`
}

func condition(kind, status string) string {
	return fmt.Sprintf(`{"type":%q,"status":%q,"reason":"R","message":"%s is %s"}`, kind, status, kind, status)
}

func table() []row {
	inSync := conditions(condition("Ready", "True"))
	retrying := conditions(condition("Ready", "False"), condition("Reconciling", "True"))
	stalled := conditions(condition("Ready", "False"), condition("Stalled", "True"))
	return []row{
		{"in sync", upToDate, inSync, "Current", "Healthy", "Healthy", "Ready is True"},
		{"preparing, running or cooling down", upToDate, retrying, "InProgress", "Progressing", "Progressing", "Reconciling is True"},
		{"stalled", upToDate, stalled, "Failed", "Degraded", "Degraded", "Stalled is True"},
		{"in sync, then edited", `"generation":3`, inSync, "InProgress", "Progressing", "Healthy",
			"Waiting for the operator to observe the latest spec change"},
		{"stalled, then edited", `"generation":3`, stalled, "InProgress", "Progressing", "Degraded",
			"Waiting for the operator to observe the latest spec change"},
		{"an older generation still being finished", `"generation":3`, retrying, "InProgress", "Progressing", "Progressing",
			"Waiting for the operator to observe the latest spec change"},
		{"in sync, then deleted", `"generation":3,"deletionTimestamp":"2026-12-01T12:00:00Z"`, inSync,
			"Terminating", "Progressing", "Progressing", "Pending deletion"},
		{"neither ready nor said why", upToDate, conditions(condition("Ready", "False")), "InProgress", "Progressing",
			"Progressing", "Waiting for the stack to be reconciled"},
		{"two stories at once are told by the first", upToDate,
			conditions(condition("Stalled", "True"), condition("Reconciling", "True"), condition("Ready", "True")),
			"Failed", "Degraded", "Degraded", "Stalled is True"},
		{"ready before reconciling", upToDate, conditions(condition("Ready", "True"), condition("Reconciling", "True")),
			"InProgress", "Healthy", "Healthy", "Ready is True"},
		{"reconciling before stalled", upToDate, conditions(condition("Reconciling", "True"), condition("Stalled", "True")),
			"InProgress", "Progressing", "Progressing", "Reconciling is True"},
		{"new, without a status", `"generation":1`, ``, "Current", "Progressing", "Progressing",
			"Waiting for the operator to observe the latest spec change"},
		{"observed nothing", `"generation":1`, `{"conditions":[` + condition("Ready", "True") + `]}`, "Current",
			"Progressing", "Healthy", "Waiting for the operator to observe the latest spec change"},
		{"a generation that is no number", `"generation":"two"`, inSync, "Unknown", "Progressing", "Healthy",
			"Waiting for the operator to observe the latest spec change"},
		{"conditions that are no list", upToDate, `{"observedGeneration":2,"conditions":"none"}`, "Unknown", "Unknown",
			"Unknown", `.status.conditions accessor error`},
	}
}

func (r row) line() string {
	status := ""
	if r.status != "" {
		status = `,"status":` + r.status
	}
	return fmt.Sprintf(`{"apiVersion":"pulumi.com/v1","kind":"Stack","metadata":{"name":"app",%s},"spec":{}%s}`,
		r.metadata, status)
}

func TestEachToolJudgesAStackByItsOwnRule(t *testing.T) {
	for _, r := range table() {
		t.Run(r.name, func(t *testing.T) {
			got, judged := answer([]byte(r.line())).(verdicts)
			if !judged {
				t.Fatalf("refused: %s", r.line())
			}
			if got.Kstatus.Status != r.kstatus {
				t.Errorf("kstatus: %+v, expected %s", got.Kstatus, r.kstatus)
			}
			if got.Argo.Status != r.argo || !strings.HasPrefix(got.Argo.Message, r.argoTelling) {
				t.Errorf("argo: %+v, expected %s %q", got.Argo, r.argo, r.argoTelling)
			}
			if got.ArgoDocs.Status != r.argoDocs {
				t.Errorf("argoDocs: %+v, expected %s", got.ArgoDocs, r.argoDocs)
			}
		})
	}
}

func TestEachLineIsAnsweredAtOnceAlsoAfterABrokenOne(t *testing.T) {
	questions, ask := io.Pipe()
	listen, answers := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- answerLines(questions, answers) }()
	told := json.NewDecoder(listen)

	good := table()[0].line()
	large := strings.Replace(good, `"spec":{}`, `"spec":{"text":"`+strings.Repeat("x", 2<<20)+`"}`, 1)
	for _, c := range []struct{ line, field string }{
		{good, "argo"}, {`{"kind":`, "error"}, {``, "error"}, {`{"metadata":{}}`, "error"}, {large, "kstatus"}, {good, "argoDocs"},
	} {
		if _, err := io.WriteString(ask, c.line+"\n"); err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := told.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if _, has := got[c.field]; !has {
			t.Errorf("%.60s: no %s in %v", c.line, c.field, got)
		}
	}
	if err := ask.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
