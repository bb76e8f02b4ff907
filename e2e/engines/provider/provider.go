package main

import (
	"context"
	"crypto/rand"
	_ "embed"
	"maps"
	"slices"
	"time"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"
)

//go:embed schema.json
var schema string

const version = "0.1.0"

// provider answers one engine. Outputs are the inputs; the engine keeps secret ones secret by their names.
type provider struct {
	pulumirpc.UnimplementedResourceProviderServer
	stopped context.Context
	// stop ends every operation that runs or will be asked for, as cancelled.
	stop context.CancelFunc
}

func newProvider() *provider {
	stopped, stop := context.WithCancel(context.Background())
	return &provider{stopped: stopped, stop: stop}
}

func (p *provider) GetSchema(context.Context, *pulumirpc.GetSchemaRequest) (*pulumirpc.GetSchemaResponse, error) {
	return &pulumirpc.GetSchemaResponse{Schema: schema}, nil
}

func (p *provider) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: version}, nil
}

func (p *provider) CheckConfig(_ context.Context, r *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	return &pulumirpc.CheckResponse{Inputs: r.GetNews()}, nil
}

func (p *provider) DiffConfig(context.Context, *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	return &pulumirpc.DiffResponse{Changes: pulumirpc.DiffResponse_DIFF_NONE}, nil
}

func (p *provider) Configure(context.Context, *pulumirpc.ConfigureRequest) (*pulumirpc.ConfigureResponse, error) {
	return &pulumirpc.ConfigureResponse{SupportsPreview: true}, nil
}

func (p *provider) Check(_ context.Context, r *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	return &pulumirpc.CheckResponse{Inputs: r.GetNews(), Failures: check(r.GetNews())}, nil
}

// Diff makes an update of every changed input, and never a replacement.
func (p *provider) Diff(_ context.Context, r *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	olds, news := r.GetOldInputs().GetFields(), r.GetNews().GetFields()
	names := maps.Clone(news)
	if names == nil {
		names = map[string]*structpb.Value{}
	}
	maps.Copy(names, olds)
	diff := &pulumirpc.DiffResponse{Changes: pulumirpc.DiffResponse_DIFF_NONE}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !proto.Equal(olds[name], news[name]) {
			diff.Changes = pulumirpc.DiffResponse_DIFF_SOME
			diff.Diffs = append(diff.Diffs, name)
		}
	}
	return diff, nil
}

func (p *provider) Create(ctx context.Context, r *pulumirpc.CreateRequest) (*pulumirpc.CreateResponse, error) {
	if r.GetPreview() {
		return &pulumirpc.CreateResponse{Properties: r.GetProperties()}, nil
	}
	wanted := thingOf(r.GetProperties())
	if err := p.operate(ctx, operation{"create", r.GetName(), wanted, wanted.fail}); err != nil {
		return nil, err
	}
	id := r.GetName() + "-" + rand.Text()[:8]
	return &pulumirpc.CreateResponse{Id: id, Properties: r.GetProperties()}, nil
}

func (p *provider) Read(_ context.Context, r *pulumirpc.ReadRequest) (*pulumirpc.ReadResponse, error) {
	return &pulumirpc.ReadResponse{Id: r.GetId(), Properties: r.GetProperties(), Inputs: r.GetInputs()}, nil
}

func (p *provider) Update(ctx context.Context, r *pulumirpc.UpdateRequest) (*pulumirpc.UpdateResponse, error) {
	if r.GetPreview() {
		return &pulumirpc.UpdateResponse{Properties: r.GetNews()}, nil
	}
	wanted := thingOf(r.GetNews())
	if err := p.operate(ctx, operation{"update", r.GetName(), wanted, wanted.fail}); err != nil {
		return nil, err
	}
	return &pulumirpc.UpdateResponse{Properties: r.GetNews()}, nil
}

func (p *provider) Delete(ctx context.Context, r *pulumirpc.DeleteRequest) (*emptypb.Empty, error) {
	there := thingOf(r.GetProperties())
	return &emptypb.Empty{}, p.operate(ctx, operation{"delete", r.GetName(), there, there.failDelete})
}

func (p *provider) Cancel(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	p.stop()
	return &emptypb.Empty{}, nil
}

// operation is one thing done to one resource, and the message it ends with if it is to fail.
type operation struct {
	kind    string
	name    string
	thing   thing
	failure string
}

// operate takes as long as the thing says. It ends early when the engine cancels, hangs up or is gone. Its errors have
// codes that tell the engine that nothing is left half done, so only a killed engine leaves a pending operation.
func (p *provider) operate(ctx context.Context, o operation) error {
	journal := journal{path: o.thing.journal, operation: o.kind, name: o.name}
	if err := journal.write("begin", ""); err != nil {
		return err
	}
	var enough <-chan time.Time
	if !o.thing.hang {
		timer := time.NewTimer(o.thing.duration)
		defer timer.Stop()
		enough = timer.C
	}
	select {
	case <-enough:
	case <-ctx.Done():
		return p.cancelled(journal)
	case <-p.stopped.Done():
		return p.cancelled(journal)
	}
	if err := journal.write("end", o.failure); err != nil {
		return err
	}
	if o.failure != "" {
		return status.Error(codes.FailedPrecondition, o.failure)
	}
	return nil
}

func (p *provider) cancelled(journal journal) error {
	if err := journal.write("cancelled", ""); err != nil {
		return err
	}
	return status.Error(codes.Aborted, journal.operation+" of "+journal.name+" was cancelled")
}
