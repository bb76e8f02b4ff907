package main

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/sig"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/structpb"
)

// thing is what a resource asks for; an input that was left out is the zero value.
type thing struct {
	duration   time.Duration
	fail       string
	failDelete string
	hang       bool
	journal    string
}

// thingOf reads inputs that were checked before.
func thingOf(inputs *structpb.Struct) thing {
	fields := inputs.GetFields()
	return thing{
		duration:   time.Duration(fields["seconds"].GetNumberValue() * float64(time.Second)),
		fail:       fields["fail"].GetStringValue(),
		failDelete: fields["failDelete"].GetStringValue(),
		hang:       fields["hang"].GetBoolValue(),
		journal:    fields["journal"].GetStringValue(),
	}
}

// check names every input that is no input of a Thing or has a value that it cannot take.
func check(inputs *structpb.Struct) []*pulumirpc.CheckFailure {
	var failures []*pulumirpc.CheckFailure
	fields := inputs.GetFields()
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		// In a preview, what another resource will give is not known yet.
		if sig.IsUnknown(fields[name].GetStringValue()) {
			continue
		}
		if reason := refuse(name, fields[name]); reason != "" {
			failures = append(failures, &pulumirpc.CheckFailure{Property: name, Reason: reason})
		}
	}
	return failures
}

// refuse says why an input cannot have this value, or nothing.
func refuse(name string, value *structpb.Value) string {
	switch name {
	case "seconds":
		seconds, isNumber := value.GetKind().(*structpb.Value_NumberValue)
		if !isNumber || seconds.NumberValue < 0 || seconds.NumberValue > math.MaxInt32 {
			return fmt.Sprintf("seconds must be a number from 0 to %d", math.MaxInt32)
		}
	case "hang":
		if _, isBool := value.GetKind().(*structpb.Value_BoolValue); !isBool {
			return "hang must be true or false"
		}
	case "journal":
		if !filepath.IsAbs(value.GetStringValue()) {
			return "journal must be the absolute path of a file"
		}
	case "fail", "failDelete", "value":
		if _, isString := value.GetKind().(*structpb.Value_StringValue); !isString {
			return name + " must be a string"
		}
	default:
		return name + " is no input of a Thing: seconds, fail, failDelete, hang, value, journal"
	}
	return ""
}
