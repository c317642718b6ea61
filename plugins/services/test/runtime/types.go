package main

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crossplane/crossplane-runtime/apis/core/v1alpha1"
)

// The kinds of the Services Developer Guide, with the fields that the suites set.
var (
	claimGroup   = schema.GroupVersion{Group: "database.example.org", Version: "v1alpha1"}
	managedGroup = schema.GroupVersion{Group: "fcp.example.org", Version: "v1alpha3"}
	claimKind    = claimGroup.WithKind("FancySQLInstance")
	managedKind  = managedGroup.WithKind("FavouriteDBInstance")
	classKind    = managedGroup.WithKind("FavouriteDBInstanceClass")
	providerKind = managedGroup.WithKind("Provider")
)

type parameters struct {
	FancinessLevel int     `json:"fancinessLevel"`
	Version        *string `json:"version,omitempty"`
}

type managedSpec struct {
	v1alpha1.ResourceSpec `json:",inline"`
	ForProvider           parameters `json:"forProvider"`
}

type managedStatus struct {
	v1alpha1.ResourceStatus `json:",inline"`
	State                   string `json:"state,omitempty"`
}

type database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              managedSpec   `json:"spec,omitempty"`
	Status            managedStatus `json:"status,omitempty"`
}

type classTemplate struct {
	v1alpha1.ClassSpecTemplate `json:",inline"`
	ForProvider                parameters `json:"forProvider"`
}

type class struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	SpecTemplate      classTemplate `json:"specTemplate,omitempty"`
}

type claimSpec struct {
	v1alpha1.ResourceClaimSpec `json:",inline"`
	Version                    *string `json:"version,omitempty"`
}

type claim struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              claimSpec                    `json:"spec,omitempty"`
	Status            v1alpha1.ResourceClaimStatus `json:"status,omitempty"`
}

type provider struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              v1alpha1.ProviderSpec `json:"spec,omitempty"`
}

type databaseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []database `json:"items"`
}

type classList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []class `json:"items"`
}

type claimList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []claim `json:"items"`
}

type providerList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []provider `json:"items"`
}

func (d *database) DeepCopyObject() runtime.Object {
	o := *d
	o.ObjectMeta = *d.ObjectMeta.DeepCopy()
	o.Spec.ResourceSpec = *d.Spec.ResourceSpec.DeepCopy()
	o.Status.ResourceStatus = *d.Status.ResourceStatus.DeepCopy()
	return &o
}

func (c *class) DeepCopyObject() runtime.Object {
	o := *c
	o.ObjectMeta = *c.ObjectMeta.DeepCopy()
	o.SpecTemplate.ClassSpecTemplate = *c.SpecTemplate.ClassSpecTemplate.DeepCopy()
	return &o
}

func (c *claim) DeepCopyObject() runtime.Object {
	o := *c
	o.ObjectMeta = *c.ObjectMeta.DeepCopy()
	o.Spec.ResourceClaimSpec = *c.Spec.ResourceClaimSpec.DeepCopy()
	o.Status = *c.Status.DeepCopy()
	return &o
}

func (p *provider) DeepCopyObject() runtime.Object {
	o := *p
	o.ObjectMeta = *p.ObjectMeta.DeepCopy()
	o.Spec = *p.Spec.DeepCopy()
	return &o
}

func (l *databaseList) DeepCopyObject() runtime.Object {
	o := &databaseList{TypeMeta: l.TypeMeta, ListMeta: l.ListMeta}
	for i := range l.Items {
		o.Items = append(o.Items, *l.Items[i].DeepCopyObject().(*database))
	}
	return o
}

func (l *classList) DeepCopyObject() runtime.Object {
	o := &classList{TypeMeta: l.TypeMeta, ListMeta: l.ListMeta}
	for i := range l.Items {
		o.Items = append(o.Items, *l.Items[i].DeepCopyObject().(*class))
	}
	return o
}

