import type {UsageFinding} from '../../src/usage/objects/compare-usage.js'
import {plainSource} from '../../src/usage/validation/composition/render/composite-source.js'
import {renderComposition} from '../../src/usage/validation/composition/render/render-steps.js'
import {asObject, asObjects, asText, formatPath, type JsonObject} from '../../src/yaml/json-value.js'
import {parsePath} from '../../src/yaml/parse-path.js'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {valueAt} from '../../src/yaml/value-at.js'
import {accepted, type Kube, until} from '../cluster/kube.js'
import {present} from '../outcome.js'
import {ask, changedDefaults, type Said, without} from './impact-judge.js'
import type {Change, COMPOSITE_CHANGES} from './validation/composition-changes.js'
import {compositeImpact, crdOf, impact, type Provider} from './validation/impact-fixtures.js'

/** What an upgrade does to the resource of a Composition, by paths of that resource. */
interface ComposedEffects {
  /** What is rejected. */
  readonly breaks: readonly string[]
  /** What of the base is dropped. */
  readonly lost: readonly string[]
  /** What patches, readiness checks and connection details no longer find. */
  readonly reads: readonly string[]
  readonly defaults: readonly string[]
  readonly isUnserved: boolean
  /** Whether values of patches, or their changes, can be rejected. */
  readonly isNarrowed: boolean
}

/** The same effects, by the program and by a server. */
export interface ComposedRow {
  readonly name: string
  readonly ours: ComposedEffects
  readonly theirs: ComposedEffects
}

/** Names that composite resources have, one after the other. */
const NAMES = ['a', 'zz']
const STATUS = {address: 'x', door: 'x'}

function compositionIn(text: string): JsonObject {
  const values = readYaml(Buffer.from(text), 'a.yaml').map(({value}) => asObject(value))
  return present(values.find(({kind}) => kind === 'Composition'))
}

/** The oven that a Composition makes of a shop. */
function ovenOf(composition: JsonObject, group: string, name: string): JsonObject {
  const shop = {apiVersion: 'town.example/v1', kind: 'Shop', spec: {name, size: 3}}
  const reader = {match: () => true}
  const input = {composition, composite: plainSource(shop), observed: new Map(), reader}
  const {object} = present(renderComposition(input).resources[0])
  return {...asObject(object), apiVersion: `${group}/v1`}
}

/** What a server with one version of the kind does. */
interface Side {
  readonly isServed: boolean
  readonly said: Said
  /** Which of the ovens are accepted, one applied over the other. */
  readonly applied: readonly boolean[]
  /** An oven whose controller has written all of its status. */
  readonly observed: JsonObject
}

/** Creates a kind, and returns where its objects of v1 are. */
async function served(kube: Kube, kind: string, group: string, content: Provider): Promise<string> {
  const {spec} = crdOf(kind, content)
  const plural = `${kind.toLowerCase()}s`
  const metadata = {name: `${plural}.${group}`}
  const crd = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata}
  const versions = asObjects(spec.versions)
  const isServed = versions.every(version => version.served === true)
  // A server requires a version that it serves.
  const other = {...versions[0], name: 'v2', served: true, storage: false}
  accepted(
    await kube.create({...crd, spec: {...spec, group, versions: isServed ? versions : [...versions, other]}}),
  )
  const urlOf = (version: string) => `/apis/${group}/${version}/namespaces/default/${plural}`
  await until(
    () => kube.send('GET', urlOf(isServed ? 'v1' : 'v2')),
    ({code}) => code === 200,
    120,
  )
  return urlOf('v1')
}

async function sideOf(kube: Kube, composition: JsonObject, group: string, kind: Provider): Promise<Side> {
  const url = await served(kube, 'Oven', group, kind)
  const ovens = NAMES.map(name => ovenOf(composition, group, name))
  const said = await ask(kube, url, present(ovens[0]))
  const applied: boolean[] = []
  for (const oven of ovens) {
    const one = {...oven, metadata: {name: 'one', namespace: 'default'}}
    applied.push((await kube.apply(one, {manager: 'core', force: true})).code < 400)
  }
  return {
    isServed: (await kube.send('GET', url)).code === 200,
    said,
    applied,
    observed: await observedIn(kube, url, group),
  }
}

/** Controllers of providers write a status without asking for unknown fields. */
async function observedIn(kube: Kube, url: string, group: string): Promise<JsonObject> {
  const oven = {apiVersion: `${group}/v1`, kind: 'Oven', metadata: {name: 'observed'}, spec: {label: 'a'}}
  const {body} = await kube.send('POST', `${url}?fieldValidation=Ignore`, oven)
  const {body: written} = await kube.send('PUT', `${url}/observed/status?fieldValidation=Ignore`, {
    ...body,
    status: STATUS,
  })
  return written
}

/** The paths of a composed resource that its Composition reads. */
function readPaths(composition: JsonObject): readonly string[] {
  const steps = asObjects(asObject(composition.spec).pipeline)
  const resources = steps.flatMap(({input}) => asObjects(asObject(input).resources))
  return resources.flatMap(({patches, readinessChecks, connectionDetails}) => [
    ...asObjects(patches).flatMap(({type, fromFieldPath}) =>
      asText(type).startsWith('ToComposite') ? [asText(fromFieldPath)] : [],
    ),
    ...asObjects(readinessChecks).map(({fieldPath}) => asText(fieldPath)),
    ...asObjects(connectionDetails).map(({fromFieldPath}) => asText(fromFieldPath)),
  ])
}

