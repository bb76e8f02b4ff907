package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/sig"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"
)

func inputs(t *testing.T, values map[string]any) *structpb.Struct {
	t.Helper()
	s, err := structpb.NewStruct(values)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// entries are what a journal holds; a line that is not whole fails the test.
func entries(t *testing.T, path string) []entry {
	t.Helper()
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []entry
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var e entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		if _, err := time.Parse(time.RFC3339Nano, e.Time); err != nil || e.Process == 0 {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		all = append(all, e)
	}
	return all
}

// phases are the journal's lines as "operation name phase".
func phases(t *testing.T, path string) []string {
	t.Helper()
	var all []string
	for _, e := range entries(t, path) {
		all = append(all, e.Operation+" "+e.Name+" "+e.Phase)
	}
	return all
}

// awaitPhase waits until the journal holds a line as phases tells it.
func awaitPhase(t *testing.T, path, phase string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if slices.Contains(phases(t, path), phase) {
			return
		}
	}
	t.Fatalf("no %q in %v", phase, phases(t, path))
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %q, expected %q", got, want)
	}
}

func TestEachOperationIsJournaledAtItsBeginAndEnd(t *testing.T) {
	p, ctx := newProvider(), context.Background()
	path := filepath.Join(t.TempDir(), "journal")
	asked := inputs(t, map[string]any{"journal": path, "value": "v", "failDelete": "still in use"})
	created, err := p.Create(ctx, &pulumirpc.CreateRequest{Name: "a", Properties: asked})
	if err != nil || !strings.HasPrefix(created.GetId(), "a-") || created.GetProperties().GetFields()["value"].GetStringValue() != "v" {
		t.Fatalf("%v, %v", created, err)
	}
	wrong := inputs(t, map[string]any{"journal": path, "fail": "quota"})
	_, err = p.Update(ctx, &pulumirpc.UpdateRequest{Name: "a", News: wrong})
	if status.Code(err) != codes.FailedPrecondition || !strings.Contains(err.Error(), "quota") {
		t.Errorf("update: %v", err)
	}
	_, err = p.Delete(ctx, &pulumirpc.DeleteRequest{Name: "a", Properties: asked})
	if status.Code(err) != codes.FailedPrecondition || !strings.Contains(err.Error(), "still in use") {
		t.Errorf("delete: %v", err)
	}
	expect(t, phases(t, path), "create a begin", "create a end", "update a begin", "update a end", "delete a begin", "delete a end")
	if last := entries(t, path)[5]; last.Error != "still in use" {
		t.Errorf("%+v", last)
	}
}

func TestAnOperationTakesTheTimeItIsGiven(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	asked := inputs(t, map[string]any{"journal": path, "seconds": 0.25})
	if _, err := newProvider().Create(context.Background(), &pulumirpc.CreateRequest{Name: "a", Properties: asked}); err != nil {
		t.Fatal(err)
	}
	all := entries(t, path)
	begin, _ := time.Parse(time.RFC3339Nano, all[0].Time)
	end, _ := time.Parse(time.RFC3339Nano, all[1].Time)
	if end.Sub(begin) < 250*time.Millisecond {
		t.Errorf("took %v", end.Sub(begin))
	}
}

func TestAPreviewTouchesNothing(t *testing.T) {
	p, ctx := newProvider(), context.Background()
	path := filepath.Join(t.TempDir(), "journal")
	asked := inputs(t, map[string]any{"journal": path, "hang": true, "fail": "no"})
	if _, err := p.Create(ctx, &pulumirpc.CreateRequest{Name: "a", Properties: asked, Preview: true}); err != nil {
		t.Error(err)
	}
	if _, err := p.Update(ctx, &pulumirpc.UpdateRequest{Name: "a", News: asked, Preview: true}); err != nil {
		t.Error(err)
	}
	expect(t, phases(t, path))
}

