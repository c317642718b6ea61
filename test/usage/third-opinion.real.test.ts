import {expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {patternMatcher} from '../../src/adapters/cel/match-pattern.js'
import {schemaRules} from '../../src/adapters/cel/schema-rules.js'
import {groupOf} from '../../src/kubernetes/object-key.js'
import {schemaOf} from '../../src/kubernetes/crd-kind.js'
import {readObjects} from '../../src/usage/objects/read-objects.js'
import type {UsedObject} from '../../src/usage/objects/used-object.js'
import type {CrdSurface} from '../../src/usage/package-surface.js'
import {validateObjects} from '../../src/usage/validation/validate-objects.js'
import {
  asObject,
  asObjects,
  asText,
  isJsonArray,
  isJsonObject,
  type JsonValue,
} from '../../src/yaml/json-value.js'
import {findServer} from '../cluster/find-server.js'
import {validator} from '../cluster/servers.js'
import {CORPUS_ROOT, corpusEntries} from '../corpus.js'
import {fullBody, leastBody} from '../crd/instances/values.js'
import {describeReal} from '../real-parts.js'
import {surfaceOfCorpus} from './corpus-surface.js'

/** Of all objects, so many may be judged differently, each for a reason. */
const MAX_SHARE = 0.02

const program = findServer(validator)
const packages = corpusEntries('corpus-xpkg').filter(
  name => name.startsWith('provider-') && corpusEntries('corpus-xpkg', name).includes('examples'),
)
const missing =
  program === undefined
    ? 'crossplane-validator: `npm run cluster:setup` builds it'
    : packages.length === 0
      ? 'the corpus'
      : undefined

/** What crossplane/cli says of an object. */
interface Opinion {
  readonly status: 'valid' | 'invalid' | 'missingSchema' | 'defaultingFailed'
  readonly errors?: readonly {readonly type: string; readonly field?: string; readonly message: string}[]
}

function opinionsOf(crds: readonly CrdSurface[], objects: readonly UsedObject[]): readonly Opinion[] {
  const input = {
    crds: crds.map(({name, spec}) => ({
      ...{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'},
      ...{metadata: {name}, spec},
    })),
    objects: objects.map(({value}) => value),
  }
  const text = JSON.stringify(input, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part))
  const {stdout, stderr} = spawnSync(program ?? '', [], {input: text, encoding: 'utf8', maxBuffer: 2 ** 28})
  const {resources, error} = JSON.parse(stdout === '' ? '{}' : stdout) as {
    resources?: readonly Opinion[]
    error?: string
  }
  if (resources === undefined) throw new Error(error ?? stderr)
  return resources
}

/** The examples of a package, of kinds that it defines. */
function examplesOf(name: string, kinds: ReadonlyMap<string, CrdSurface>): readonly UsedObject[] {
  const folder = join(CORPUS_ROOT, 'corpus-xpkg', name, 'examples')
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter(path => path.endsWith('.yaml'))
    .sort()
    .map(path => ({path, bytes: readFileSync(join(folder, path))}))
  return readObjects(files).objects.filter(object => kinds.has(kindOf(object)))
}

const kindOf = ({apiVersion, kind}: Pick<UsedObject, 'apiVersion' | 'kind'>) =>
  `${groupOf(apiVersion)}/${kind}`

/** Valid objects of a kind, with all fields and with few, and the first one with one fault after the other. */
function generatedOf({name, spec, kind}: CrdSurface): readonly UsedObject[] {
  const version = asObjects(spec.versions).find(({storage}) => storage === true) ?? {}
  const apiVersion = `${asText(spec.group)}/${asText(version.name)}`
  const schema = schemaOf(version)
  const {status: _, ...full} = fullBody(schema)
  const bodies = [full, leastBody(schema), ...FAULTS.map(fault => asObject(fault(full)))]
  return bodies.map((body, index) => {
    const value = {apiVersion, kind, metadata: {name: `n${index}`}, ...body}
    return {apiVersion, kind, value, file: `generated ${name} ${index}`, line: 1, lineOf: () => 1}
  })
}

/** Changes of a body at its first text, number, list or object that has fields. */
const FAULTS: readonly ((value: JsonValue) => JsonValue)[] = [
  value => changed(value, part => (typeof part === 'string' ? 1 : undefined)),
  value => changed(value, part => (typeof part === 'number' ? 'text' : undefined)),
  value => changed(value, part => (typeof part === 'number' ? part + 0.5 : undefined)),
  value => changed(value, part => (isJsonArray(part) ? {} : undefined)),
  value => changed(value, part => (isJsonArray(part) ? [...part, null] : undefined)),
  value => ({...asObject(value), spec: {...asObject(asObject(value).spec), unheardOf: 1}}),
  value => ({...asObject(value), spec: null}),
]

/** Returns a value with its first part that a function replaces. */
function changed(value: JsonValue, replace: (part: JsonValue) => JsonValue | undefined): JsonValue {
  let isDone = false
  const walk = (part: JsonValue): JsonValue => {
    const other = isDone ? undefined : replace(part)
    if (other !== undefined) {
      isDone = true
      return other
    }
    if (isJsonArray(part)) return part.map(walk)
    if (!isJsonObject(part)) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]))
  }
  return walk(value)
}

