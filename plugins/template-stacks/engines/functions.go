package main

import (
	"sort"
	"text/template"
	"time"
)

// rejected names the functions that would return another value at each call or on each machine, and why.
var rejected = map[string]string{
	"randAlphaNum": "random", "randAlpha": "random", "randAscii": "random", "randNumeric": "random",
	"randBytes": "random", "randInt": "random", "shuffle": "random", "uuidv4": "random",
	"bcrypt": "random", "htpasswd": "random", "encryptAES": "random", "genPrivateKey": "random",
	"genCA": "random", "genCAWithKey": "random", "genSelfSignedCert": "random",
	"genSelfSignedCertWithKey": "random", "genSignedCert": "random", "genSignedCertWithKey": "random",
	"now": "time", "ago": "time", "getHostByName": "network", "env": "environment", "expandenv": "environment",
}

var reasons = map[string]string{
	"random":      "it returns another value at each call",
	"time":        "its value depends on the time",
	"network":     "it asks the network",
	"environment": "it reads the environment",
}

// restrict replaces the functions whose results are not determined by their arguments.
func restrict(functions template.FuncMap) {
	for name, reason := range rejected {
		functions[name] = rejection(name, reason)
	}
	functions["keys"] = sortedKeys
	functions["values"] = sortedValues
	needTime(functions)
}

func rejection(name, reason string) func(...any) (string, error) {
	return func(...any) (string, error) {
		return "", &fault{
			Code:     packageInvalid,
			Message:  `function "` + name + `" is not allowed: ` + reasons[reason],
			Function: name,
		}
	}
}

// needTime makes the functions of dates reject what is no time: sprig would format the present time instead.
func needTime(functions template.FuncMap) {
	of := func(name string, value any, result func() string) (string, error) {
		switch value.(type) {
		case time.Time, *time.Time, int64, int, int32:
			return result(), nil
		}
		return rejection(name, "time")()
	}
	zoned := functions["dateInZone"].(func(string, any, string) string)
	for _, name := range []string{"date", "htmlDate", "dateInZone", "date_in_zone", "htmlDateInZone"} {
		switch name {
		case "date":
			functions[name] = func(layout string, value any) (string, error) {
				return of(name, value, func() string { return zoned(layout, value, "UTC") })
			}
		case "htmlDate":
			functions[name] = func(value any) (string, error) {
				return of(name, value, func() string { return zoned("2006-01-02", value, "UTC") })
			}
		case "htmlDateInZone":
			functions[name] = func(value any, zone string) (string, error) {
				return of(name, value, func() string { return zoned("2006-01-02", value, zone) })
			}
		default:
			functions[name] = func(layout string, value any, zone string) (string, error) {
				return of(name, value, func() string { return zoned(layout, value, zone) })
			}
		}
	}
	round := functions["durationRound"].(func(any) string)
	functions["durationRound"] = func(value any) (string, error) {
		if _, isTime := value.(time.Time); isTime {
			return rejection("durationRound", "time")()
		}
		return round(value), nil
	}
}

// sortedKeys replaces sprig's keys, whose order is random.
func sortedKeys(maps ...map[string]any) []string {
	keys := []string{}
	for _, each := range maps {
		first := len(keys)
		for key := range each {
			keys = append(keys, key)
		}
		sort.Strings(keys[first:])
	}
	return keys
}

// sortedValues replaces sprig's values, whose order is random.
func sortedValues(all map[string]any) []any {
	values := []any{}
	for _, key := range sortedKeys(all) {
		values = append(values, all[key])
	}
	return values
}
