package main

import (
	"bytes"
	"encoding/json"
	"io"
)

// readObject reads a JSON object with exact integers of 64 bits, as Kubernetes reads objects.
func readObject(name, text string) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	var value map[string]any
	if err := decoder.Decode(&value); err != nil || value == nil {
		return nil, &fault{Code: inputInvalid, Message: name + " is not a JSON object"}
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, &fault{Code: inputInvalid, Message: name + " is more than one JSON object"}
	}
	return numbers(value).(map[string]any), nil
}

func numbers(value any) any {
	switch typed := value.(type) {
	case map[string]any:
		for key, each := range typed {
			typed[key] = numbers(each)
		}
	case []any:
		for i, each := range typed {
			typed[i] = numbers(each)
		}
	case json.Number:
		if integer, err := typed.Int64(); err == nil {
			return integer
		}
		float, _ := typed.Float64()
		return float
	}
	return value
}
