import {patternMatcher} from '../../src/adapters/cel/match-pattern.js'
import {schemaRules} from '../../src/adapters/cel/schema-rules.js'
import type {SurfacePackage} from '../../src/usage/compare-sets.js'
import {compareUsage, type UsageFinding} from '../../src/usage/objects/compare-usage.js'
import type {Verdict} from '../../src/usage/objects/verdict.js'
import {type CrdSurface, crdSurface} from '../../src/usage/package-surface.js'
import {jsonEqual} from '../../src/yaml/json-equal.js'
import {
  asObject,
  asObjects,
  asText,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../src/yaml/json-value.js'
import {parsePath} from '../../src/yaml/parse-path.js'
import {accepted, type Answer, type Kube, until} from '../cluster/kube.js'
import {at, fullBody, leastBody} from '../crd/instances/values.js'
import {surfaceOfCorpus} from './corpus-surface.js'
import {SPEC, SPECS} from './impact-pairs.js'

const GROUP = 'impact.example.org'

/** A kind before and after an upgrade, with objects. */
export interface Pair {
  readonly name: string
  readonly before: CrdSurface
  readonly after: CrdSurface
  readonly objects: Readonly<Record<string, JsonObject>>
  /** Whether several changes together can make a CRD that no server accepts; such a pair has no rows. */
  readonly canBeRejected?: boolean
}

function generatedCrd(plural: string, spec: JsonObject): CrdSurface {
  const kind = plural.toUpperCase()
  const schema = {openAPIV3Schema: {type: 'object', properties: {spec}}}
  const names = {plural, singular: plural, kind, listKind: `${kind}List`}
  const versions = [{name: 'v1', served: true, storage: true, schema}]
  return surfaceOfSpec(`${plural}.${GROUP}`, {group: GROUP, scope: 'Cluster', names, versions})
}

function surfaceOfSpec(name: string, spec: JsonObject): CrdSurface {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name},
    spec,
  }
  return crdSurface(crd, 'crd')
}

/** A field that only one side has tells which schema the server uses. */
function crdOf({name, spec}: CrdSurface, probe: string): JsonObject {
  const versions = asObjects(spec.versions).map(({schema, ...version}) => {
    const root = asObject(asObject(schema).openAPIV3Schema)
    const properties = {...asObject(root.properties), [probe]: {type: 'boolean'}}
    return {...version, schema: {openAPIV3Schema: {...root, properties}}}
  })
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name},
    spec: {...spec, versions, conversion: {strategy: 'None'}},
  }
}

/** Where objects of a version are created. */
function urlOf({spec}: CrdSurface, version: string): string {
  const within = spec.scope === 'Cluster' ? '' : '/namespaces/default'
  return `/apis/${asText(spec.group)}/${version}${within}/${asText(asObject(spec.names).plural)}`
}

/** What a server says of one object. */
export interface Said {
  readonly unknown: readonly string[]
  readonly invalid: readonly string[]
  readonly changed: readonly string[]
  /** The spec as it would be stored; absent if it is rejected. */
  readonly stored?: JsonValue | undefined
}

function unknownFields({body}: Answer): readonly string[] {
  return [...asText(body.message).matchAll(/unknown field "([^"]*)"/g)].map(([, name = '']) => name)
}

function invalidFields({code, body}: Answer): readonly string[] {
  if (code < 400) return []
  const fields = asObjects(asObject(body.details).causes).map(({field}) => asText(field))
  return fields.length === 0 ? [asText(body.message)] : [...new Set(fields)]
}

/** The fields of an object that an answer lacks or has with another value. */
function changedFields(sent: JsonValue, stored: JsonValue | undefined, path: string): readonly string[] {
  if (isJsonObject(sent) && isJsonObject(stored))
    return Object.entries(sent).flatMap(([name, part]) =>
      changedFields(part, stored[name], path === '' ? name : `${path}.${name}`),
    )
  if (isJsonArray(sent) && isJsonArray(stored))
    return sent.flatMap((part, index) => changedFields(part, stored[index], `${path}[${index}]`))
  return jsonEqual(sent, stored ?? null) && (sent === null) === (stored === null) ? [] : [path]
}

