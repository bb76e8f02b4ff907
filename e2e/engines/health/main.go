// Program stack-health tells what the tools of a cluster make of a Stack. It reads JSON lines, each a whole Stack as the
// API server gives it, and answers each at once with one JSON line: what kstatus, Argo CD's built-in check and the check
// in the documentation of the Pulumi Kubernetes Operator say, or an error for a line that is no Kubernetes object.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// verdict is what one tool shows for a Stack.
type verdict struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

type verdicts struct {
	Kstatus  verdict `json:"kstatus"`
	Argo     verdict `json:"argo"`
	ArgoDocs verdict `json:"argoDocs"`
}

type refusal struct {
	Error string `json:"error"`
}

func main() {
	if err := answerLines(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "stack-health:", err)
		os.Exit(1)
	}
}

// answerLines gives one line for each line until in ends. Lines may be of any length.
func answerLines(in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	answers := json.NewEncoder(out)
	answers.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading: %w", err)
		}
		if len(line) > 0 {
			if err := answers.Encode(answer(line)); err != nil {
				return fmt.Errorf("answering: %w", err)
			}
		}
		if err != nil {
			return nil
		}
	}
}

func answer(line []byte) any {
	stack := &unstructured.Unstructured{}
	// Whole numbers become int64, as kstatus needs them.
	if err := stack.UnmarshalJSON(bytes.TrimSpace(line)); err != nil {
		return refusal{Error: err.Error()}
	}
	return verdicts{Kstatus: kstatus(stack), Argo: argo(stack), ArgoDocs: argoDocs(stack)}
}