func (l *claimList) DeepCopyObject() runtime.Object {
	o := &claimList{TypeMeta: l.TypeMeta, ListMeta: l.ListMeta}
	for i := range l.Items {
		o.Items = append(o.Items, *l.Items[i].DeepCopyObject().(*claim))
	}
	return o
}

func (l *providerList) DeepCopyObject() runtime.Object {
	o := &providerList{TypeMeta: l.TypeMeta, ListMeta: l.ListMeta}
	for i := range l.Items {
		o.Items = append(o.Items, *l.Items[i].DeepCopyObject().(*provider))
	}
	return o
}

func (d *database) GetBindingPhase() v1alpha1.BindingPhase  { return d.Status.GetBindingPhase() }
func (d *database) SetBindingPhase(p v1alpha1.BindingPhase) { d.Status.SetBindingPhase(p) }
func (d *database) GetCondition(t v1alpha1.ConditionType) v1alpha1.Condition {
	return d.Status.GetCondition(t)
}
func (d *database) SetConditions(c ...v1alpha1.Condition)          { d.Status.SetConditions(c...) }
func (d *database) GetClaimReference() *corev1.ObjectReference     { return d.Spec.ClaimReference }
func (d *database) SetClaimReference(r *corev1.ObjectReference)    { d.Spec.ClaimReference = r }
func (d *database) GetClassReference() *corev1.ObjectReference     { return d.Spec.ClassReference }
func (d *database) SetClassReference(r *corev1.ObjectReference)    { d.Spec.ClassReference = r }
func (d *database) GetProviderReference() *corev1.ObjectReference  { return d.Spec.ProviderReference }
func (d *database) SetProviderReference(r *corev1.ObjectReference) { d.Spec.ProviderReference = r }
func (d *database) GetReclaimPolicy() v1alpha1.ReclaimPolicy       { return d.Spec.ReclaimPolicy }
func (d *database) SetReclaimPolicy(p v1alpha1.ReclaimPolicy)      { d.Spec.ReclaimPolicy = p }
func (d *database) GetWriteConnectionSecretToReference() *v1alpha1.SecretReference {
	return d.Spec.WriteConnectionSecretToReference
}
func (d *database) SetWriteConnectionSecretToReference(r *v1alpha1.SecretReference) {
	d.Spec.WriteConnectionSecretToReference = r
}

func (c *class) GetReclaimPolicy() v1alpha1.ReclaimPolicy  { return c.SpecTemplate.ReclaimPolicy }
func (c *class) SetReclaimPolicy(p v1alpha1.ReclaimPolicy) { c.SpecTemplate.ReclaimPolicy = p }

func (c *claim) GetBindingPhase() v1alpha1.BindingPhase  { return c.Status.GetBindingPhase() }
func (c *claim) SetBindingPhase(p v1alpha1.BindingPhase) { c.Status.SetBindingPhase(p) }
func (c *claim) GetCondition(t v1alpha1.ConditionType) v1alpha1.Condition {
	return c.Status.GetCondition(t)
}
func (c *claim) SetConditions(x ...v1alpha1.Condition)          { c.Status.SetConditions(x...) }
func (c *claim) GetClassSelector() *metav1.LabelSelector        { return c.Spec.ClassSelector }
func (c *claim) SetClassSelector(s *metav1.LabelSelector)       { c.Spec.ClassSelector = s }
func (c *claim) GetClassReference() *corev1.ObjectReference     { return c.Spec.ClassReference }
func (c *claim) SetClassReference(r *corev1.ObjectReference)    { c.Spec.ClassReference = r }
func (c *claim) GetResourceReference() *corev1.ObjectReference  { return c.Spec.ResourceReference }
func (c *claim) SetResourceReference(r *corev1.ObjectReference) { c.Spec.ResourceReference = r }
func (c *claim) GetWriteConnectionSecretToReference() *v1alpha1.LocalSecretReference {
	return c.Spec.WriteConnectionSecretToReference
}
func (c *claim) SetWriteConnectionSecretToReference(r *v1alpha1.LocalSecretReference) {
	c.Spec.WriteConnectionSecretToReference = r
}
