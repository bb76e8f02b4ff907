package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// project is a Pulumi YAML program of two Things, run by the real CLI with a backend of files, offline.
type project struct {
	t       *testing.T
	pulumi  string
	folder  string
	journal string
	env     []string
}

func newProject(t *testing.T) project {
	engines := os.Getenv("REPRISE_ENGINES")
	if engines == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		engines = filepath.Join(cache, "reprise", "engines")
	}
	bin := filepath.Join(engines, "bin")
	for _, program := range []string{"pulumi", "pulumi-language-yaml"} {
		if _, err := os.Stat(filepath.Join(bin, program)); err != nil {
			t.Skipf("build %s with e2e/engines/build first: %v", program, err)
		}
	}
	p := project{t: t, pulumi: filepath.Join(bin, "pulumi"), folder: t.TempDir(), journal: filepath.Join(t.TempDir(), "journal")}
	plugin, state := t.TempDir(), t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(plugin, "pulumi-resource-e2e"), ".")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	program := fmt.Sprintf(`name: things
runtime: yaml
plugins:
  providers:
    - name: e2e
      path: %s
config:
  text: {type: string, default: ""}
  fail: {type: string, default: ""}
  hang: {type: boolean, default: false}
resources:
  first:
    type: e2e:Thing
    properties: {value: "${text}", fail: "${fail}", hang: "${hang}", journal: %s}
  second:
    type: e2e:index:Thing
    properties: {value: "after ${first.id}", journal: %s}
outputs:
  text: ${first.value}
  plain: ${second.value}
`, plugin, p.journal, p.journal)
	if err := os.WriteFile(filepath.Join(p.folder, "Pulumi.yaml"), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	p.env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "PULUMI_BACKEND_URL=file://"+state,
		"PULUMI_CONFIG_PASSPHRASE=x", "PULUMI_SKIP_UPDATE_CHECK=true", "PULUMI_HOME="+t.TempDir())
	p.succeed("stack", "init", "dev")
	return p
}

func (p project) command(arguments ...string) *exec.Cmd {
	command := exec.Command(p.pulumi, append(arguments, "--non-interactive")...)
	command.Dir, command.Env = p.folder, p.env
	return command
}

func (p project) succeed(arguments ...string) string {
	p.t.Helper()
	said, err := p.command(arguments...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("pulumi %v: %v\n%s", arguments, err, said)
	}
	return string(said)
}

func (p project) fail(arguments ...string) string {
	p.t.Helper()
	said, err := p.command(arguments...).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		p.t.Fatalf("pulumi %v: %v\n%s", arguments, err, said)
	}
	return string(said)
}

// hangs starts an up whose first resource is being created and will not end.
func (p project) hangs() *exec.Cmd {
	p.t.Helper()
	p.succeed("config", "set", "hang", "true")
	up := p.command("up", "--yes", "--skip-preview")
	if err := up.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = up.Process.Kill() })
	awaitPhase(p.t, p.journal, "create first begin")
	return up
}

func (p project) pending() int {
	p.t.Helper()
	var state struct {
		Deployment struct {
			Pending []json.RawMessage `json:"pending_operations"`
		}
	}
	if err := json.Unmarshal([]byte(p.succeed("stack", "export")), &state); err != nil {
		p.t.Fatal(err)
	}
	return len(state.Deployment.Pending)
}

func contains(t *testing.T, said, part string) {
	t.Helper()
	if !strings.Contains(said, part) {
		t.Errorf("no %q in: %s", part, said)
	}
}

func TestPulumiPreviewsCreatesUpdatesAndDestroysAThing(t *testing.T) {
	p := newProject(t)
	p.succeed("config", "set", "--secret", "text", "s3cret")
	contains(t, p.succeed("preview"), "3 to create")
	expect(t, phases(t, p.journal))

	p.succeed("up", "--yes", "--skip-preview")
	expect(t, phases(t, p.journal), "create first begin", "create first end", "create second begin", "create second end")
	var outputs map[string]string
	if err := json.Unmarshal([]byte(p.succeed("stack", "output", "--json")), &outputs); err != nil {
		t.Fatal(err)
	}
	if outputs["text"] != "[secret]" || !strings.HasPrefix(outputs["plain"], "after first-") {
		t.Error(outputs)
	}
	contains(t, p.succeed("stack", "output", "text", "--show-secrets"), "s3cret")
	contains(t, p.succeed("up", "--yes", "--skip-preview"), "3 unchanged")

	p.succeed("config", "set", "fail", "the quota is used up")
	contains(t, p.fail("up", "--yes", "--skip-preview"), "the quota is used up")
	if pending := p.pending(); pending != 0 {
		t.Errorf("%d pending operations after a plain failure", pending)
	}
	p.succeed("config", "rm", "fail")
	p.succeed("destroy", "--yes", "--skip-preview")
	expect(t, phases(t, p.journal)[4:], "update first begin", "update first end",
		"delete second begin", "delete second end", "delete first begin", "delete first end")
}

func TestAnInterruptedPulumiLeavesNothingPending(t *testing.T) {
	p := newProject(t)
	up := p.hangs()
	if err := up.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := up.Wait(); err == nil {
		t.Error("the interrupted up succeeded")
	}
	expect(t, phases(t, p.journal), "create first begin", "create first cancelled")
	if pending := p.pending(); pending != 0 {
		t.Errorf("%d pending operations", pending)
	}
}

func TestAKilledPulumiLeavesItsLockAndAPendingOperation(t *testing.T) {
	p := newProject(t)
	up := p.hangs()
	if err := up.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = up.Wait()
	awaitPhase(t, p.journal, "create first cancelled")
	awaitGone(t, entries(t, p.journal)[0].Process)
	if pending := p.pending(); pending != 1 {
		t.Errorf("%d pending operations", pending)
	}
	p.succeed("config", "set", "hang", "false")
	contains(t, p.fail("up", "--yes", "--skip-preview"), "currently locked")
	p.succeed("cancel", "--yes")
	// Pulumi warns of it and goes on.
	contains(t, p.succeed("up", "--yes", "--skip-preview"), "first, interrupted while creating")
}

// awaitGone waits for the end of a provider whose engine was killed.
func awaitGone(t *testing.T, process int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if errors.Is(syscall.Kill(process, 0), syscall.ESRCH) {
			return
		}
	}
	t.Fatalf("process %d is still there", process)
}
