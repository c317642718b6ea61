import {readObjects} from '../../../src/usage/objects/read-objects.js'
import {validateObjects} from '../../../src/usage/validation/validate-objects.js'
import type {Validation} from '../../../src/usage/validation/validation.js'

/** What the CRD of a composed kind has: lines of the schema of `spec`, and fields of `status`. */
interface ComposedKind {
  readonly kind: string
  readonly scope: 'Namespaced' | 'Cluster'
  readonly spec: string
  readonly status: string
}

/** The CRD of a kind that Compositions compose, as a document with its end. */
export const crdOf = ({kind, scope, spec, status}: ComposedKind) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${kind.toLowerCase()}s.kit.example}
spec:
  group: kit.example
  scope: ${scope}
  names: {kind: ${kind}, plural: ${kind.toLowerCase()}s, singular: ${kind.toLowerCase()}, listKind: ${kind}List}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            ${spec.trim()}
          status: {type: object, properties: {${status}}}
---
`

const DEFINITIONS = `apiVersion: apiextensions.crossplane.io/v2
kind: CompositeResourceDefinition
metadata: {name: shops.town.example}
spec:
  group: town.example
  scope: Namespaced
  names: {kind: Shop, plural: shops}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer}
              name: {type: string}
              names: {type: array, items: {type: string}}
              open: {type: boolean}
          status: {type: object, properties: {address: {type: string}, size: {type: integer}}}
---
${crdOf({
  kind: 'Oven',
  scope: 'Namespaced',
  spec: `
            required: [model]
            properties:
              model: {type: string, enum: [deck, rack]}
              trays: {type: integer}
              label: {type: string}
              either: {x-kubernetes-int-or-string: true}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}
              racks: {type: array, items: {type: object, properties: {slots: {type: integer}}}}`,
  status: 'address: {type: string}, temp: {type: integer}',
})}apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lots.kit.example}
spec:
  group: kit.example
  scope: Cluster
  names: {kind: Lot, plural: lots, singular: lot, listKind: LotList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
---
`

/** A Composition with these steps, and the definitions that it needs. */
export const composition = (
  steps: string,
  ref = 'Shop',
) => `${DEFINITIONS}apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: plan}
spec:
  compositeTypeRef: {apiVersion: town.example/v1, kind: ${ref}}
  mode: Pipeline
  pipeline: [${steps}]
`

/** A step of function-patch-and-transform. */
export const step = (input: string, name = 'parts') =>
  `{step: ${name}, functionRef: {name: fn-pt}, input: {apiVersion: pt.fn.crossplane.io/v1beta1, kind: Resources, ${input}}}`

/** A base without errors. */
export const BASE = '{apiVersion: kit.example/v1, kind: Oven, spec: {model: deck}}'

/** A Composition of one resource. */
export const resource = (more: string, base = BASE) =>
  composition(step(`resources: [{name: oven, base: ${base}, ${more}}]`))
/** A Composition of one resource with one patch. */
export const patch = (text: string) => resource(`patches: [{${text}}]`)
/** A Composition of one resource with one patch from the composite resource. */
export const moved = (from: string, to: string, more = '') =>
  patch(`type: FromCompositeFieldPath, fromFieldPath: ${from}, toFieldPath: ${to}${more}`)

/** Validates a text with objects, the file `a.yaml`, beside other files. */
export function validated(
  text: string,
  settings: Partial<Parameters<typeof validateObjects>[2]> = {},
  others: Readonly<Record<string, string>> = {},
): Validation {
  const files = Object.entries({'a.yaml': text, ...others})
  const objects = readObjects(files.map(([path, own]) => ({path, bytes: Buffer.from(own)})))
  return validateObjects([], objects, {allowUnknown: [], ...settings})
}

/** Objects as the documents of a text. */
export function documentsOf(objects: readonly object[]): string {
  return objects.map(one => JSON.stringify(one)).join('\n---\n')
}

/** Rule and path within the resource of each finding. */
export function rulesOf({findings}: Validation): readonly string[] {
  return findings.map(({rule, path = ''}) =>
    `${rule} ${path.replace(/^spec\.pipeline\[0\]\.input\.?(?:resources\[0\]\.?)?/, '')}`.trim(),
  )
}
