// Runs the five reconcilers of crossplane-runtime v0.9.0, unmodified, for the kinds of the Services Developer Guide. With
// SERVED_BY, they serve only objects whose label "served-by" has this value, so that another realization can serve the
// others of the same cluster. Environment: KUBECONFIG, CONTROL (the address of the external system), SHORT and LONG (seconds
// between passes over managed resources).
package main

import (
	"context"
	"net/http"
	"os"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/crossplane/crossplane-runtime/apis/core/v1alpha1"
	"github.com/crossplane/crossplane-runtime/pkg/event"
	"github.com/crossplane/crossplane-runtime/pkg/reconciler/claimbinding"
	"github.com/crossplane/crossplane-runtime/pkg/reconciler/claimdefaulting"
	"github.com/crossplane/crossplane-runtime/pkg/reconciler/claimscheduling"
	"github.com/crossplane/crossplane-runtime/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/pkg/reconciler/secret"
	"github.com/crossplane/crossplane-runtime/pkg/resource"
)

const servedBy = "served-by"

// The names of the controllers, as the guide has them.
const (
	managedName = "favouritedbinstance.fcp.example.org"
	claimName   = "fancysqlinstance." + managedName
)

var (
	ck = resource.ClaimKind(claimKind)
	lk = resource.ClassKind(classKind)
	mk = resource.ManagedKind(managedKind)
)

func main() {
	cfg, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	must(err)
	cfg.QPS, cfg.Burst = 200, 400
	mgr, err := ctrl.NewManager(cfg, ctrl.Options{Scheme: newScheme(), MetricsBindAddress: "0"})
	must(err)
	e := &external{kube: mgr.GetClient(), instances: map[string]*instance{}}
	isServed, isOfServed := servedPredicates(mgr)
	addManaged(mgr, e, isServed)
	addClaims(mgr, isServed)
	addSecrets(mgr, isOfServed)
	go func() { must(http.ListenAndServe(os.Getenv("CONTROL"), e)) }()
	must(mgr.Start(ctrl.SetupSignalHandler()))
}

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	must(scheme.AddToScheme(s))
	s.AddKnownTypeWithName(claimKind, &claim{})
	s.AddKnownTypeWithName(claimGroup.WithKind(claimKind.Kind+"List"), &claimList{})
	s.AddKnownTypeWithName(managedKind, &database{})
	s.AddKnownTypeWithName(managedGroup.WithKind(managedKind.Kind+"List"), &databaseList{})
	s.AddKnownTypeWithName(classKind, &class{})
	s.AddKnownTypeWithName(managedGroup.WithKind(classKind.Kind+"List"), &classList{})
	s.AddKnownTypeWithName(providerKind, &provider{})
	s.AddKnownTypeWithName(managedGroup.WithKind(providerKind.Kind+"List"), &providerList{})
	metav1.AddToGroupVersion(s, claimGroup)
	metav1.AddToGroupVersion(s, managedGroup)
	return s
}

// servedPredicates returns those for objects with the label, and for secrets that such objects control.
func servedPredicates(mgr ctrl.Manager) (isServed, isOfServed resource.PredicateFn) {
	wanted := os.Getenv("SERVED_BY")
	isServed = func(o runtime.Object) bool {
		object, ok := o.(metav1.Object)
		return wanted == "" || ok && object.GetLabels()[servedBy] == wanted
	}
	isOfServed = func(o runtime.Object) bool {
		if wanted == "" {
			return true
		}
		s, ok := o.(*corev1.Secret)
		if !ok {
			return false
		}
		owner := metav1.GetControllerOf(s)
		if owner == nil {
			return false
		}
		key, object := types.NamespacedName{Name: owner.Name}, runtime.Object(&database{})
		if owner.Kind == claimKind.Kind {
			key.Namespace, object = s.Namespace, &claim{}
		}
		return mgr.GetClient().Get(context.Background(), key, object) == nil && isServed(object)
	}
	return isServed, isOfServed
}

func addManaged(mgr ctrl.Manager, e *external, isServed resource.PredicateFn) {
	reconciler := managed.NewReconciler(mgr, mk,
		managed.WithExternalConnecter(e),
		managed.WithShortWait(seconds("SHORT", 30)),
		managed.WithLongWait(seconds("LONG", 60)),
		managed.WithRecorder(recorder(mgr, managedName)))
	must(ctrl.NewControllerManagedBy(mgr).Named(managedName).For(&database{}).WithOptions(workers).
		WithEventFilter(resource.NewPredicates(isServed)).Complete(reconciler))
}

