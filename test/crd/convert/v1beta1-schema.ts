import fc from 'fast-check'
import type {JsonObject} from '../../../src/yaml/json-value.js'

const NAMES = fc.constantFrom('a', 'b', 'c')
const TYPE = fc.constantFrom('string', 'integer', 'number', 'boolean', 'object', 'array')

const values = fc.record(
  {
    minimum: fc.constantFrom(0, 1.5, -3),
    maximum: fc.constantFrom(5, 10.5, 4294967295),
    pattern: fc.constantFrom('^a+$', '(?=a)'),
    enum: fc.constantFrom(['a', 'b'], [1, 'a'], [{a: 1}]),
    required: fc.array(NAMES, {minLength: 1, maxLength: 2}),
    minProperties: fc.constant(1),
    format: fc.constantFrom('int32', 'date', 'color', 'int-or-string'),
    description: fc.constant('x'),
    nullable: fc.constant(true),
    default: fc.constant('x'),
    uniqueItems: fc.constant(true),
  },
  {requiredKeys: []},
)

/** Schemas as v1beta1 allowed them: types left out, junctors of anything, maps, payloads, forbidden keywords. */
const {schema} = fc.letrec<{schema: JsonObject; parts: JsonObject}>(tie => ({
  schema: fc
    .tuple(fc.option(TYPE, {nil: undefined, freq: 5}), fc.option(values, {nil: {}, freq: 3}), tie('parts'))
    .map(([type, keywords, parts]) => ({...(type === undefined ? {} : {type}), ...keywords, ...parts})),
  parts: fc.oneof(
    {maxDepth: 4, withCrossShrink: true},
    fc.constant({}),
    fc.dictionary(NAMES, tie('schema'), {minKeys: 1}).map(properties => ({properties})),
    fc.record({items: tie('schema')}),
    fc.record({additionalProperties: fc.oneof(fc.boolean(), tie('schema'))}),
    fc.constant({anyOf: [{type: 'string'}, {type: 'integer'}]}),
    fc
      .tuple(
        fc.constantFrom('allOf', 'anyOf', 'oneOf'),
        fc.array(tie('schema'), {minLength: 1, maxLength: 3}),
      )
      .map(([junctor, branches]) => ({[junctor]: branches})),
    fc.record({not: tie('schema')}),
    fc.record({
      properties: fc.dictionary(NAMES, tie('schema'), {minKeys: 1}),
      anyOf: fc.array(tie('schema'), {minLength: 1, maxLength: 2}),
    }),
  ),
}))

/** The schema of a whole resource. */
export const resourceSchema: fc.Arbitrary<JsonObject> = fc
  .tuple(fc.dictionary(fc.constantFrom('spec', 'status'), schema, {minKeys: 1}), schema, fc.boolean())
  .map(([properties, root, hasRoot]) => ({...(hasRoot ? root : {}), type: 'object', properties}))
