import {describe, expect, it} from '@jest/globals'
import {compareUsage} from '../../../src/usage/objects/compare-usage.js'
import {readObjects} from '../../../src/usage/objects/read-objects.js'
import {crdSurface} from '../../../src/usage/package-surface.js'
import {compositionJudge} from '../../../src/usage/validation/composition-impact.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {step} from './composition-fixtures.js'

const XRD = `apiVersion: apiextensions.crossplane.io/v2
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

const TEXT = {type: 'string'}
const FIELDS: JsonObject = {model: TEXT, label: TEXT, trays: {type: 'integer'}}
const STATUS: JsonObject = {address: TEXT, door: TEXT}

interface Provider {
  readonly fields?: JsonObject
  readonly status?: JsonObject
  readonly more?: JsonObject
  readonly version?: JsonObject
}

/** A Provider with one kind; its schema has rules in `more`. */
function provider({fields = FIELDS, status = STATUS, more = {}, version = {}}: Provider) {
  const properties = {
    spec: {type: 'object', properties: fields, ...more},
    status: {type: 'object', properties: status},
  }
  const crd = {
    ...{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'},
    metadata: {name: 'ovens.kit.example'},
    spec: {
      ...{group: 'kit.example', scope: 'Namespaced'},
      names: {plural: 'ovens', kind: 'Oven', singular: 'oven', listKind: 'OvenList'},
      versions: [
        {
          ...{name: 'v1', served: true, storage: true, subresources: {status: {}}},
          schema: {openAPIV3Schema: {type: 'object', properties}},
          ...version,
        },
      ],
    },
  }
  const facts = {permission: [], image: [], capability: [], dependency: [], function: [], composition: []}
  const crds = [crdSurface(crd, 'crd')]
  return [{package: 'example/kitchen', version: 'v1', surface: {crds, facts, unread: []}}]
}

function compositionOf(steps: string, more = '') {
  return `${XRD}apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: plan}
spec:
  compositeTypeRef: {apiVersion: town.example/v1, kind: Shop}
  mode: Pipeline
  pipeline: [${steps}]
