import {describe, expect, it} from '@jest/globals'
import {checkCrd} from '../../../src/crd/checks/check-crd.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {v1Crd} from '../convert/v1beta1-crd.js'

const SCHEMA = 'spec.validation.openAPIV3Schema'
const A = `${SCHEMA}.properties[a]`
const LIST_TYPE = 'x-kubernetes-list-type'
const LIST_MAP_KEYS = 'x-kubernetes-list-map-keys'
const MAP_TYPE = 'x-kubernetes-map-type'
const text = {type: 'string'}
const named = {type: 'object', properties: {b: text}, required: ['b']}
const ofA = (schema: JsonObject) => v1Crd({type: 'object', properties: {a: schema}})
const setOf = (items: JsonObject) => ofA({type: 'array', items, [LIST_TYPE]: 'set'})
const mapOf = (items: JsonObject | undefined, keys: readonly string[] = ['b']) =>
  ofA({type: 'array', ...(items && {items}), [LIST_TYPE]: 'map', [LIST_MAP_KEYS]: keys})
const mapByKey = (b: JsonObject) => mapOf({...named, properties: {b}})

interface Case {
  readonly name: string
  readonly reason: string
  readonly in: KubernetesObject
  /** `rule path`, in the order in which they are found. */
  readonly want: readonly string[]
}

describe('list types and map types', () => {
  it.each<Case>([
    {
      name: 'an unknown map type',
      reason: 'a map is atomic or granular',
      in: ofA({type: 'object', [MAP_TYPE]: 'loose'}),
      want: [`map-type ${A}.${MAP_TYPE}`],
    },
    {
      name: 'keys of a set',
      reason: 'only the items of a map have keys',
      in: ofA({type: 'array', items: text, [LIST_TYPE]: 'set', [LIST_MAP_KEYS]: ['b']}),
      want: [`list-type ${A}.${LIST_TYPE}`],
    },
    {
      name: 'keys of a list without a type',
      reason: 'it is atomic',
      in: ofA({type: 'array', items: named, [LIST_MAP_KEYS]: ['b']}),
      want: [`list-type ${A}.${LIST_TYPE}`],
    },
    {
      name: 'a list type of a text',
      reason: 'only arrays have one',
      in: ofA({...text, [LIST_TYPE]: 'atomic'}),
      want: [`list-type ${A}.type`],
    },
    {
      name: 'a set of nullable items',
      reason: 'null cannot be a member',
      in: setOf({...text, nullable: true}),
      want: [`list-type ${A}.items.nullable`],
    },
    {
      name: 'a set without items',
      reason: 'the type of its items is unknown, so nothing else is checked',
      in: ofA({type: 'array', [LIST_TYPE]: 'set'}),
      want: [`items-missing ${A}.items`],
    },
    {
      name: 'a set of sets',
      reason: 'its members are compared whole',
      in: setOf({type: 'array', items: text, [LIST_TYPE]: 'set'}),
      want: [`list-type ${A}.items.${LIST_TYPE}`],
    },
    {
      name: 'a map without items',
      reason: 'its items have no keys',
      in: mapOf(undefined),
      want: [`items-missing ${A}.items`, `list-type ${A}.items`],
    },
    {
      name: 'a map of a list of schemas',
      reason: 'it has one schema',
      in: ofA({type: 'array', items: [named], [LIST_TYPE]: 'map', [LIST_MAP_KEYS]: ['b']}),
      want: [`keyword ${A}.items`, `list-type ${A}.items`],
    },
    {
      name: 'a map of texts',
      reason: 'a text has no key',
      in: mapOf(text),
      want: [`list-type ${A}.items.type`],
    },
    {
      name: 'a map of nullable items',
      reason: 'null has no key',
      in: mapOf({...named, nullable: true}),
      want: [`list-type ${A}.items.nullable`],
    },
    {
      name: 'a key that is named twice',
      reason: 'duplicates are rejected',
      in: mapOf(named, ['b', 'b']),
      want: [`list-type ${A}.${LIST_MAP_KEYS}`],
    },
    {
      name: 'a key that the items do not have',
      reason: 'it does not identify an item',
      in: mapOf(named, ['b', 'c']),
      want: [`list-type ${A}.${LIST_MAP_KEYS}`],
    },
    {
      name: 'a key that is a list',
      reason: 'keys are scalars',
      in: mapByKey({type: 'array', items: text}),
      want: [`list-type ${A}.items.properties[b].type`],
    },
    {
      name: 'a key that is an object',
      reason: 'keys are scalars',
      in: mapByKey({type: 'object'}),
      want: [`list-type ${A}.items.properties[b].type`],
    },
    {
      name: 'a nullable key',
      reason: 'null does not identify an item',
      in: mapByKey({...text, nullable: true}),
      want: [`list-type ${A}.items.properties[b].nullable`],
    },
    {
      name: 'a key with a default',
      reason: 'it is always set, although it is not required',
      in: mapOf({type: 'object', properties: {b: {...text, default: 'x'}}}),
      want: [],
    },
    {
      name: 'a set of atomic lists and maps',
      reason: 'both are compared whole',
      in: v1Crd({
        type: 'object',
        properties: {
          a: {type: 'array', items: {type: 'array', items: text, [LIST_TYPE]: 'atomic'}, [LIST_TYPE]: 'set'},
          b: {type: 'array', items: {type: 'object', [MAP_TYPE]: 'atomic'}, [LIST_TYPE]: 'set'},
        },
      }),
      want: [],
    },
  ])('$name: $reason', ({in: crd, want}) => {
    expect(found(crd)).toEqual(want)
  })
})

