import {compareUsage} from '../../../src/usage/objects/compare-usage.js'
import {readObjects} from '../../../src/usage/objects/read-objects.js'
import {type CrdSurface, crdSurface} from '../../../src/usage/package-surface.js'
import {compositionJudge} from '../../../src/usage/validation/composition-impact.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {step} from './composition-fixtures.js'

/** The XRD before each Composition. */
export const XRD = `apiVersion: apiextensions.crossplane.io/v2
kind: CompositeResourceDefinition
metadata: {name: shops.town.example}
spec:
  group: town.example
  names: {kind: Shop, plural: shops}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer}, name: {type: string}}}
          status: {type: object, properties: {address: {type: string}}}
---
`

export const TEXT = {type: 'string'}
/** The fields of the kinds. */
export const FIELDS: JsonObject = {model: TEXT, label: TEXT, trays: {type: 'integer'}}
const STATUS: JsonObject = {address: TEXT, door: TEXT}

/** The schema of a kind; `more` are keywords of its spec. */
export interface Provider {
  readonly fields?: JsonObject
  readonly status?: JsonObject
  readonly more?: JsonObject
  readonly version?: JsonObject
}

/** A set of one package with one kind. */
export function provider(content: Provider) {
  return [packageOf('example/kitchen', [crdOf('Oven', content)])]
}

/** A package with these kinds. */
export function packageOf(name: string, crds: readonly CrdSurface[]) {
  const facts = {permission: [], image: [], capability: [], dependency: [], function: [], composition: []}
  return {package: name, version: 'v1', surface: {crds, facts, unread: []}}
}

/** A kind. */
export function crdOf(
  kind: string,
  {fields = FIELDS, status = STATUS, more = {}, version = {}}: Provider,
  source: CrdSurface['source'] = 'crd',
) {
  const properties = {
    spec: {type: 'object', properties: fields, ...more},
    status: {type: 'object', properties: status},
  }
  const crd = {
    ...{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'},
    metadata: {name: `${kind.toLowerCase()}s.kit.example`},
    spec: {
      ...{group: 'kit.example', scope: 'Namespaced'},
      names: {plural: `${kind.toLowerCase()}s`, kind, singular: kind.toLowerCase(), listKind: `${kind}List`},
      versions: [
        {
          ...{name: 'v1', served: true, storage: true, subresources: {status: {}}},
          schema: {openAPIV3Schema: {type: 'object', properties}},
          ...version,
        },
      ],
    },
  }
  return crdSurface(crd, source)
}

/** A Composition with these steps. */
export function compositionOf(steps: string, more = '') {
  return `${XRD}apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: plan}
spec:
  compositeTypeRef: {apiVersion: town.example/v1, kind: Shop}
  mode: Pipeline
  pipeline: [${steps}]
${more}`
}

/** A base. */
export const ovenOf = (spec: string) => `{apiVersion: kit.example/v1, kind: Oven, spec: ${spec}}`

/** A Composition of one resource with such a spec. */
export const composing = (spec: string, more = '') =>
  compositionOf(step(`resources: [{name: oven, base: ${ovenOf(spec)}, ${more}}]`))

/** A patch to a path. */
export const patchTo = (path: string) =>
  `{type: FromCompositeFieldPath, fromFieldPath: spec.name, toFieldPath: ${path}}`

/** A Composition of one resource with such a spec, and with more in a second step. */
export const staged = (spec: string, more: string) =>
  compositionOf(
    [`base: ${ovenOf(spec)}`, more]
      .map((text, at) => step(`resources: [{name: oven, ${text}}]`, `step-${at}`))
      .join(', '),
  )

/** A Composition with one patch. */
export const patched = (from: string, to: string, type = 'FromCompositeFieldPath') =>
  composing('{model: deck}', `patches: [{type: ${type}, fromFieldPath: ${from}, toFieldPath: ${to}}]`)

/** The effects of another schema of one kind. */
export function impact(text: string, before: Provider, after: Provider) {
  return impactOf(text, provider(before), provider(after))
}

type Packages = Parameters<typeof compositionJudge>[0]

/** The effects of other packages. */
export function impactOf(text: string, old: Packages, now: Packages) {
  const objects = readObjects([{path: 'a.yaml', bytes: Buffer.from(text)}])
  const composition = compositionJudge(old, now, objects.objects, {})
  return compareUsage(old, now, objects, {composition})
}

/** The effects of another schema of the composite resource; the text has its Composition. */
export function compositeImpact(text: string, before: Provider, after: Provider) {
  const own = text.slice(XRD.length).replace('town.example', 'kit.example')
  const sideOf = (shop: Provider) => [packageOf('x/shops', [crdOf('Shop', shop)]), ...provider({})]
  return impactOf(own, sideOf(before), sideOf(after))
}

const {label: _label, ...unlabeled} = FIELDS
/** The fields without one. */
export const UNLABELED = unlabeled
