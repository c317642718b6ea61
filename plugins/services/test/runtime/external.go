package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/pkg/errors"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/apis/core/v1alpha1"
	"github.com/crossplane/crossplane-runtime/pkg/meta"
	"github.com/crossplane/crossplane-runtime/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/pkg/resource"
)

type instance struct {
	Level    int
	Version  string
	State    string
	Password string // Empty: not reported by observations.
}

type failure struct{ op, prefix, message string }

// external is the external system: a map in memory, by external names. Suites steer it over HTTP.
type external struct {
	kube      client.Client
	mu        sync.Mutex
	instances map[string]*instance
	calls     []string
	failures  []failure
}

// called records a call that changes something or fails, in the words of the suites.
func (e *external) called(op, name string) error {
	for _, f := range e.failures {
		if f.op == op && strings.HasPrefix(name, f.prefix) {
			e.calls = append(e.calls, op+" "+name+": "+f.message)
			return errors.New(f.message)
		}
	}
	if op != "connect" && op != "observe" {
		e.calls = append(e.calls, op+" "+name)
	}
	return nil
}

func (e *external) Connect(ctx context.Context, mg resource.Managed) (managed.ExternalClient, error) {
	e.mu.Lock()
	err := e.called("connect", mg.GetName())
	e.mu.Unlock()
	if err != nil {
		return nil, err
	}
	p := &provider{}
	if err := e.kube.Get(ctx, types.NamespacedName{Name: mg.GetProviderReference().Name}, p); err != nil {
		return nil, errors.Wrap(err, "cannot get Provider")
	}
	ref := p.Spec.CredentialsSecretRef
	key := types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name}
	return e, errors.Wrap(e.kube.Get(ctx, key, &corev1.Secret{}), "cannot get Provider secret")
}

func (e *external) Observe(_ context.Context, mg resource.Managed) (managed.ExternalObservation, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, name := mg.(*database), meta.GetExternalName(mg)
	if err := e.called("observe", name); err != nil {
		return managed.ExternalObservation{}, err
	}
	i, ok := e.instances[name]
	if !ok {
		return managed.ExternalObservation{}, nil
	}
	d.Status.State = i.State
	if i.State == "ONLINE" {
		mg.SetConditions(v1alpha1.Available())
		resource.SetBindable(mg)
	} else {
		mg.SetConditions(v1alpha1.Unavailable())
	}
	details := managed.ConnectionDetails{"endpoint": []byte(name + ".example.org"), "username": []byte("root")}
	if i.Password != "" {
		details["password"] = []byte(i.Password)
	}
	upToDate := i.Level == d.Spec.ForProvider.FancinessLevel
	return managed.ExternalObservation{ResourceExists: true, ResourceUpToDate: upToDate, ConnectionDetails: details}, nil
}

func (e *external) Create(_ context.Context, mg resource.Managed) (managed.ExternalCreation, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	name := meta.GetExternalName(mg)
	mg.SetConditions(v1alpha1.Creating())
	if err := e.called("create", name); err != nil {
		return managed.ExternalCreation{}, err
	}
	p := mg.(*database).Spec.ForProvider
	i := &instance{Level: p.FancinessLevel, Version: text(p.Version), State: "ONLINE"}
	if i.Version == "" {
		i.Version = "2.3"
	}
	e.instances[name] = i
	return managed.ExternalCreation{ConnectionDetails: managed.ConnectionDetails{"password": []byte("created")}}, nil
}

func (e *external) Update(_ context.Context, mg resource.Managed) (managed.ExternalUpdate, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	name := meta.GetExternalName(mg)
	if err := e.called("update", name); err != nil {
		return managed.ExternalUpdate{}, err
	}
	e.instances[name].Level = mg.(*database).Spec.ForProvider.FancinessLevel
	return managed.ExternalUpdate{}, nil
}

func (e *external) Delete(_ context.Context, mg resource.Managed) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	name := meta.GetExternalName(mg)
	mg.SetConditions(v1alpha1.Deleting())
	if err := e.called("delete", name); err != nil {
		return err
	}
	delete(e.instances, name)
	return nil
}

// ServeHTTP takes a step: POST /OP?name=PREFIX&…; any request gets all calls and instances.
func (e *external) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	q := r.URL.Query()
	e.steer(strings.TrimPrefix(r.URL.Path, "/"), q.Get("name"), q.Get)
	must(json.NewEncoder(w).Encode(map[string]interface{}{"calls": append([]string{}, e.calls...), "instances": e.instances}))
}

func (e *external) steer(step, prefix string, get func(string) string) {
	switch step {
	case "fail":
		e.failures = append(e.failures, failure{get("on"), prefix, get("message")})
	case "heal":
		kept := []failure{}
		for _, f := range e.failures {
			if f.op != get("on") || f.prefix != prefix {
				kept = append(kept, f)
			}
		}
		e.failures = kept
	case "add":
		level, _ := strconv.Atoi(get("level"))
		e.instances[prefix] = &instance{Level: level, State: "ONLINE", Version: "2.3"}
	}
	for name, i := range e.instances {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		if step == "remove" {
			delete(e.instances, name)
		} else if step == "set" {
			i.set(get)
		}
	}
}

func (i *instance) set(get func(string) string) {
	if level := get("level"); level != "" {
		i.Level, _ = strconv.Atoi(level)
	}
	if state := get("state"); state != "" {
		i.State = state
	}
	if password := get("password"); password != "" {
		i.Password = password
	}
}

func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}
