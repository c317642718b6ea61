// Reads constraints and tags as both versions of Masterminds' semver do, so that tests can compare. Standard input is a
// JSON list of questions; standard output gets a JSON list of answers, one for each question.
package main

import (
	"encoding/json"
	"os"
	"strings"

	v1 "github.com/Masterminds/semver"
	v3 "github.com/Masterminds/semver/v3"
)

type question struct{ Constraint, Tag, Other string }

// An answer of one version of the library. Order compares Tag with Other; nil fields: a text is not valid.
type answer struct {
	Candidate bool  `json:"candidate"`
	Order     *int  `json:"order"`
	Parses    bool  `json:"parses"`
	Satisfied *bool `json:"satisfied"`
}

func main() {
	var questions []question
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		panic(err)
	}
	answers := make([]map[string]answer, len(questions))
	for i, q := range questions {
		answers[i] = map[string]answer{"v1": answerV1(q), "v3": answerV3(q)}
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		panic(err)
	}
}

func answerV1(q question) answer {
	var a answer
	version, err := v1.NewVersion(q.Tag)
	other, otherErr := v1.NewVersion(q.Other)
	if err == nil {
		a.Candidate = version.String() == strings.TrimPrefix(version.Original(), "v")
	}
	if err == nil && otherErr == nil {
		order := version.Compare(other)
		a.Order = &order
	}
	constraint, constraintErr := v1.NewConstraint(q.Constraint)
	a.Parses = constraintErr == nil
	if err == nil && a.Parses {
		satisfied := constraint.Check(version)
		a.Satisfied = &satisfied
	}
	return a
}

func answerV3(q question) answer {
	var a answer
	version, err := v3.NewVersion(q.Tag)
	other, otherErr := v3.NewVersion(q.Other)
	if err == nil {
		a.Candidate = version.String() == strings.TrimPrefix(version.Original(), "v")
	}
	if err == nil && otherErr == nil {
		order := version.Compare(other)
		a.Order = &order
	}
	constraint, constraintErr := v3.NewConstraint(q.Constraint)
	a.Parses = constraintErr == nil
	if err == nil && a.Parses {
		satisfied := constraint.Check(version)
		a.Satisfied = &satisfied
	}
	return a
}
