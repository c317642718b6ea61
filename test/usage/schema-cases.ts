import type {JsonObject} from '../../src/yaml/json-value.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'

const TEXT = {type: 'string'}

/** Each field has one keyword that JSON Schema has in another form, or that only Kubernetes has. */
const FIELDS: JsonObject = {
  text: {...TEXT, minLength: 2, maxLength: 3, pattern: '^[a-z]+$'},
  choice: {...TEXT, enum: ['a', 'b']},
  date: {...TEXT, format: 'date-time'},
  email: {...TEXT, format: 'hostname', nullable: true},
  goPattern: {...TEXT, pattern: '^(?i)abc$'},
  above: {type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9},
  double: {type: 'number', format: 'double', multipleOf: 2},
  port: {'x-kubernetes-int-or-string': true, anyOf: [{type: 'integer'}, {type: 'string'}]},
  portOrNull: {'x-kubernetes-int-or-string': true, nullable: true},
  free: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: {a: {type: 'integer'}}},
  any: {'x-kubernetes-preserve-unknown-fields': true},
  empty: {type: 'object'},
  map: {type: 'object', additionalProperties: {type: 'integer'}},
  set: {type: 'array', items: TEXT, 'x-kubernetes-list-type': 'set'},
  list: {type: 'array', maxItems: 2, items: {type: 'object', required: ['a'], properties: {a: TEXT}}},
  defaulted: {
    type: 'object',
    required: ['a', 'b'],
    minProperties: 2,
    properties: {a: {...TEXT, default: 'x'}, b: TEXT},
  },
  oneOf: {
    type: 'object',
    properties: {a: TEXT, b: TEXT},
    oneOf: [{required: ['a']}, {required: ['b']}],
  },
  not: {type: 'object', properties: {a: TEXT}, not: {properties: {a: {enum: ['x']}}, required: ['a']}},
  resource: {type: 'object', 'x-kubernetes-embedded-resource': true, properties: {spec: {type: 'object'}}},
  kept: {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  },
}

export const SCHEMA: JsonObject = {
  type: 'object',
  description: 'A thing.',
  required: ['spec'],
  properties: {
    metadata: {type: 'object', properties: {name: {...TEXT, maxLength: 10}}},
    spec: {type: 'object', properties: FIELDS},
  },
}

/** The CRD of the cases. */
export const CRD: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'things.schemas.example.org'},
  spec: {
    group: 'schemas.example.org',
    scope: 'Cluster',
    names: {plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList'},
    versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: SCHEMA}}],
  },
}

interface SchemaCase {
  readonly name: string
  readonly in: JsonObject
  /** Whether a strict creation succeeds. */
  readonly want: boolean
}

const META = {apiVersion: 'schemas.example.org/v1', kind: 'Thing', metadata: {name: 'a'}}

function specs(want: boolean, ...all: readonly JsonObject[]): readonly SchemaCase[] {
  return all.map(spec => ({name: JSON.stringify(spec), in: {...META, spec}, want}))
}

const RESOURCE = {apiVersion: 'v1', kind: 'A'}

/** Objects, and whether a strict creation succeeds. */
export const SCHEMA_CASES: readonly SchemaCase[] = [
  {name: 'no spec', in: META, want: false},
  {name: 'an unknown field', in: {...META, spec: {}, other: 1}, want: false},
  {name: 'a long name', in: {...META, spec: {}, metadata: {name: 'abcdefghijk'}}, want: false},
  {name: 'unknown metadata', in: {...META, spec: {}, metadata: {name: 'a', other: 1}}, want: false},
  {name: 'a number as a label', in: {...META, spec: {}, metadata: {name: 'a', labels: {a: 1}}}, want: false},
  {
    name: 'metadata without values',
    in: {...META, spec: {}, metadata: {name: 'a', annotations: null, labels: null, creationTimestamp: null}},
    want: true,
  },
  ...specs(true, {}, {text: 'ab'}, {choice: 'a'}, {date: '2026-01-02T03:04:05Z'}, {email: null}),
  ...specs(false, {text: 'a'}, {text: 'abcd'}, {text: 'AB'}, {text: 1}, {choice: 'c'}, {date: 'x'}),
  ...specs(true, {goPattern: 'ABC'}, {above: 2}, {above: 9}, {double: 4.0}, {port: 80}, {port: 'http'}),
  ...specs(false, {above: 1}, {above: 10}, {above: 1.5}, {double: 3}, {port: true}, {portOrNull: []}),
  ...specs(true, {portOrNull: null}, {free: {a: 1, b: [{}]}}, {any: [1, {a: null}]}, {empty: {}}),
  ...specs(false, {free: {a: 'x'}}, {empty: {a: 1}}, {map: {a: 'x'}}, {set: ['a', 'a']}, {list: [{}]}),
  ...specs(true, {map: {a: 1}}, {set: ['a', 'b']}, {list: [{a: 'x'}]}, {defaulted: {b: 'x'}}),
  ...specs(false, {list: [{a: 'x', b: 1}]}, {defaulted: {a: 'x'}}, {oneOf: {}}, {oneOf: {a: '', b: ''}}),
  ...specs(true, {oneOf: {a: 'x'}}, {not: {a: 'y'}}, {resource: {...RESOURCE, metadata: {name: 'x'}}}),
  ...specs(false, {not: {a: 'x'}}, {resource: {...RESOURCE, other: 1}}, {resource: {kind: 'A'}}),
  ...specs(true, {kept: {...RESOURCE, other: 1}}),
  ...specs(false, {kept: {other: 1}}, {other: null}, {set: 'a'}),
]
