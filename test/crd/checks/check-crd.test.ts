import {describe, expect, it} from '@jest/globals'
import {checkCrd} from '../../../src/crd/checks/check-crd.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {v1Crd} from '../convert/v1beta1-crd.js'

const SCHEMA = 'spec.validation.openAPIV3Schema'
const A = `${SCHEMA}.properties[a]`
const ofA = (schema: JsonObject) => v1Crd({type: 'object', properties: {a: schema}})
const text = {type: 'string'}
const withName = (name: JsonObject) =>
  v1Crd({type: 'object', properties: {metadata: {type: 'object', properties: {name}}}})
const branch = (schema: JsonObject) => ofA({type: 'object', anyOf: [schema]})
const listOf = (items: JsonObject, rest: JsonObject) => ofA({type: 'array', items, ...rest})
const column = {name: 'Size', type: 'integer', jsonPath: '.spec.size'}
const withColumn = (changed: JsonObject) =>
  v1Crd({type: 'object'}, {}, {additionalPrinterColumns: [{...column, ...changed}]})
const withScale = (changed: JsonObject) => {
  const scale = {specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', ...changed}
  return v1Crd({type: 'object'}, {}, {subresources: {scale}})
}
const withNames = (names: JsonObject) =>
  v1Crd({type: 'object'}, {names: {kind: 'Widget', plural: 'widgets', ...names}})
const withWebhook = (webhook: JsonObject) =>
  v1Crd({type: 'object'}, {conversion: {strategy: 'Webhook', webhook}})
const client = {url: 'https://example.org/convert'}
const reviews = ['v1']
const service = (changed: JsonObject) =>
  withWebhook({
    clientConfig: {service: {name: 'a', namespace: 'b', ...changed}},
    conversionReviewVersions: reviews,
  })

describe('schema errors that an API server rejects', () => {
  it.each([
    {name: 'a missing type', in: ofA({}), want: [`${A}.type`]},
    {name: 'an unknown type', in: ofA({type: 'text'}), want: [`${A}.type`]},
    {name: 'a root that is not an object', in: v1Crd({type: 'string'}), want: [`${SCHEMA}.type`]},
    {name: 'a root without type', in: v1Crd({properties: {a: text}}), want: [`${SCHEMA}.type`]},
    {name: 'a nullable root', in: v1Crd({type: 'object', nullable: true}), want: [`${SCHEMA}.nullable`]},
    {name: 'a list of anything', in: ofA({type: 'array'}), want: [`${A}.items`]},
    {name: 'items without type', in: listOf({}, {}), want: [`${A}.items.type`]},
    {
      name: 'a map without type of values',
      in: ofA({type: 'object', additionalProperties: {}}),
      want: [`${A}.additionalProperties.type`],
    },
    {
      name: 'a map at the root',
      in: v1Crd({type: 'object', additionalProperties: text}),
      want: [`${SCHEMA}.additionalProperties`],
    },
    {
      name: 'fields and a map',
      in: ofA({type: 'object', properties: {b: text}, additionalProperties: text}),
      want: [`${A}.additionalProperties`],
    },
    {
      name: 'labels described',
      in: v1Crd({type: 'object', properties: {metadata: {type: 'object', properties: {labels: text}}}}),
      want: [`${SCHEMA}.properties[metadata]`],
    },
    {
      name: 'a default of a name',
      in: withName({...text, default: 'x'}),
      want: [`${SCHEMA}.properties[metadata].properties[name].default`],
    },
    {
      name: 'a resource within metadata',
      in: withName({
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      }),
      want: [`${SCHEMA}.properties[metadata].properties[name].x-kubernetes-embedded-resource`],
    },
    {
      name: 'a kind that is not a text',
      in: v1Crd({type: 'object', properties: {kind: {type: 'integer'}}}),
      want: [`${SCHEMA}.properties[kind].type`],
    },
    {name: 'a pattern with a lookahead', in: ofA({...text, pattern: '(?=a)'}), want: [`${A}.pattern`]},
    {name: 'unique items', in: listOf(text, {uniqueItems: true}), want: [`${A}.uniqueItems`]},
    {name: 'a reference', in: ofA({...text, $ref: '#/a'}), want: [`${A}.$ref`]},
    {name: 'an id', in: ofA({...text, id: 'a'}), want: [`${A}.id`]},
    {name: 'a dialect', in: ofA({...text, $schema: 'http://json-schema.org'}), want: [SCHEMA]},
    {name: 'definitions', in: ofA({...text, definitions: {b: text}}), want: [`${A}.definitions`]},
    {
      name: 'dependencies',
      in: ofA({type: 'object', properties: {b: text}, dependencies: {b: ['c']}}),
      want: [`${A}.dependencies`],
    },
    {
      name: 'patterns of names',
      in: ofA({type: 'object', patternProperties: {b: text}}),
      want: [`${A}.patternProperties`],
    },
    {name: 'a list of schemas', in: ofA({type: 'array', items: [text]}), want: [`${A}.items`]},
    {name: 'a type in a junctor', in: branch({type: 'object'}), want: [`${A}.anyOf[0].type`]},
    {
      name: 'a description in a junctor',
      in: branch({description: 'a'}),
      want: [`${A}.anyOf[0].description`],
    },
    {name: 'null in a junctor', in: branch({nullable: true}), want: [`${A}.anyOf[0].nullable`]},
    {
      name: 'a map in a junctor',
      in: branch({additionalProperties: {minimum: 1}}),
      want: [`${A}.anyOf[0].additionalProperties`],
    },
    {
      name: 'metadata in a junctor',
      in: branch({properties: {metadata: {}}}),
      want: [`${A}.anyOf[0].properties[metadata]`],
    },
    {
      name: 'a field that only a junctor at the root names',
      in: v1Crd({type: 'object', anyOf: [{properties: {b: {minimum: 1}}}]}),
      want: [`${SCHEMA}.properties[b]`],
    },
    {
      name: 'two types in the reverse order',
      in: ofA({'x-kubernetes-int-or-string': true, anyOf: [{type: 'string'}, {type: 'integer'}]}),
      want: [`${A}.anyOf[0].type`, `${A}.anyOf[1].type`],
    },
    {
      name: 'a junctor beside a status subresource',
      in: v1Crd({type: 'object', anyOf: [{required: ['a']}]}, {}, {subresources: {status: {}}}),
      want: [SCHEMA],
    },
    {
      name: 'an embedded resource without fields',
      in: ofA({type: 'object', 'x-kubernetes-embedded-resource': true}),
      want: [`${A}.properties`],
    },
    {
      name: 'preserving unknown fields set to false',
      in: ofA({...text, 'x-kubernetes-preserve-unknown-fields': false}),
      want: [`${A}.x-kubernetes-preserve-unknown-fields`],
    },
    {
      name: 'an unknown list type',
      in: listOf(text, {'x-kubernetes-list-type': 'bag'}),
      want: [`${A}.x-kubernetes-list-type`],
    },
    {
      name: 'a set of objects',
      in: listOf({type: 'object'}, {'x-kubernetes-list-type': 'set'}),
      want: [`${A}.items.x-kubernetes-map-type`],
    },
    {
      name: 'a map of a list without keys',
      in: listOf({type: 'object'}, {'x-kubernetes-list-type': 'map'}),
      want: [`${A}.x-kubernetes-list-map-keys`],
    },
    {
      name: 'an optional key',
      in: listOf(
        {type: 'object', properties: {b: text}},
        {'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['b']},
      ),
      want: [`${A}.items.properties[b].default`],
    },
    {
      name: 'a map type of a text',
      in: ofA({...text, 'x-kubernetes-map-type': 'atomic'}),
      want: [`${A}.type`],
    },
    {
      name: 'an empty rule',
      in: ofA({...text, 'x-kubernetes-validations': [{rule: ' '}]}),
      want: [`${A}.x-kubernetes-validations[0].rule`],
    },
    {name: 'a column without name', in: withColumn({name: ''}), want: [column0('name')]},
    {name: 'a column of an unknown type', in: withColumn({type: 'list'}), want: [column0('type')]},
    {name: 'a column of an unknown format', in: withColumn({format: 'x'}), want: [column0('format')]},
    {name: 'a column without dot', in: withColumn({jsonPath: 'a'}), want: [column0('JSONPath')]},
    {
      name: 'replicas outside of spec',
      in: withScale({specReplicasPath: '.status.n'}),
      want: ['spec.subresources.scale.specReplicasPath'],
    },
    {
      name: 'a selector of another version',
      in: withScale({labelSelectorPath: '.metadata.n'}),
      want: ['spec.subresources.scale.labelSelectorPath'],
    },
    {
      name: 'a group without dot',
      in: {...v1Crd({type: 'object'}, {group: 'example'}), metadata: {name: 'widgets.example'}},
      want: ['spec.group'],
    },
    {name: 'an unknown scope', in: v1Crd({type: 'object'}, {scope: 'Global'}), want: ['spec.scope']},
    {
      name: 'a short name in capitals',
      in: withNames({shortNames: ['W']}),
      want: ['spec.names.shortNames[0]'],
    },
    {name: 'equal kind and listKind', in: withNames({listKind: 'Widget'}), want: ['spec.names.listKind']},
    {
      name: 'another name',
      in: {...v1Crd({type: 'object'}), metadata: {name: 'widgets.example.com'}},
      want: ['metadata.name'],
    },
    {
      name: 'no stored version',
      in: v1Crd({type: 'object'}, {}, {storage: false}),
      want: ['spec.versions', 'status.storedVersions'],
    },
    {
      name: 'a deprecation warning of a current version',
      in: v1Crd({type: 'object'}, {}, {deprecationWarning: 'old'}),
      want: ['spec.versions[0].deprecationWarning'],
    },
    {
      name: 'preserving all unknown fields',
      in: v1Crd({type: 'object'}, {preserveUnknownFields: true}),
      want: ['spec.preserveUnknownFields'],
    },
    {
      name: 'a webhook without client',
      in: withWebhook({conversionReviewVersions: reviews}),
      want: ['spec.conversion.webhookClientConfig'],
    },
    {
      name: 'a webhook over http',
      in: withWebhook({clientConfig: {url: 'http://example.org'}, conversionReviewVersions: reviews}),
      want: ['spec.conversion.webhookClientConfig.url'],
    },
    {
      name: 'no known review',
      in: withWebhook({clientConfig: client, conversionReviewVersions: ['v2']}),
      want: ['spec.conversion.conversionReviewVersions'],
    },
    {
      name: 'a service without name, whose path the server misreports',
      in: service({name: ''}),
      want: ['spec.conversion.webhookClientConfig.service.namespace'],
    },
    {
      name: 'an unknown strategy',
      in: v1Crd({type: 'object'}, {conversion: {strategy: 'Manual'}}),
      want: ['spec.conversion.strategy'],
    },
  ])('$name', ({in: crd, want}) => {
    expect(distinct(checkCrd(crd).map(({path}) => path))).toEqual(want)
  })

  it('name the version if schemas differ', () => {
    const versions: JsonObject[] = [
      {name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}},
      {name: 'v2', served: true, storage: false, schema: {openAPIV3Schema: {}}},
    ]
    const [problem] = checkCrd(v1Crd({}, {versions}))
    expect(problem).toMatchObject({
      rule: 'type',
      path: 'spec.versions[1].schema.openAPIV3Schema.type',
      place: ['spec', 'versions', 1, 'schema', 'openAPIV3Schema', 'type'],
    })
  })

  it.each<{readonly name: string; readonly in: JsonObject}>([
    {name: 'an integer or string', in: {'x-kubernetes-int-or-string': true}},
    {name: 'anything', in: {'x-kubernetes-preserve-unknown-fields': true}},
    {name: 'a junctor of values', in: {type: 'object', oneOf: [{required: ['b']}, {required: ['c']}]}},
    {name: 'a map of anything', in: {type: 'object', additionalProperties: true}},
    {name: 'a repeat of 1000', in: {type: 'string', pattern: '^[a-z]{1,1000}$'}},
  ])('do not include $name', ({in: schema}) => {
    expect(checkCrd(ofA(schema))).toEqual([])
  })
})

function column0(field: string): string {
  return `spec.additionalPrinterColumns[0].${field}`
}

function distinct(paths: readonly string[]): string[] {
  return [...new Set(paths)]
}
