// Program pulumi-resource-e2e is a provider of real Pulumi whose only resource, e2e:index:Thing, takes time, fails or hangs
// as its inputs say, and keeps a journal of what was done to it. See schema.json for the inputs.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials/insecure"
)

// maxMessage is what the engine itself takes at most, in bytes.
const maxMessage = 400 << 20

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pulumi-resource-e2e:", err)
		os.Exit(1)
	}
}

// run serves one engine, whose address is the last argument, until it interrupts us or is gone.
func run(arguments []string) error {
	if len(arguments) == 0 {
		return errors.New("expected the address of the engine; this program is started by pulumi")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	thing := newProvider()
	server := grpc.NewServer(grpc.MaxRecvMsgSize(maxMessage))
	pulumirpc.RegisterResourceProviderServer(server, thing)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	go func() {
		awaitEnd(ctx, arguments[len(arguments)-1])
		thing.stop()
		server.GracefulStop()
	}()
	// What the engine waits for.
	if _, err := fmt.Println(listener.Addr().(*net.TCPAddr).Port); err != nil {
		return err
	}
	return server.Serve(listener)
}

// awaitEnd returns when the context ends or the engine's own server does: a killed engine interrupts nobody.
func awaitEnd(ctx context.Context, engine string) {
	connection, err := grpc.NewClient(engine,
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithIdleTimeout(0))
	if err != nil {
		fmt.Fprintf(os.Stderr, "pulumi-resource-e2e: the engine's address %q: %v\n", engine, err)
		return
	}
	defer connection.Close()
	connection.Connect()
	for state := connectivity.Idle; connection.WaitForStateChange(ctx, state); {
		state = connection.GetState()
		if state != connectivity.Connecting && state != connectivity.Ready {
			return
		}
	}
}