func TestAHangingOperationEndsWhenTheEngineCancelsOrIsGone(t *testing.T) {
	for name, cancel := range map[string]func(*provider, context.CancelFunc){
		"cancels": func(p *provider, _ context.CancelFunc) { _, _ = p.Cancel(context.Background(), nil) },
		"is gone": func(_ *provider, hangUp context.CancelFunc) { hangUp() },
	} {
		t.Run(name, func(t *testing.T) {
			p := newProvider()
			path := filepath.Join(t.TempDir(), "journal")
			asked := inputs(t, map[string]any{"journal": path, "hang": true})
			ctx, hangUp := context.WithCancel(context.Background())
			defer hangUp()
			ended := make(chan error, 1)
			go func() {
				_, err := p.Create(ctx, &pulumirpc.CreateRequest{Name: "a", Properties: asked})
				ended <- err
			}()
			awaitPhase(t, path, "create a begin")
			cancel(p, hangUp)
			if err := <-ended; status.Code(err) != codes.Aborted {
				t.Error(err)
			}
			expect(t, phases(t, path), "create a begin", "create a cancelled")
		})
	}
}

func TestAJournalThatCannotBeWrittenFailsTheOperation(t *testing.T) {
	asked := inputs(t, map[string]any{"journal": filepath.Join(t.TempDir(), "absent", "journal")})
	_, err := newProvider().Create(context.Background(), &pulumirpc.CreateRequest{Name: "a", Properties: asked})
	if status.Code(err) != codes.FailedPrecondition || !strings.Contains(err.Error(), "journal") {
		t.Error(err)
	}
}

func TestInputsThatAThingCannotTakeAreNamed(t *testing.T) {
	asked := inputs(t, map[string]any{"seconds": "2", "hang": "yes", "value": 3, "journal": "here", "delay": 1, "fail": sig.UnknownStringValue})
	var refused []string
	for _, f := range check(asked) {
		refused = append(refused, f.GetProperty()+": "+f.GetReason())
	}
	expect(t, refused,
		"delay: delay is no input of a Thing: seconds, fail, failDelete, hang, value, journal",
		"hang: hang must be true or false",
		"journal: journal must be the absolute path of a file",
		"seconds: seconds must be a number from 0 to 2147483647",
		"value: value must be a string")
	good := map[string]any{"seconds": 0.5, "hang": false, "value": "", "journal": "/tmp/j", "fail": "", "failDelete": "x"}
	if failures := check(inputs(t, good)); len(failures) > 0 {
		t.Error(failures)
	}
}

func TestAnInputThatChangesComesOrGoesIsAnUpdate(t *testing.T) {
	olds := inputs(t, map[string]any{"same": "s", "gone": "g", "changed": "1"})
	news := inputs(t, map[string]any{"same": "s", "changed": "2", "new": "n"})
	diff, err := newProvider().Diff(context.Background(), &pulumirpc.DiffRequest{OldInputs: olds, News: news})
	if err != nil || diff.GetChanges() != pulumirpc.DiffResponse_DIFF_SOME || len(diff.GetReplaces()) > 0 {
		t.Errorf("%v, %v", diff, err)
	}
	expect(t, diff.GetDiffs(), "changed", "gone", "new")
	same, err := newProvider().Diff(context.Background(), &pulumirpc.DiffRequest{OldInputs: olds, News: olds})
	if err != nil || same.GetChanges() != pulumirpc.DiffResponse_DIFF_NONE {
		t.Errorf("%v, %v", same, err)
	}
}

func TestTheSchemaKnowsTheInputsThatAreChecked(t *testing.T) {
	var package_ struct {
		Version   string
		Resources map[string]struct {
			InputProperties map[string]struct{ Type string }
		}
	}
	if err := json.Unmarshal([]byte(schema), &package_); err != nil {
		t.Fatal(err)
	}
	if package_.Version != version {
		t.Errorf("version %s", package_.Version)
	}
	values := map[string]*structpb.Value{
		"string": structpb.NewStringValue("/text"), "number": structpb.NewNumberValue(1), "boolean": structpb.NewBoolValue(true),
	}
	known := package_.Resources["e2e:index:Thing"].InputProperties
	for name, property := range known {
		if reason := refuse(name, values[property.Type]); reason != "" {
			t.Errorf("%s of type %s: %s", name, property.Type, reason)
		}
	}
	if len(known) != 6 {
		t.Errorf("%d inputs", len(known))
	}
}
