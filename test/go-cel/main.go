// Evaluates expressions of CEL as Kubernetes does, with its library for strings, so that tests can compare. Standard input
// is a JSON object with variables and expressions; standard output gets a JSON list of results, one for each expression.
package main

import (
	"encoding/json"
	"os"
	"reflect"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	"google.golang.org/protobuf/types/known/structpb"
)

type question struct {
	Variables   map[string]any
	Expressions []string
}

// A result has a value in JSON, or says at which stage it failed.
type result struct {
	Value any    `json:"value"`
	Error string `json:"error,omitempty"`
	Text  string `json:"text,omitempty"`
}

func main() {
	var q question
	if err := json.NewDecoder(os.Stdin).Decode(&q); err != nil {
		panic(err)
	}
	options := []cel.EnvOption{ext.Strings(ext.StringsVersion(2)), cel.CrossTypeNumericComparisons(true)}
	for name, value := range q.Variables {
		kind := cel.MapType(cel.StringType, cel.DynType)
		if reflect.TypeOf(value).Kind() == reflect.Slice {
			kind = cel.ListType(cel.DynType)
		}
		options = append(options, cel.Variable(name, kind))
	}
	env, err := cel.NewEnv(options...)
	if err != nil {
		panic(err)
	}
	results := make([]result, len(q.Expressions))
	for i, expression := range q.Expressions {
		results[i] = evaluate(env, expression, integers(q.Variables).(map[string]any))
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		panic(err)
	}
}

func evaluate(env *cel.Env, expression string, variables map[string]any) result {
	ast, issues := env.Compile(expression)
	if issues.Err() != nil {
		return result{Error: "compile", Text: issues.Err().Error()}
	}
	program, err := env.Program(ast)
	if err != nil {
		return result{Error: "compile", Text: err.Error()}
	}
	value, _, err := program.Eval(variables)
	if err != nil {
		return result{Error: "evaluate", Text: err.Error()}
	}
	native, err := value.ConvertToNative(reflect.TypeOf(&structpb.Value{}))
	if err != nil {
		return result{Error: "evaluate", Text: err.Error()}
	}
	return result{Value: native.(*structpb.Value).AsInterface()}
}

// Numbers without a fraction are integers, as Kubernetes gives them to rules.
func integers(value any) any {
	switch v := value.(type) {
	case map[string]any:
		copied := map[string]any{}
		for key, inner := range v {
			copied[key] = integers(inner)
		}
		return copied
	case []any:
		copied := make([]any, len(v))
		for i, inner := range v {
			copied[i] = integers(inner)
		}
		return copied
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	}
	return value
}
