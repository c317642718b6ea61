import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {schemaOf} from '../../src/kubernetes/crd-kind.js'
import {groupOf} from '../../src/kubernetes/object-key.js'
import {readObjects} from '../../src/usage/objects/read-objects.js'
import type {UsedObject} from '../../src/usage/objects/used-object.js'
import type {CrdSurface} from '../../src/usage/package-surface.js'
import {
  asObject,
  asObjects,
  asText,
  isJsonArray,
  isJsonObject,
  type JsonValue,
} from '../../src/yaml/json-value.js'
import {CORPUS_ROOT, corpusEntries} from '../corpus.js'
import {fullBody, leastBody} from '../crd/instances/values.js'

/** The providers of the corpus that have examples. */
export const PROVIDERS = corpusEntries('corpus-xpkg').filter(
  name => name.startsWith('provider-') && corpusEntries('corpus-xpkg', name).includes('examples'),
)

/** The examples of a provider, with generated objects of their kinds: valid ones, and some with one fault each. */
export function opinionObjects(
  name: string,
  crds: readonly CrdSurface[],
): {readonly objects: readonly UsedObject[]; readonly used: readonly CrdSurface[]} {
  const kinds = new Map(crds.map(crd => [`${asText(crd.spec.group)}/${crd.kind}`, crd]))
  const examples = examplesOf(name, kinds)
  const used = [...new Set(examples.map(kindOf))].flatMap(key => kinds.get(key) ?? [])
  return {objects: [...examples, ...used.flatMap(generatedOf)], used}
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