${more}`
}

/** A Composition of one resource with such a spec. */
const composing = (spec: string, more = '') =>
  compositionOf(
    step(`resources: [{name: oven, base: {apiVersion: kit.example/v1, kind: Oven, spec: ${spec}}, ${more}}]`),
  )
const patched = (from: string, to: string, type = 'FromCompositeFieldPath') =>
  composing('{model: deck}', `patches: [{type: ${type}, fromFieldPath: ${from}, toFieldPath: ${to}}]`)

function impact(text: string, before: Provider, after: Provider) {
  const objects = readObjects([{path: 'a.yaml', bytes: Buffer.from(text)}])
  const [old, now] = [provider(before), provider(after)]
  const composition = compositionJudge(old, now, objects.objects, {})
  return compareUsage(old, now, objects, {composition})
}

const within = (path: string) => path.replace(/^spec\.pipeline\[0\]\.input\.resources\[0\]\.?/, '')
const effects = (...args: Parameters<typeof impact>) =>
  impact(...args).findings.map(({verdict, path}) => `${verdict} ${within(path)}`.trim())

const {label: _label, ...UNLABELED} = FIELDS

describe('impact on Compositions', () => {
  it.each([
    {name: 'the same schemas', in: composing('{model: deck}'), after: {}, want: []},
    {name: 'a new field', in: composing('{model: deck}'), after: {fields: {...FIELDS, zone: TEXT}}, want: []},
    {
      name: 'a field of a base that is removed',
      in: composing('{label: a}'),
      after: {fields: UNLABELED},
      want: ['breaks base.spec.label', 'lost base.spec.label'],
    },
    {
      name: 'a field of a base with another type',
      in: composing('{trays: 3}'),
      after: {fields: {...FIELDS, trays: TEXT}},
      want: ['breaks base.spec.trays'],
    },
    {
      name: 'a field of a patch that is removed',
      in: patched('spec.name', 'spec.label'),
      after: {fields: UNLABELED},
      want: ['breaks patches[0].toFieldPath'],
    },
    {
      name: 'a field of a patch with another type',
      in: patched('spec.size', 'spec.trays'),
      after: {fields: {...FIELDS, trays: TEXT}},
      want: ['breaks patches[0]'],
    },
    {
      name: 'a field that a patch reads, and that is removed',
      in: patched('status.door', 'status.address', 'ToCompositeFieldPath'),
      after: {status: {address: TEXT}},
      want: ['lost patches[0].fromFieldPath'],
    },
    {
      name: 'a required field that nothing sets',
      in: composing('{model: deck}'),
      after: {more: {required: ['label']}},
      want: ['breaks base.spec.label'],
    },
    {
      name: 'a required field that a patch sets',
      in: patched('spec.name', 'spec.label'),
      after: {more: {required: ['label']}},
      want: [],
    },
    {
      name: 'an enum without the value of a base',
      in: composing('{model: deck}'),
      after: {fields: {...FIELDS, model: {...TEXT, enum: ['rack']}}},
      want: ['breaks base.spec.model', 'meaning base.spec.model'],
    },
    {
      name: 'an enum of a field that a patch sets',
      in: patched('spec.name', 'spec.label'),
      after: {fields: {...FIELDS, label: {...TEXT, enum: ['a']}}},
      want: ['meaning patches[0]'],
    },
    {
      name: 'a default of a field that a base lacks',
      in: composing('{model: deck}'),
      after: {fields: {...FIELDS, label: {...TEXT, default: 'a'}}},
      want: ['meaning base.spec.label'],
    },
    {
      name: 'a default of a field that a patch sets',
      in: patched('spec.name', 'spec.label'),
      after: {fields: {...FIELDS, label: {...TEXT, default: 'a'}}},
      want: [],
    },
    {
      name: 'a version that is no longer served',
      in: composing('{model: deck}'),
      after: {version: {served: false}},
      want: ['unserved base'],
    },
    {
      name: 'a readiness check of a field that is removed',
      in: composing(
        '{model: deck}',
        'readinessChecks: [{type: MatchString, fieldPath: status.door, matchString: a}]',
      ),
      after: {status: {address: TEXT}},
      want: ['breaks readinessChecks[0].fieldPath'],
    },
    {
      name: 'connection details from a field that is removed',
      in: composing(
        '{model: deck}',
        'connectionDetails: [{name: door, type: FromFieldPath, fromFieldPath: status.door}]',
      ),
      after: {status: {address: TEXT}},
      want: ['meaning connectionDetails[0].fromFieldPath'],
    },
    {
      name: 'an error that it has already',
      in: composing('{zone: a, label: a}'),
      after: {fields: UNLABELED},
      want: ['breaks base.spec.label', 'lost base.spec.label'],
    },
  ])('finds $name', ({in: text, after, want}) => {
    expect(effects(text, {}, after).toSorted()).toEqual(want)
  })

  it('lists the steps of other functions as unread', () => {
    const other = '{step: other, functionRef: {name: function-kcl}, input: {source: a}}'
    expect(effects(compositionOf(other), {}, {})).toEqual(['unread spec.pipeline[0]'])
  })

  it('renders the composite resources among the objects', () => {
    const shop = (name: string) => `---
apiVersion: town.example/v1
kind: Shop
metadata: {name: one, namespace: a}
spec: {name: ${name}}
`
    const text = (name: string) => `${patched('spec.name', 'spec.label')}${shop(name)}`
    const after = {fields: {...FIELDS, label: {...TEXT, enum: ['a']}}}
    expect(effects(text('a'), {}, after)).toEqual(['meaning patches[0]'])
    expect(effects(text('b'), {}, after)).toContain('breaks patches[0].toFieldPath')
  })

  it('names the package of the composed resource, and counts the Composition', () => {
    const {findings, read, totals, invalid} = impact(
      composing('{zone: a, label: a}'),
      {},
      {fields: UNLABELED},
    )
    expect(new Set(findings.map(one => one.package))).toEqual(new Set(['example/kitchen']))
    expect(read.judged).toBe(1)
    expect(totals).toMatchObject({breaks: 1, lost: 1, unread: 0})
    expect(invalid.map(({path}) => within(path))).toEqual(['base.spec.zone'])
  })
})