const RULE = `${A}.x-kubernetes-validations[0]`
const ruled = (rule: JsonObject, schema: JsonObject = {}) =>
  ofA({...named, ...schema, 'x-kubernetes-validations': [{rule: 'true', ...rule}]})

describe('rules, apart from their expressions', () => {
  it.each<Case>([
    {
      name: 'a blank message',
      reason: 'it would be empty',
      in: ruled({message: ' '}),
      want: [`validation-rule ${RULE}.message`],
    },
    {
      name: 'a message of two lines',
      reason: 'a message is one line',
      in: ruled({message: 'a\nb'}),
      want: [`validation-rule ${RULE}.message`],
    },
    {
      name: 'a rule of two lines without message',
      reason: 'the rule itself would be the message',
      in: ruled({rule: 'true &&\ntrue'}),
      want: [`validation-rule ${RULE}.message`],
    },
    {
      name: 'a blank expression of the message',
      reason: 'it would be empty',
      in: ruled({messageExpression: ' '}),
      want: [`validation-rule ${RULE}.messageExpression`],
    },
    {
      name: 'an unknown reason',
      reason: 'only four reasons are valid',
      in: ruled({reason: 'BecauseISaySo'}),
      want: [`validation-rule ${RULE}.reason`],
    },
    {
      name: 'a path to no field',
      reason: 'a failure must have a field',
      in: ruled({fieldPath: '.c'}),
      want: [`validation-rule ${RULE}.fieldPath`],
    },
    {
      name: 'a path below a text',
      reason: 'a text has no fields',
      in: ruled({fieldPath: '.b.c'}),
      want: [`validation-rule ${RULE}.fieldPath`],
    },
    {
      name: 'a path past a missing field',
      reason: 'its second step does not exist',
      in: ruled({fieldPath: '.b.c.d'}),
      want: [`validation-rule ${RULE}.fieldPath`],
    },
    {
      name: 'a path without dot',
      reason: 'it is not a path',
      in: ruled({fieldPath: 'b'}),
      want: [`validation-rule ${RULE}.fieldPath`],
    },
    {
      name: 'a blank path',
      reason: 'it is not a path',
      in: ruled({fieldPath: ' '}),
      want: [`validation-rule ${RULE}.fieldPath`],
    },
    {
      name: 'a path of two lines',
      reason: 'it is not a path',
      in: ruled({fieldPath: '.b\n'}),
      want: [`validation-rule ${RULE}.fieldPath`],
    },
    {
      name: 'a path in brackets, with an escaped quote',
      reason: 'names that are not words are written in brackets',
      in: ruled({fieldPath: "['it\\'s']"}, {properties: {b: text, "it's": text}}),
      want: [],
    },
    {
      name: 'a path into a map',
      reason: 'any key is valid',
      in: ruled(
        {fieldPath: '.m.x'},
        {properties: {b: text, m: {type: 'object', additionalProperties: text}}},
      ),
      want: [],
    },
    {
      name: 'a path into a map of anything',
      reason: 'any key is valid',
      in: ruled(
        {fieldPath: '.m.x'},
        {properties: {b: text, m: {type: 'object', additionalProperties: true}}},
      ),
      want: [],
    },
    {
      name: 'a rule of two lines with a message and a reason',
      reason: 'both fields are valid',
      in: ruled({rule: 'true &&\ntrue', message: 'a', reason: 'FieldValueInvalid', fieldPath: '.b'}),
      want: [],
    },
  ])('$name: $reason', ({in: crd, want}) => {
    expect(found(crd)).toEqual(want)
  })
})

