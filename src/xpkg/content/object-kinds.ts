/** The kinds of packages, which are also those of the requests for them. */
export type XpkgKind = 'Provider' | 'Configuration' | 'Function'

export const XPKG_KINDS: readonly XpkgKind[] = ['Provider', 'Configuration', 'Function']

/** The role of an object in a package. */
export type ObjectRole =
  | 'metadata'
  | 'crd'
  | 'mrd'
  | 'xrd'
  | 'composition'
  | 'activation-policy'
  | 'operation'
  | 'webhook'
  | 'other'

/** A kind that the core's parser knows. Without `type` it is known, and belongs in no package. */
export interface ObjectKind {
  readonly role: ObjectRole
  readonly type?: string
}

const META = 'meta.pkg.crossplane.io'
const EXTENSIONS = 'apiextensions.crossplane.io'
const OPERATIONS = 'ops.crossplane.io/v1alpha1'
const ADMISSION = 'admissionregistration.k8s.io/v1'

function metadata(version: string, kind: XpkgKind): readonly [string, ObjectKind] {
  return [`${META}/${version} ${kind}`, {role: 'metadata', type: `crossplane.meta.${version}.${kind}`}]
}

/** The schemes of the core's parser, by `apiVersion kind`. The version of a metadata kind makes no difference. */
const KINDS: ReadonlyMap<string, ObjectKind> = new Map([
  metadata('v1alpha1', 'Provider'),
  metadata('v1', 'Provider'),
  metadata('v1alpha1', 'Configuration'),
  metadata('v1', 'Configuration'),
  metadata('v1beta1', 'Function'),
  metadata('v1', 'Function'),
  [
    'apiextensions.k8s.io/v1 CustomResourceDefinition',
    {role: 'crd', type: 'apiextensions.v1.CustomResourceDefinition'},
  ],
  [
    'apiextensions.k8s.io/v1beta1 CustomResourceDefinition',
    {role: 'crd', type: 'apiextensions.v1beta1.CustomResourceDefinition'},
  ],
  [
    `${EXTENSIONS}/v1 CompositeResourceDefinition`,
    {role: 'xrd', type: 'crossplane.apiextensions.v1.CompositeResourceDefinition'},
  ],
  [
    `${EXTENSIONS}/v2 CompositeResourceDefinition`,
    {role: 'xrd', type: 'crossplane.apiextensions.v2.CompositeResourceDefinition'},
  ],
  [`${EXTENSIONS}/v1 Composition`, {role: 'composition', type: 'crossplane.apiextensions.v1.Composition'}],
  [
    `${EXTENSIONS}/v1alpha1 ManagedResourceDefinition`,
    {role: 'mrd', type: 'crossplane.apiextensions.v1alpha1.ManagedResourceDefinition'},
  ],
  [
    `${EXTENSIONS}/v1alpha1 ManagedResourceActivationPolicy`,
    {role: 'activation-policy', type: 'crossplane.apiextensions.v1alpha1.ManagedResourceActivationPolicy'},
  ],
  [`${OPERATIONS} Operation`, {role: 'operation', type: 'crossplane.ops.v1alpha1.Operation'}],
  [`${OPERATIONS} CronOperation`, {role: 'operation', type: 'crossplane.ops.v1alpha1.CronOperation'}],
  [`${OPERATIONS} WatchOperation`, {role: 'operation', type: 'crossplane.ops.v1alpha1.WatchOperation'}],
  [
    `${ADMISSION} ValidatingWebhookConfiguration`,
    {role: 'webhook', type: 'admissionregistration.v1.ValidatingWebhookConfiguration'},
  ],
  [
    `${ADMISSION} MutatingWebhookConfiguration`,
    {role: 'webhook', type: 'admissionregistration.v1.MutatingWebhookConfiguration'},
  ],
  [`${EXTENSIONS}/v1 CompositionRevision`, {role: 'other'}],
  [`${EXTENSIONS}/v1alpha1 Usage`, {role: 'other'}],
  [`${ADMISSION} ValidatingAdmissionPolicy`, {role: 'other'}],
  [`${ADMISSION} ValidatingAdmissionPolicyBinding`, {role: 'other'}],
])

/** Returns what the core's parser knows about a kind; undefined for one that it rejects. */
export function objectKind(apiVersion: string, kind: string): ObjectKind | undefined {
  return KINDS.get(`${apiVersion} ${kind}`)
}

/** Returns the API versions in which the parser knows a kind. */
export function apiVersionsOf(kind: string): readonly string[] {
  return [...KINDS.keys()].filter(key => key.endsWith(` ${kind}`)).map(key => key.slice(0, key.indexOf(' ')))
}

/** The roles of the objects that each kind of package installs, up to Crossplane 2.2. */
const ROLES: Readonly<Record<XpkgKind, readonly ObjectRole[]>> = {
  Provider: ['crd', 'mrd', 'webhook'],
  Configuration: ['xrd', 'composition', 'activation-policy', 'operation'],
  Function: ['crd'],
}

/** Reports whether an object belongs in a package. */
export function belongsIn(kind: XpkgKind, role: ObjectRole): boolean {
  return ROLES[kind].includes(role)
}
