import {expect, it} from '@jest/globals'
import {convertCrd} from '../../src/crd/convert/convert-crd.js'
import type {KubernetesObject} from '../../src/unpack/kubernetes-object.js'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  isJsonArray,
  type JsonObject,
  type JsonValue,
} from '../../src/yaml/json-value.js'
import type {TestCluster} from '../cluster/api-server.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {accepted, until} from '../cluster/kube.js'
import {describeCorpus} from '../corpus.js'
import {corpusCrds} from './corpus-crds.js'

const PATIENCE = 240_000

/** The newest of each CRD, as its package has it. */
function distinctCrds(): KubernetesObject[] {
  return [...new Map(corpusCrds().map(crd => [crd.metadata.name, crd])).values()]
}

function schemaOf(crd: KubernetesObject): JsonObject {
  return asObject(asObject(asObject(crd.spec).validation).openAPIV3Schema)
}

/** A value that the schema allows, with every field it names. */
function valid(schema: JsonObject): JsonValue {
  if (isJsonArray(schema.enum)) return schema.enum[0] ?? null
  switch (schema['x-kubernetes-int-or-string'] === true ? 'integer' : schema.type) {
    case 'string':
      return TEXTS[asText(schema.format)] ?? 'abc'
    case 'integer':
    case 'number':
      return boundOf(schema)
    case 'boolean':
      return true
    case 'array':
      return [valid(asObject(schema.items))]
    default:
      return fields(schema)
  }
}

const TEXTS: Readonly<Record<string, string>> = {'date-time': '2020-01-01T00:00:00Z', byte: 'YQ=='}
const RESOURCE = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a'}}

function boundOf({minimum, maximum}: JsonObject): number {
  return Number(minimum ?? maximum ?? 1)
}

function fields(schema: JsonObject): JsonObject {
  if (schema['x-kubernetes-embedded-resource'] === true) return RESOURCE
  const named = Object.entries(asObject(schema.properties)).filter(
    ([name]) => !['apiVersion', 'kind', 'metadata'].includes(name),
  )
  return Object.fromEntries(named.map(([name, part]) => [name, valid(asObject(part))]))
}

/** Values of the field that break one rule each: another type, no item of the enum, a bound, a pattern, a missing field. */
function invalid(schema: JsonObject): JsonValue[] {
  return [
    schema.type === 'object' ? 'text' : {},
    ...(isJsonArray(schema.enum) ? ['none-of-these'] : []),
    ...(schema.maximum === undefined ? [] : [Number(schema.maximum) + 1]),
    ...(schema.minimum === undefined ? [] : [Number(schema.minimum) - 1]),
    ...(schema.pattern === undefined ? [] : ['A B']),
    ...(schema.maxLength === undefined ? [] : ['x'.repeat(Number(schema.maxLength) + 1)]),
    ...asTexts(schema.required).map(name => without(asObject(valid(schema)), name)),
  ]
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
}

/** The resource with one place changed, for each place down to some depth. */
function brokenBodies(schema: JsonObject, depth: number): JsonObject[] {
  const whole = asObject(valid(schema))
  return Object.keys(whole).flatMap(name => {
    const part = asObject(asObject(schema.properties)[name])
    const deeper = depth > 0 && part.type === 'object' ? brokenBodies(part, depth - 1) : []
    return [...invalid(part), ...deeper].map(value => ({...whole, [name]: value}))
  })
}

function instances(crd: KubernetesObject): JsonObject[] {
  const {group, version, versions, names} = asObject(crd.spec)
  const apiVersion = `${asText(group)}/${asText(version) || asText(asObjects(versions)[0]?.name)}`
  const bodies = [fields(schemaOf(crd)), ...brokenBodies(schemaOf(crd), 2).slice(0, 40)]
  const kind = asText(asObject(names).kind)
  return bodies.map(body => ({...body, apiVersion, kind, metadata: {name: 'one'}}))
}

async function verdicts(
  cluster: TestCluster,
  crds: readonly KubernetesObject[],
  sources: readonly KubernetesObject[],
) {
  for (const crd of crds) accepted(await cluster.kube.create(crd))
  const said: Record<string, boolean[]> = {}
  for (const source of sources) {
    const [good = {}] = instances(source)
    await until(
      () => cluster.kube.create(good, {dryRun: true}),
      ({code}) => code !== 404,
    )
    const answers = await Promise.all(
      instances(source).map(each => cluster.kube.create(each, {dryRun: true})),
    )
    said[source.metadata.name] = answers.map(({code}) => code < 400)
  }
  return said
}

describeCorpus('instances of the CRDs of real packages', () => {
  describeCluster('current', 'on a current API server', current => {
    describeCluster('1.20', 'and on one of 1.20', old => {
      it(
        'get the same verdict from the unconverted CRD there and the converted one here',
        async () => {
          const sources = distinctCrds()
          const converted = sources.map(crd => convertCrd(crd, {nonStructural: 'refuse'}).crd)
          const [then, now] = await Promise.all([
            verdicts(old(), sources, sources),
            verdicts(current(), converted, sources),
          ])
          expect(now).toEqual(then)
          const all = Object.values(then).flat()
          expect(all.filter(Boolean).length).toBeGreaterThanOrEqual(sources.length)
          expect(all.filter(ok => !ok).length).toBeGreaterThan(sources.length)
        },
        PATIENCE,
      )
    })
  })
})