const FIELDS = 'spec.selectableFields'
const numbered = Array.from({length: 9}, (_, index) => `f${index}`)
const selectable: JsonObject = {
  type: 'object',
  properties: {
    metadata: {type: 'object', properties: {name: text}},
    spec: {
      type: 'object',
      properties: {
        size: {type: 'integer'},
        ratio: {type: 'number'},
        ...Object.fromEntries(numbered.map(name => [name, text])),
      },
    },
  },
}
const fieldsOf = (...paths: readonly string[]): JsonObject => ({
  selectableFields: paths.map(jsonPath => ({jsonPath})),
})
const selecting = (...paths: readonly string[]) => v1Crd(selectable, {}, fieldsOf(...paths))
const twoVersions = (first: JsonObject, second: JsonObject) =>
  v1Crd(
    {},
    {
      versions: [
        {name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: selectable}, ...first},
        {name: 'v2', served: true, storage: false, schema: {openAPIV3Schema: selectable}, ...second},
      ],
    },
  )
const otherSchema = {schema: {openAPIV3Schema: {...selectable, description: 'other'}}}

describe('selectable fields', () => {
  it.each<Case>([
    {name: 'a whole number', reason: 'it can be compared', in: selecting('.spec.size'), want: []},
    {
      name: 'no path',
      reason: 'it does not select a field',
      in: selecting(''),
      want: [`selectable-field ${FIELDS}[0].jsonPath`],
    },
    {
      name: 'a path to no field',
      reason: 'it does not select a field',
      in: selecting('.spec.size', '.spec.colour'),
      want: [`selectable-field ${FIELDS}[1].jsonPath`],
    },
    {
      name: 'a path in brackets',
      reason: 'brackets are for rules',
      in: selecting(".spec['size']"),
      want: [`selectable-field ${FIELDS}[0].jsonPath`],
    },
    {
      name: 'a name',
      reason: 'fields of metadata cannot be selected',
      in: selecting('.metadata.name'),
      want: [`selectable-field ${FIELDS}[0].jsonPath`],
    },
    {
      name: 'a fraction',
      reason: 'it cannot be compared',
      in: selecting('.spec.ratio'),
      want: [`selectable-field ${FIELDS}[0].jsonPath`],
    },
    {
      name: 'the same field twice',
      reason: 'duplicates are rejected',
      in: selecting('.spec.size', '.spec.size'),
      want: [`selectable-field ${FIELDS}[1].jsonPath`],
    },
    {
      name: 'nine fields',
      reason: 'at most eight are allowed',
      in: selecting(...numbered.map(name => `.spec.${name}`)),
      want: [`selectable-field ${FIELDS}`],
    },
    {
      name: 'the same fields of versions whose schemas differ',
      reason: 'the server looks for them above the versions, and for the schemas within',
      in: twoVersions(fieldsOf('.spec.size'), {...fieldsOf('.spec.size'), ...otherSchema}),
      want: [`selectable-field ${FIELDS}`],
    },
    {
      name: 'fields that differ, as the schemas do',
      reason: 'each is checked against its own version',
      in: twoVersions(fieldsOf('.spec.size'), {...fieldsOf('.spec.colour'), ...otherSchema}),
      want: ['selectable-field spec.versions[1].selectableFields[0].jsonPath'],
    },
  ])('$name: $reason', ({in: crd, want}) => {
    expect(found(crd)).toEqual(want)
  })

  it('of an unreadable schema are rejected, where the server panics', () => {
    const crd = v1Crd({...selectable, $ref: '#/a'}, {}, fieldsOf('.spec.size'))
    expect(found(crd)).toEqual(['selectable-field spec.schema.openAPIV3Schema', `keyword ${SCHEMA}.$ref`])
  })
})

function found(crd: KubernetesObject): string[] {
  return checkCrd(crd).map(({rule, path}) => `${rule} ${path}`)
}
