package main

import (
	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// kstatus is computed by kstatus itself, in the module that Flux maintains and uses. An object that it cannot judge is
// Unknown, as the pollers built on it report one.
func kstatus(stack *unstructured.Unstructured) verdict {
	result, err := status.Compute(stack)
	if err != nil {
		return verdict{Status: string(status.UnknownStatus), Message: err.Error()}
	}
	return verdict{Status: string(result.Status), Message: result.Message}
}