function theirEffects(composition: JsonObject, before: Side, after: Side): ComposedEffects {
  const [resource = {}] = asObjects(
    asObject(asObjects(asObject(composition.spec).pipeline)[0]?.input).resources,
  )
  const base = asObject(resource.base)
  const isOfBase = (path: string) => valueAt(base, parsePath(path)) !== undefined
  const has = ({observed}: Side, path: string) => valueAt(observed, parsePath(path)) !== undefined
  const [old, now] = [before.said, after.said]
  const sent = asObject(ovenOf(composition, 'x', 'a').spec)
  const isKnown = before.isServed && after.isServed
  return {
    breaks: isKnown ? without([...now.unknown, ...now.invalid], [...old.unknown, ...old.invalid]) : [],
    lost: isKnown
      ? without([...now.unknown, ...now.changed], [...old.unknown, ...old.changed]).filter(isOfBase)
      : [],
    reads: isKnown ? readPaths(composition).filter(path => has(before, path) && !has(after, path)) : [],
    defaults: changedDefaults(sent, old.stored, now.stored),
    isUnserved: before.isServed && !after.isServed,
    isNarrowed: isKnown && isNarrowed(before, after),
  }
}

function isNarrowed({applied: old}: Side, {applied: now}: Side): boolean {
  return old.every(Boolean) && now.at(0) === true && !now.every(Boolean)
}

/** The path of the composed resource that an effect is about. */
function ownPath(composition: JsonObject, path: string): string {
  const steps = parsePath(path)
  const at = (name: string) => steps.indexOf(name)
  if (at('base') > 0) return formatPath(steps.slice(at('base') + 1))
  const part = asObject(
    valueAt(composition, steps.slice(0, steps.findLastIndex(step => typeof step === 'number') + 1)),
  )
  const {toFieldPath, fromFieldPath, fieldPath} = part
  return asText(
    at('patches') > 0 && steps.at(-1) !== 'fromFieldPath' ? toFieldPath : (fromFieldPath ?? fieldPath),
  )
}

function ourEffects(composition: JsonObject, findings: readonly UsageFinding[]): ComposedEffects {
  const isRead = ({path}: UsageFinding) =>
    /resources\[\d+\]\.(?:readinessChecks|connectionDetails|patches\[\d+\]\.fromFieldPath)/.test(path)
  const isDefault = ({message}: UsageFinding) => message.startsWith('the default')
  const of = (isIt: (finding: UsageFinding) => boolean) =>
    without(
      findings.filter(isIt).map(({path}) => ownPath(composition, path)),
      [],
    )
  const breaks = of(finding => finding.verdict === 'breaks' && !isRead(finding))
  const isOther = (finding: UsageFinding) =>
    finding.verdict === 'meaning' && !isRead(finding) && !isDefault(finding)
  return {
    breaks,
    lost: of(finding => finding.verdict === 'lost' && !isRead(finding)),
    reads: of(isRead),
    defaults: of(finding => finding.verdict === 'meaning' && isDefault(finding)),
    isUnserved: findings.some(({verdict}) => verdict === 'unserved'),
    isNarrowed: without(of(isOther), breaks).length > 0,
  }
}

/** Judges a change of a composed kind by the program, and by a server that has the kind before and after it. */
export async function judgeComposed(kube: Kube, change: Change, number: number): Promise<ComposedRow> {
  const {name, in: text, before = {}, after} = change
  const composition = compositionIn(text)
  const [old, now] = await Promise.all([
    sideOf(kube, composition, `a${number}.kit.example`, before),
    sideOf(kube, composition, `b${number}.kit.example`, after),
  ])
  const {findings} = impact(text, before, after)
  return {name, ours: ourEffects(composition, findings), theirs: theirEffects(composition, old, now)}
}

/** What a server does to a composite resource: what patches read of it, and whether it accepts what they write. */
async function compositeSide(kube: Kube, composition: JsonObject, group: string, kind: Provider) {
  const url = await served(kube, 'Shop', group, kind)
  const shop = {apiVersion: `${group}/v1`, kind: 'Shop', metadata: {name: 'one'}}
  const written = {...shop, spec: {name: 'a', size: 3}}
  const {body: stored} = await kube.send('POST', `${url}?fieldValidation=Ignore`, written)
  const observed = new Map([['oven', {status: STATUS}]])
  const input = {composition, composite: plainSource(stored), observed, reader: {match: () => true}}
  const {status} = asObject(renderComposition(input).composite.object)
  const {code} = await kube.send(
    'PATCH',
    `${url}/one/status?fieldManager=core&force=true`,
    {...shop, status: status ?? {}},
    'application/apply-patch+yaml',
  )
  const [resource = {}] = asObjects(
    asObject(asObjects(asObject(composition.spec).pipeline)[0]?.input).resources,
  )
  const read = asObjects(resource.patches).filter(({type}) => type === 'FromCompositeFieldPath')
  const paths = read.map(({fromFieldPath}) => asText(fromFieldPath))
  return {
    isRejected: code >= 400,
    lacking: paths.filter(path => valueAt(stored, parsePath(path)) === undefined),
  }
}

/** Judges a change of the composite resource in the same way, as verdicts. */
export async function judgeComposite(
  kube: Kube,
  {name, in: text, before, after}: (typeof COMPOSITE_CHANGES)[number],
  number: number,
) {
  const composition = compositionIn(text)
  const [old, now] = await Promise.all([
    compositeSide(kube, composition, `c${number}.kit.example`, before),
    compositeSide(kube, composition, `d${number}.kit.example`, after),
  ])
  const {findings} = compositeImpact(text, before, after)
  return {
    name,
    ours: findings.map(({verdict}) => verdict),
    theirs: [
      ...without(now.lacking, old.lacking).map(() => 'lost'),
      ...(now.isRejected && !old.isRejected ? ['breaks'] : []),
    ],
  }
}
