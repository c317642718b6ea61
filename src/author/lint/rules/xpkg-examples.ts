import type {LintExample} from '../lint-rule.js'

/** A package of one document more than its metadata. */
export function xpkg(metadata: string, ...objects: readonly string[]): LintExample {
  const files = objects.map((text, index) => [`apis/${index + 1}.yaml`, text])
  return {xpkg: {'crossplane.yaml': metadata, ...(Object.fromEntries(files) as Record<string, string>)}}
}

/** The metadata of a package, with a spec. */
export function metadata(kind: 'Provider' | 'Configuration' | 'Function', spec = ''): string {
  return `apiVersion: meta.pkg.crossplane.io/v1\nkind: ${kind}\nmetadata:\n  name: example\nspec: ${spec === '' ? '{}' : `\n${spec}`}\n`
}

/** A Configuration with one dependency, whose fields are given. */
export function depending(...fields: readonly string[]): LintExample {
  return xpkg(metadata('Configuration', `  dependsOn:\n  - ${fields.join('\n    ')}`))
}

const FUNCTION_NAME = 'crossplane-contrib-function-patch-and-transform'

/** A Configuration that brings the function which `COMPOSITION` calls. */
export const WITH_FUNCTION = metadata(
  'Configuration',
  `  dependsOn:
  - function: xpkg.crossplane.io/crossplane-contrib/function-patch-and-transform
    version: v0.10.8`,
)

export const XRD = `apiVersion: apiextensions.crossplane.io/v2
kind: CompositeResourceDefinition
metadata:
  name: databases.example.org
spec:
  group: example.org
  names:
    kind: Database
    plural: databases
  scope: Namespaced
  versions:
  - name: v1
    served: true
    referenceable: true
    schema:
      openAPIV3Schema:
        type: object
`

/** A Configuration with an example of the kind that it defines, whose spec is given. */
export function exampleOf(spec: string): LintExample {
  const schema =
    'type: object\n        properties: {spec: {type: object, properties: {color: {type: string}}}}\n'
  const {xpkg: files} = xpkg(metadata('Configuration'), XRD.replace('type: object\n', schema))
  const text = `apiVersion: example.org/v1\nkind: Database\nmetadata:\n  name: example\nspec:\n  ${spec}\n`
  return {xpkg: {...files, 'examples/database.yaml': text}}
}

export const COMPOSITION = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata:
  name: databases
spec:
  compositeTypeRef:
    apiVersion: example.org/v1
    kind: Database
  mode: Pipeline
  pipeline:
  - step: resources
    functionRef:
      name: ${FUNCTION_NAME}
`

export const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.org
spec:
  group: example.org
  names:
    kind: Widget
    plural: widgets
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
`

export const WEBHOOKS = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: widgets
webhooks:
- name: widgets.example.org
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig:
    service:
      name: widgets
      namespace: crossplane-system
      path: /validate
`