/** The fields of two results that differ, and that the object does not have. */
export function changedDefaults(
  sent: JsonValue | undefined,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly string[] {
  if (before === undefined || after === undefined) return []
  const differing = [...changedFields(before, after, 'spec'), ...changedFields(after, before, 'spec')]
  const isOwn = (path: string) => at(asObject(sent), parsePath(path).slice(1)) !== null
  return without(differing, differing.filter(isOwn))
}

/** Returns what a server says of a new object. */
export async function ask(kube: Kube, url: string, object: JsonObject): Promise<Said> {
  const post = async (validation: string, body: JsonObject) =>
    await kube.send('POST', `${url}?dryRun=All&fieldValidation=${validation}`, body)
  const named = {...object, metadata: {name: 'new'}}
  const [strict, lax] = [await post('Strict', named), await post('Ignore', named)]
  return {
    unknown: unknownFields(strict),
    invalid: invalidFields(lax),
    changed: lax.code < 400 ? changedFields(asObject(object.spec), lax.body.spec, 'spec') : [],
    stored: lax.code < 400 ? lax.body.spec : undefined,
  }
}

async function untilServed(kube: Kube, url: string, object: JsonObject, probe: string): Promise<void> {
  const {apiVersion = '', kind = ''} = object
  const body = {apiVersion, kind, metadata: {name: 'probe'}, [probe]: true}
  await until(
    () => kube.send('POST', `${url}?dryRun=All&fieldValidation=Strict`, body),
    ({code, body: answer}) => code !== 404 && !asText(answer.message).includes(`"${probe}"`),
    120,
  )
}

export interface Row {
  readonly name: string
  readonly ours: Readonly<Record<'breaks' | 'lost' | 'defaults', readonly string[]>>
  readonly theirs: Readonly<Record<'breaks' | 'lost' | 'defaults', readonly string[]>>
  /** Whether the object cannot be created, so that nobody sees what would be stored. */
  readonly isRejected: boolean
  /** The message of a server-side apply that is rejected now. */
  readonly applied: string
  /** The fields that break only in what is stored. */
  readonly ofStored: readonly string[]
}

/** What only an apply over a stored object shows. */
const OF_STORED = /^(?:of the default|null is)/

/** Some messages of the server name no field. */
const NO_FIELD = '<nil>'

/** The fields that one side has and the other lacks. A rejected apply names one field only. */
export function disagreements({ours, theirs, isRejected, applied, ofStored}: Row): readonly string[] {
  const isHidden = (path: string) => applied !== '' && ofStored.includes(path)
  const unconfirmed = without(ours.breaks, theirs.breaks).filter(
    path => !applied.includes(path) && !isHidden(path),
  )
  const isUnnamed = theirs.breaks.includes(NO_FIELD)
  return [
    ...(isUnnamed && ours.breaks.length > 0 ? [] : unconfirmed.map(path => `breaks here only: ${path}`)),
    ...without(theirs.breaks, [...ours.breaks, NO_FIELD]).map(path => `breaks there only: ${path}`),
    ...(applied !== '' && ours.breaks.length === 0 ? [`breaks there only: ${applied}`] : []),
    ...without(isRejected ? [] : ours.lost, theirs.lost).map(path => `lost here only: ${path}`),
    ...without(theirs.lost, ours.lost).map(path => `lost there only: ${path}`),
    ...without(isRejected ? [] : ours.defaults, theirs.defaults).map(path => `default here only: ${path}`),
    ...without(theirs.defaults, ours.defaults).map(path => `default there only: ${path}`),
  ]
}

/** Returns the different texts of a list that another one lacks, in order. */
export function without(all: readonly string[], some: readonly string[]): readonly string[] {
  return [...new Set(all.filter(one => !some.includes(one)))].sort()
}

const judge = {match: patternMatcher(), rules: schemaRules()}

function setOf(crd: CrdSurface): readonly SurfacePackage[] {
  const facts = {permission: [], image: [], capability: [], dependency: [], function: [], composition: []}
  return [{package: 'p', version: '', surface: {crds: [crd], facts, unread: []}}]
}

function findingsOf({before, after}: Pair, value: JsonObject): readonly UsageFinding[] {
  const {apiVersion, kind} = value
  const used = {apiVersion: asText(apiVersion), kind: asText(kind), value, file: '', line: 1, lineOf: () => 1}
  return compareUsage(setOf(before), setOf(after), {objects: [used], unread: [], files: 1}, judge).findings
}

export async function judgePair(kube: Kube, pair: Pair): Promise<readonly Row[]> {
  const {before, after} = pair
  const [first = {}] = Object.values(pair.objects)
  const url = urlOf(before, asText(first.apiVersion).split('/')[1] ?? '')
  accepted(await kube.create(crdOf(before, 'before')))
  await untilServed(kube, url, first, 'before')
  const former = await Promise.all(
    Object.entries(pair.objects).map(async ([key, fields]) => {
      const object = {...fields, metadata: {name: key}}
      const said = await ask(kube, url, object)
      // An unknown field cannot be applied.
      const applied = await kube.apply(object, {manager: 'user', force: true})
      return {key, object, said, isApplied: applied.code < 400}
    }),
  )
  const crd = crdOf(after, 'after')
  const {resourceVersion = ''} = asObject((await kube.get(crd)).body.metadata)
  const replaced = await kube.replace({...crd, metadata: {...asObject(crd.metadata), resourceVersion}})
  if (pair.canBeRejected === true && replaced.code === 422) return []
  accepted(replaced)
  await untilServed(kube, url, first, 'after')
  return await Promise.all(
    former.map(async ({key, object, said, isApplied}): Promise<Row> => {
      const now = await ask(kube, url, object)
      const applied = isApplied ? await kube.apply(object, {manager: 'user', force: true}) : undefined
      const findings = findingsOf(pair, object)
      const of = (verdict: Verdict, isShown: (message: string) => boolean = () => true) =>
        findings.filter(one => one.verdict === verdict && isShown(one.message)).map(({path}) => path)
      const isSeen = (message: string) => isApplied || !OF_STORED.test(message)
      return {
        name: `${pair.name}: ${key}`,
        ours: {
          breaks: of('breaks', isSeen),
          lost: of('lost'),
          defaults: of('meaning', message => message.startsWith('the default')),
        },
        theirs: {
          breaks: without([...now.unknown, ...now.invalid], [...said.unknown, ...said.invalid]),
          lost: without([...now.unknown, ...now.changed], [...said.unknown, ...said.changed]),
          defaults: without(changedDefaults(asObject(object).spec, said.stored, now.stored), now.changed),
        },
        isRejected: now.stored === undefined,
        ofStored: of('breaks', message => OF_STORED.test(message)),
        applied: applied === undefined || applied.code < 400 ? '' : asText(applied.body.message),
      }
    }),
  )
}

export function generatedPairs(
  mutations: Readonly<Record<string, (spec: JsonObject) => JsonObject>>,
  prefix = '',
): readonly Pair[] {
  return Object.entries(mutations).map(([name, mutate], index): Pair => {
    const plural = `${prefix}k${index}x`
    const objects = Object.entries(SPECS).map(([key, spec]) => [
      key,
      {apiVersion: `${GROUP}/v1`, kind: plural.toUpperCase(), spec},
    ])
    return {
      name,
      before: generatedCrd(plural, SPEC),
      after: generatedCrd(plural, mutate(SPEC)),
      objects: Object.fromEntries(objects) as Pair['objects'],
    }
  })
}

/**
 * Returns the kinds of two neighboring releases of the corpus whose schemas differ, as far as the version that was stored is still served.
 * @param part - a part of the names of their groups, so that a cluster can have the kinds of other releases, too.
 */
export function changedKinds(old: string, now: string, part: string): readonly Pair[] {
  const next = new Map(surfaceOfCorpus(now).crds.map(crd => [crd.name, crd]))
  return surfaceOfCorpus(old).crds.flatMap(crd => {
    const successor = next.get(crd.name)
    if (successor === undefined || jsonEqual(crd.spec, successor.spec)) return []
    const isServed = asObjects(successor.spec.versions).some(
      version => version.name === storedVersion(crd).name && version.served === true,
    )
    const [before, after] = [inOtherGroup(crd, part), inOtherGroup(successor, part)]
    return isServed ? [{name: crd.name, before, after, objects: objectsOf(before)}] : []
  })
}

function storedVersion({spec}: CrdSurface): JsonObject {
  return asObjects(spec.versions).find(({storage}) => storage === true) ?? {}
}

function inOtherGroup(crd: CrdSurface, part: string): CrdSurface {
  const group = `${part}.${asText(crd.spec.group)}`
  return {...crd, name: `${asText(asObject(crd.spec.names).plural)}.${group}`, spec: {...crd.spec, group}}
}

/** An object with every field, and one with the required ones, in the version that is stored. */
function objectsOf(crd: CrdSurface): Pair['objects'] {
  const {spec, kind} = crd
  const version = storedVersion(crd)
  const schema = asObject(asObject(version.schema).openAPIV3Schema)
  const meta = {apiVersion: `${asText(spec.group)}/${asText(version.name)}`, kind}
  const {status: _, ...full} = fullBody(schema)
  return {full: {...meta, ...full}, least: {...meta, ...leastBody(schema)}}
}
