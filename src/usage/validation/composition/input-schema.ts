import type {Schema} from '../../../crd/schema-node.js'
import type {JsonObject} from '../../../yaml/json-value.js'

const TEXT = {type: 'string'}
const INTEGER = {type: 'integer'}
const ANY = {'x-kubernetes-preserve-unknown-fields': true}
const OBJECT = {type: 'object', ...ANY}

function object(properties: JsonObject): JsonObject {
  return {type: 'object', properties}
}

function texts(...names: readonly string[]): JsonObject {
  return object(Object.fromEntries(names.map(name => [name, TEXT])))
}

function list(items: JsonObject): JsonObject {
  return {type: 'array', items}
}

const PATTERN = object({type: TEXT, literal: TEXT, regexp: TEXT, result: ANY})
const TRANSFORM = object({
  type: TEXT,
  math: object({type: TEXT, multiply: INTEGER, clampMin: INTEGER, clampMax: INTEGER}),
  map: OBJECT,
  match: object({patterns: list(PATTERN), fallbackValue: ANY, fallbackTo: TEXT}),
  string: object({
    ...{type: TEXT, fmt: TEXT, convert: TEXT, trim: TEXT},
    regexp: object({match: TEXT, group: INTEGER}),
    join: texts('separator'),
    replace: texts('search', 'replace'),
  }),
  convert: texts('toType', 'format'),
})
const PATCH_FIELDS = {
  ...{type: TEXT, fromFieldPath: TEXT, toFieldPath: TEXT},
  combine: object({variables: list(texts('fromFieldPath')), strategy: TEXT, string: texts('fmt')}),
  transforms: list(TRANSFORM),
  policy: texts('fromFieldPath', 'toFieldPath'),
}
/** Only patches of resources use patch sets. */
const PATCHES = list(object(PATCH_FIELDS))

/** The fields of the input of function-patch-and-transform, which it decodes strictly. */
export const INPUT_SCHEMA: Schema = object({
  ...{apiVersion: TEXT, kind: TEXT, metadata: OBJECT},
  environment: object({patches: PATCHES}),
  patchSets: list(object({name: TEXT, patches: PATCHES})),
  resources: list(
    object({
      name: TEXT,
      base: OBJECT,
      patches: list(object({...PATCH_FIELDS, patchSetName: TEXT})),
      connectionDetails: list(texts('name', 'type', 'fromConnectionSecretKey', 'fromFieldPath', 'value')),
      readinessChecks: list(
        object({
          ...{type: TEXT, fieldPath: TEXT, matchString: TEXT, matchInteger: INTEGER},
          matchCondition: texts('type', 'status'),
        }),
      ),
    }),
  ),
  writeConnectionSecretToRef: object({name: TEXT, namespace: TEXT, patches: PATCHES}),
})
