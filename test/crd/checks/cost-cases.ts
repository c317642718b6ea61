import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {v1Crd} from '../convert/v1beta1-crd.js'

interface Case {
  readonly name: string
  /** The schema of the field `a`. */
  readonly in: JsonObject
  /** The path of the rule that is certain to be too expensive; absent where none is. */
  readonly want?: string
}

const A = 'spec.validation.openAPIV3Schema.properties[a]'
const RULE = 'x-kubernetes-validations[0].rule'

const matched = (rule: string, more: JsonObject = {}): JsonObject => ({
  ...{type: 'string', ...more, 'x-kubernetes-validations': [{rule}]},
})
const PLAIN = 'self.matches("^[a-z]+$")'
const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({type: 'array', items, ...more})
const named = (rule: string, text: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{type: 'object', properties: {b: {type: 'string', ...text}}, ...more},
  'x-kubernetes-validations': [{rule}],
})
/** A pattern whose estimate is this factor. */
const pattern = (factor: number) => `self.matches("${'a'.repeat(factor * 4)}")`

/** Rules with patterns, beside the limits of their costs. */
export const COST_CASES: readonly Case[] = [
  {name: 'a text of any length', in: matched(PLAIN)},
  {name: 'a pattern for a text of any length', in: matched(pattern(31))},
  {name: 'a long pattern for a text of any length', in: matched(pattern(32)), want: `${A}.${RULE}`},
  {name: 'texts of any length in a list', in: list(matched(PLAIN)), want: `${A}.items.${RULE}`},
  {
    name: 'texts of any length in a map',
    in: {type: 'object', additionalProperties: matched(PLAIN)},
    want: `${A}.additionalProperties.${RULE}`,
  },
  {name: 'a few texts of any length', in: list(matched(PLAIN), {maxItems: 15})},
  {name: 'texts of any length', in: list(matched(PLAIN), {maxItems: 16}), want: `${A}.items.${RULE}`},
  {name: 'short texts in a list', in: list(matched('self.matches("a")', {maxLength: 1}))},
  {
    name: 'longer texts in a list',
    in: list(matched(pattern(2), {maxLength: 63})),
    want: `${A}.items.${RULE}`,
  },
  {
    name: 'longer texts in a list with a limit',
    in: list(matched(pattern(2), {maxLength: 63}), {maxItems: 100}),
  },
  {
    name: 'lists within lists',
    in: list(list(matched(pattern(2), {maxLength: 63}), {maxItems: 400}), {maxItems: 500}),
    want: `${A}.items.items.${RULE}`,
  },
  {
    name: 'a list without items around one of any length',
    in: list(list(matched(PLAIN)), {maxItems: 0}),
    want: `${A}.items.items.${RULE}`,
  },
  {
    name: 'a field of an object of a list',
    in: list(named('!has(self.b) || self.b.matches("^a$")', {})),
    want: `${A}.items.${RULE}`,
  },
  {
    name: 'a branch of a condition',
    in: list(named('has(self.b) ? self.b.matches("^a$") : true', {})),
    want: `${A}.items.${RULE}`,
  },
  {
    name: 'a field of objects with much that is required',
    in: list(
      named(
        'self.b.matches("^a$")',
        {},
        {
          properties: Object.fromEntries(
            ['b', ...Array.from({length: 50}, (_, at) => `field-of-some-name-${at}`)].map(name => [
              name,
              {type: 'string'},
            ]),
          ),
          required: ['b', ...Array.from({length: 50}, (_, at) => `field-of-some-name-${at}`)],
        },
      ),
    ),
    want: `${A}.items.${RULE}`,
  },
  {name: 'a value of an enum', in: list(matched(PLAIN, {enum: ['a', 'b']}))},
]

/** The CRD of a case. */
export function costCrd(schema: JsonObject): KubernetesObject {
  return v1Crd({type: 'object', properties: {a: schema}})
}
