import type {JsonObject} from '../../../src/yaml/json-value.js'
import {
  composing,
  FIELDS,
  ovenOf,
  patched,
  patchTo,
  type Provider,
  staged,
  TEXT,
  UNLABELED,
} from './impact-fixtures.js'

const ports = (type: string): JsonObject => ({
  type: 'array',
  items: {type: 'object', properties: {port: {type}}},
})

const NET: JsonObject = {type: 'object', properties: {cidr: TEXT, name: TEXT}}
const FROZEN: JsonObject = {...NET, 'x-kubernetes-validations': [{rule: 'self == oldSelf'}]}

const LABELING = `patches: [${patchTo('spec.label')}]`
const LATER = 'spec.pipeline[1].input.resources[0]'

/** A change of the kind that a Composition composes, with its effects: verdicts with paths within the resource. */
export interface Change {
  readonly name: string
  readonly in: string
  readonly before?: Provider
  readonly after: Provider
  readonly want: readonly string[]
}

/** Changes of one kind, which a server confirms as well. */
export const CHANGES: readonly Change[] = [
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
    name: 'a field of a base within one with the name connectionDetails',
    in: composing('{connectionDetails: [{port: 3}]}'),
    before: {fields: {connectionDetails: ports('integer')}},
    after: {fields: {connectionDetails: ports('string')}},
    want: ['breaks base.spec.connectionDetails[0].port'],
  },
  {
    name: 'a field of a base that a later step replaces',
    in: staged('{label: a}', `base: ${ovenOf('{model: deck}')}`),
    after: {fields: UNLABELED},
    want: [],
  },
  {
    name: 'a default of a field that a later step sets',
    in: staged('{model: deck}', LABELING),
    after: {fields: {...FIELDS, label: {...TEXT, default: 'a'}}},
    want: [],
  },
  {
    name: 'an enum without the value of a base that a later step sets',
    in: staged('{label: b}', LABELING),
    after: {fields: {...FIELDS, label: {...TEXT, enum: ['a']}}},
    want: [`meaning ${LATER}.patches[0]`],
  },
  {
    name: 'an enum of a field that a later step sets',
    in: staged('{model: deck}', LABELING),
    after: {fields: {...FIELDS, label: {...TEXT, enum: ['a']}}},
    want: [`meaning ${LATER}.patches[0]`],
  },
  {
    name: 'immutability of what is around a field that a patch sets',
    in: patched('spec.name', 'spec.net.cidr'),
    before: {fields: {...FIELDS, net: NET}},
    after: {fields: {...FIELDS, net: FROZEN}},
    want: ['meaning patches[0]'],
  },
  {
    name: 'immutability of what a base has around a field that a patch sets',
    in: composing('{net: {name: a}}', `patches: [${patchTo('spec.net.cidr')}]`),
    before: {fields: {...FIELDS, net: NET}},
    after: {fields: {...FIELDS, net: FROZEN}},
    want: ['meaning base.spec.net'],
  },
  {
    name: 'a condition of what is around a field that a patch sets',
    in: patched('spec.name', 'spec.net.cidr'),
    before: {fields: {...FIELDS, net: NET}},
    after: {fields: {...FIELDS, net: {...NET, not: {required: ['name', 'cidr']}}}},
    want: ['meaning patches[0]'],
  },
  {
    name: 'an error that it has already',
    in: composing('{zone: a, label: a}'),
    after: {fields: UNLABELED},
    want: ['breaks base.spec.label', 'lost base.spec.label'],
  },
]

const SHOP: Provider = {fields: {name: TEXT, size: {type: 'integer'}}, status: {address: TEXT}}

/** Changes of the kind that a Composition is for. */
export const COMPOSITE_CHANGES: readonly (Change & {readonly before: Provider})[] = [
  {
    name: 'a field that a patch reads, and that is removed',
    in: patched('spec.name', 'spec.label'),
    before: SHOP,
    after: {...SHOP, fields: {size: {type: 'integer'}}},
    want: ['lost patches[0].fromFieldPath'],
  },
  {
    name: 'a field that a patch writes, and that is removed',
    in: patched('status.door', 'status.address', 'ToCompositeFieldPath'),
    before: SHOP,
    after: {...SHOP, status: {door: TEXT}},
    want: ['breaks patches[0].toFieldPath'],
  },
  {
    name: 'a field that a patch writes, and that gets another type',
    in: patched('status.door', 'status.address', 'ToCompositeFieldPath'),
    before: SHOP,
    after: {...SHOP, status: {address: {type: 'integer'}}},
    want: ['breaks patches[0]'],
  },
  {
    name: 'a field that no patch has anything to do with',
    in: patched('spec.name', 'spec.label'),
    before: SHOP,
    after: {fields: {name: TEXT}, status: {}},
    want: [],
  },
]