const judge = {match: patternMatcher(), rules: schemaRules(), allowUnknown: []}

interface Row {
  readonly object: string
  readonly ours: readonly string[]
  readonly unread: readonly string[]
  readonly theirs: readonly string[]
}

function rowsOf(name: string): readonly Row[] {
  const surface = surfaceOfCorpus(name)
  const kinds = new Map(surface.crds.map(crd => [`${asText(crd.spec.group)}/${crd.kind}`, crd]))
  const examples = examplesOf(name, kinds)
  const used = [...new Set(examples.map(kindOf))].flatMap(key => kinds.get(key) ?? [])
  const objects = [...examples, ...used.flatMap(generatedOf)]
  const opinions = opinionsOf(used, objects)
  return objects.map((object, index) => {
    const set = [{package: name, version: '', surface}]
    const {findings, unread} = validateObjects(set, {objects: [object], unread: [], files: 1}, judge)
    const {errors = []} = opinions[index] ?? {}
    return {
      object: `${name} ${object.file} ${object.kind}`,
      ours: findings.map(({path = '', message}) => `${path}: ${message}`),
      unread: unread.map(({path = '', reason}) => `${path}: ${reason}`),
      theirs: errors.map(({type, field = '', message}) => `${type} ${field}: ${message}`),
    }
  })
}

/** Why an object is judged differently; undefined for a difference that nothing explains. */
function reasonOf({ours, unread, theirs}: Row): string | undefined {
  if (ours.length > 0) return undefined
  if (theirs.every(text => text.includes('Invalid value: "null"')))
    return 'a server drops a null of an optional field'
  if (unread.some(text => text.includes('a variable, a template'))) return 'a value is still open'
  const isFailing = theirs.every(text => text.startsWith('cel ') && text.includes('conversion error'))
  return unread.length > 0 && isFailing ? 'a rule fails for a text that is no duration' : undefined
}

describeReal('the validator of Crossplane has the same opinion', missing, () => {
  it('of examples, generated objects and faulty ones', () => {
    const rows = packages.flatMap(rowsOf)
    const differing = rows.filter(({ours, theirs}) => ours.length > 0 !== theirs.length > 0)
    expect(differing.filter(row => reasonOf(row) === undefined)).toEqual([])
    expect(new Set(differing.map(reasonOf)).size).toBe(3)
    expect(differing.length / rows.length).toBeLessThan(MAX_SHARE)
    const valid = rows.filter(({ours}) => ours.length === 0).length
    process.stderr.write(`${rows.length} objects, ${valid} of them valid; ${differing.length} differ\n`)
    expect({many: rows.length > 1000, valid: valid > 1000, invalid: rows.length - valid > 1000}).toEqual({
      ...{many: true, valid: true, invalid: true},
    })
  }, 600_000)
})
