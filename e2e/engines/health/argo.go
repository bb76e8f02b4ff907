package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// The two rules of Argo CD are restated here, not run: the real ones are Lua inside Argo CD. The first release with a
// built-in check of Stacks, 3.6.0, needs a later Go than the other engines and is a module of 58 MB.

const (
	healthy     = "Healthy"
	progressing = "Progressing"
	degraded    = "Degraded"
	unknown     = "Unknown"
)

// argo restates the check that Argo CD 3.6 has built in: nothing counts before the latest generation was observed, then
// the first true condition in list order does.
func argo(stack *unstructured.Unstructured) verdict {
	if stack.GetDeletionTimestamp() != nil {
		// Argo CD asks no health check about what is being deleted.
		return verdict{Status: progressing, Message: "Pending deletion"}
	}
	generation, _, err := unstructured.NestedFieldNoCopy(stack.Object, "metadata", "generation")
	if err != nil {
		return verdict{Status: unknown, Message: err.Error()}
	}
	observed, _, err := unstructured.NestedFieldNoCopy(stack.Object, "status", "observedGeneration")
	if err != nil {
		return verdict{Status: unknown, Message: err.Error()}
	}
	if _, shown := stack.Object["status"]; !shown || observed != generation {
		return verdict{Status: progressing, Message: "Waiting for the operator to observe the latest spec change"}
	}
	return firstTrue(stack)
}

// argoDocs restates the check that the Pulumi Kubernetes Operator's documentation gives to users of an older Argo CD. It
// knows no generation, so what was true of an older one still counts.
func argoDocs(stack *unstructured.Unstructured) verdict {
	if stack.GetDeletionTimestamp() != nil {
		return verdict{Status: progressing, Message: "Pending deletion"}
	}
	return firstTrue(stack)
}

// firstTrue judges by the first condition in list order that is true and of a type that has a meaning.
func firstTrue(stack *unstructured.Unstructured) verdict {
	conditions, _, err := unstructured.NestedSlice(stack.Object, "status", "conditions")
	if err != nil {
		return verdict{Status: unknown, Message: err.Error()}
	}
	meaning := map[string]string{"Stalled": degraded, "Reconciling": progressing, "Ready": healthy}
	for i, entry := range conditions {
		condition, isObject := entry.(map[string]any)
		if !isObject {
			return verdict{Status: unknown, Message: fmt.Sprintf("status.conditions[%d] is no object", i)}
		}
		kind, _ := condition["type"].(string)
		if health, counts := meaning[kind]; counts && condition["status"] == "True" {
			message, _ := condition["message"].(string)
			return verdict{Status: health, Message: message}
		}
	}
	return verdict{Status: progressing, Message: "Waiting for the stack to be reconciled"}
}
