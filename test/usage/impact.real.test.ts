import {expect, it} from '@jest/globals'
import {jsonEqual} from '../../src/yaml/json-equal.js'
import {
  asObject,
  asObjects,
  asText,
  formatPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../src/yaml/json-value.js'
import {parsePath} from '../../src/yaml/parse-path.js'
import {patternMatcher} from '../../src/adapters/cel/match-pattern.js'
import {schemaRules} from '../../src/adapters/cel/schema-rules.js'
import {judgeObject, type Verdict, versionPair} from '../../src/usage/objects/object-findings.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {accepted, type Answer, type Kube, until} from '../cluster/kube.js'
import {abreast} from '../crd/abreast.js'
import {at} from '../crd/instances/values.js'
import {MUTATIONS, SPEC, SPECS} from './impact-pairs.js'

const PATIENCE = 300_000
const GROUP = 'impact.example.org'

/** A field that only one side has tells which schema the server uses. */
function rootOf(spec: JsonObject, probe: string): JsonObject {
  const properties = {...asObject(spec.properties), [probe]: {type: 'boolean'}}
  return {type: 'object', properties: {spec: {...spec, properties}}}
}

function crdOf(plural: string, schema: JsonObject): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.${GROUP}`},
    spec: {
      group: GROUP,
      scope: 'Cluster',
      names: {plural, singular: plural, kind: plural.toUpperCase(), listKind: `${plural.toUpperCase()}List`},
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: schema}}],
    },
  }
}

const objectOf = (plural: string, name: string, spec: JsonObject): JsonObject => ({
  ...{apiVersion: `${GROUP}/v1`, kind: plural.toUpperCase(), metadata: {name}, spec},
})

/** What a server says of one object. */
interface Said {
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
function changedDefaults(
  sent: JsonValue | undefined,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly string[] {
  if (before === undefined || after === undefined) return []
  const differing = [...changedFields(before, after, 'spec'), ...changedFields(after, before, 'spec')]
  const isOwn = (path: string) => at(asObject(sent), parsePath(path).slice(1)) !== null
  return without(differing, differing.filter(isOwn))
}

async function ask(kube: Kube, plural: string, object: JsonObject): Promise<Said> {
  const post = async (validation: string, body: JsonObject) =>
    await kube.send('POST', `/apis/${GROUP}/v1/${plural}?dryRun=All&fieldValidation=${validation}`, body)
  const named = {...object, metadata: {name: 'new'}}
  const [strict, lax] = [await post('Strict', named), await post('Ignore', named)]
  return {
    unknown: unknownFields(strict),
    invalid: invalidFields(lax),
    changed: lax.code < 400 ? changedFields(asObject(object.spec), lax.body.spec, 'spec') : [],
    stored: lax.code < 400 ? lax.body.spec : undefined,
  }
}

async function untilServed(kube: Kube, plural: string, probe: string): Promise<void> {
  await until(
    () =>
      kube.send('POST', `/apis/${GROUP}/v1/${plural}?dryRun=All&fieldValidation=Strict`, {
        ...objectOf(plural, 'probe', {[probe]: true}),
      }),
    ({code, body}) => code !== 404 && !asText(body.message).includes(`"spec.${probe}"`),
    120,
  )
}

interface Row {
  readonly name: string
  readonly ours: Readonly<Record<'breaks' | 'lost' | 'defaults', readonly string[]>>
  readonly theirs: Readonly<Record<'breaks' | 'lost' | 'defaults', readonly string[]>>
  /** Whether the object cannot be created, so that nobody sees what would be stored. */
  readonly isRejected: boolean
  /** The message of a server-side apply that is rejected now. */
  readonly applied: string
}

/** What only an apply over a stored object shows. */
const OF_STORED = /^(?:of the default|null is)/

/** Some messages of the server name no field. */
const NO_FIELD = '<nil>'

/** The fields that one side has and the other lacks. A rejected apply names one field only. */
function disagreements({ours, theirs, isRejected, applied}: Row): readonly string[] {
  const unconfirmed = without(ours.breaks, theirs.breaks).filter(path => !applied.includes(path))
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

function without(all: readonly string[], some: readonly string[]): readonly string[] {
  return [...new Set(all.filter(one => !some.includes(one)))].sort()
}

const judge = {match: patternMatcher(), rules: schemaRules()}

async function judgeCase(
  kube: Kube,
  plural: string,
  name: string,
  mutated: JsonObject,
): Promise<readonly Row[]> {
  const [before, after] = [rootOf(SPEC, 'before'), rootOf(mutated, 'after')]
  accepted(await kube.create(crdOf(plural, before)))
  await untilServed(kube, plural, 'before')
  const objects = Object.entries(SPECS).map(([key, spec]) => ({key, object: objectOf(plural, key, spec)}))
  const former = await Promise.all(
    objects.map(async ({key, object}) => {
      const said = await ask(kube, plural, object)
      // An unknown field cannot be applied.
      const applied = await kube.apply(object, {manager: 'user', force: true})
      return {key, object, said, isApplied: applied.code < 400}
    }),
  )
  const current = asObject((await kube.get(crdOf(plural, before))).body.metadata)
  const crd = crdOf(plural, after)
  accepted(
    await kube.replace({
      ...crd,
      metadata: {...asObject(crd.metadata), resourceVersion: current.resourceVersion ?? ''},
    }),
  )
  await untilServed(kube, plural, 'after')
  const pair = versionPair({schema: before, hasStatus: false}, {schema: after, hasStatus: false})
  return await Promise.all(
    former.map(async ({key, object, said, isApplied}): Promise<Row> => {
      const now = await ask(kube, plural, object)
      const applied = isApplied ? await kube.apply(object, {manager: 'user', force: true}) : undefined
      const {findings} = judgeObject(object, pair, judge)
      const of = (verdict: Verdict, isShown: (message: string) => boolean = () => true) =>
        findings
          .filter(one => one.verdict === verdict && isShown(one.message))
          .map(one => formatPath(one.path))
      const isSeen = (message: string) => isApplied || !OF_STORED.test(message)
      return {
        name: `${name}: ${key}`,
        ours: {
          breaks: of('breaks', isSeen),
          lost: of('lost'),
          defaults: of('meaning', message => message.startsWith('the default')),
        },
        theirs: {
          breaks: without([...now.unknown, ...now.invalid], [...said.unknown, ...said.invalid]),
          lost: without([...now.unknown, ...now.changed], [...said.unknown, ...said.changed]),
          defaults: without(changedDefaults(object.spec, said.stored, now.stored), now.changed),
        },
        isRejected: now.stored === undefined,
        applied: applied === undefined || applied.code < 400 ? '' : asText(applied.body.message),
      }
    }),
  )
}

describeCluster('current', 'what an upgrade does to objects, on a current API server', cluster => {
  it(
    'is what is reported offline',
    async () => {
      const {kube} = cluster()
      const cases = Object.entries(MUTATIONS)
      const rows = (
        await abreast([...cases.entries()], ([index, [name, mutate]]) =>
          judgeCase(kube, `k${index}x`, name, mutate(SPEC)),
        )
      ).flat()
      expect(rows.flatMap(row => disagreements(row).map(text => `${row.name}: ${text}`))).toEqual([])
      const affected = (part: 'breaks' | 'lost' | 'defaults') =>
        rows.filter(({theirs}) => theirs[part].length > 0).length
      expect(affected('breaks')).toBeGreaterThan(50)
      expect(affected('lost')).toBeGreaterThan(15)
      expect(affected('defaults')).toBeGreaterThan(10)
    },
    PATIENCE,
  )
})