func addClaims(mgr ctrl.Manager, isServed resource.PredicateFn) {
	name := "scheduler." + claimName
	must(ctrl.NewControllerManagedBy(mgr).Named(name).For(&claim{}).WithOptions(workers).
		WithEventFilter(resource.NewPredicates(resource.AllOf(isServed, resource.HasClassSelector(), resource.HasNoClassReference(), resource.HasNoManagedResourceReference()))).
		Complete(claimscheduling.NewReconciler(mgr, ck, lk, claimscheduling.WithRecorder(recorder(mgr, name)))))
	name = "defaulter." + claimName
	must(ctrl.NewControllerManagedBy(mgr).Named(name).For(&claim{}).WithOptions(workers).
		WithEventFilter(resource.NewPredicates(resource.AllOf(isServed, resource.HasNoClassSelector(), resource.HasNoClassReference(), resource.HasNoManagedResourceReference()))).
		Complete(claimdefaulting.NewReconciler(mgr, ck, lk, claimdefaulting.WithRecorder(recorder(mgr, name)))))
	isOurs := resource.AnyOf(resource.HasClassReferenceKind(lk), resource.HasManagedResourceReferenceKind(mk), resource.IsManagedKind(mk, mgr.GetScheme()))
	must(ctrl.NewControllerManagedBy(mgr).Named(claimName).
		Watches(&source.Kind{Type: &database{}}, &resource.EnqueueRequestForClaim{}).For(&claim{}).WithOptions(workers).
		WithEventFilter(resource.NewPredicates(resource.AllOf(isServed, isOurs))).
		Complete(claimbinding.NewReconciler(mgr, ck, lk, mk,
			claimbinding.WithRecorder(recorder(mgr, claimName)),
			claimbinding.WithManagedConfigurators(
				claimbinding.ManagedConfiguratorFn(configure),
				claimbinding.ManagedConfiguratorFn(claimbinding.ConfigureReclaimPolicy),
				claimbinding.ManagedConfiguratorFn(claimbinding.ConfigureNames)))))
}

func addSecrets(mgr ctrl.Manager, isOfServed resource.PredicateFn) {
	name := "connectionsecret." + managedName
	isOurs := resource.AnyOf(
		resource.AllOf(resource.IsControlledByKind(claimKind), resource.IsPropagated()),
		resource.AllOf(resource.IsControlledByKind(managedKind), resource.IsPropagator()))
	must(ctrl.NewControllerManagedBy(mgr).Named(name).
		Watches(&source.Kind{Type: &corev1.Secret{}}, &resource.EnqueueRequestForPropagated{}).For(&corev1.Secret{}).WithOptions(workers).
		WithEventFilter(resource.NewPredicates(resource.AllOf(isOfServed, isOurs))).
		Complete(secret.NewReconciler(mgr, secret.WithRecorder(recorder(mgr, name)))))
}

// configure does what the guide shows. A managed resource gets the labels of its claim.
func configure(_ context.Context, cm resource.Claim, cs resource.Class, mg resource.Managed) error {
	c, d := cs.(*class), mg.(*database)
	version, err := resource.ResolveClassClaimValues(text(c.SpecTemplate.ForProvider.Version), text(cm.(*claim).Spec.Version))
	if err != nil {
		return err
	}
	d.Spec.ForProvider = c.SpecTemplate.ForProvider
	if version != "" {
		d.Spec.ForProvider.Version = &version
	}
	d.Spec.ProviderReference = c.SpecTemplate.ProviderReference
	d.Spec.ReclaimPolicy = c.SpecTemplate.ReclaimPolicy
	d.Spec.WriteConnectionSecretToReference = &v1alpha1.SecretReference{
		Namespace: c.SpecTemplate.WriteConnectionSecretsToNamespace,
		Name:      string(cm.GetUID()),
	}
	d.SetLabels(cm.GetLabels())
	return nil
}

var workers = controller.Options{MaxConcurrentReconciles: 8}

func recorder(mgr ctrl.Manager, name string) event.Recorder {
	return event.NewAPIRecorder(mgr.GetEventRecorderFor(name))
}

func seconds(name string, otherwise int) time.Duration {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		otherwise = n
	}
	return time.Duration(otherwise) * time.Second
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
