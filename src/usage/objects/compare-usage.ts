import type {ObjectJudge} from '../../crd/instances/check-object.js'
import {present} from '../../present.js'
import {compareText} from '../../reference/compare-text.js'
import {asObject, asText, type FieldPath, formatPath, type JsonObject} from '../../yaml/json-value.js'
import type {SurfacePackage} from '../compare-sets.js'
import {type KindJudgment, kindJudgments, kindOwners} from './kind-judgments.js'
import {judgeObject, type ObjectFinding, type VersionPair} from './object-findings.js'
import {type Verdict, VERDICTS} from './verdict.js'
import type {ObjectsRead} from './read-objects.js'
import type {UsedObject} from './used-object.js'

/** A verdict about an object of a user, or about a part of a file that is not read. */
export interface UsageFinding {
  readonly verdict: Verdict
  /** The object, the same for all verdicts about it; absent where a part of a file is not read. */
  readonly object?: ObjectReference
  /** The package that defines its kind, before the upgrade if it does there; absent for other kinds. */
  readonly package?: string
  readonly file: string
  readonly line?: number
  /** The package that has the object, as `file` names it; absent for objects of users. */
  readonly configuration?: string
  /** Such as `spec.size`; empty for the whole object. */
  readonly path: string
  readonly message: string
  /** The kind that is concerned, of which a text of a Composition can name several. */
  readonly composed?: ObjectFinding['composed']
  /** The composite resources whose values show what happens to a Composition; absent where its schemas show it. */
  readonly composites?: readonly ObjectReference[]
}

/** An object in messages. */
export interface ObjectReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

/** The effects of an upgrade on the objects of users. */
export interface UsageImpact {
  /** In the order of the files and their objects, of an object the worst first; parts that are not read at the end. */
  readonly findings: readonly UsageFinding[]
  /** What the former schemas reject already. */
  readonly invalid: readonly UsageFinding[]
  /** The number of objects with each verdict, and of the parts of files that are not read. */
  readonly totals: Readonly<Record<Verdict, number>>
  readonly read: UsageCounts
}

/** What was read. */
interface UsageCounts {
  /** The files with objects. */
  readonly files: number
  /** The packages whose Compositions were read; absent without any. */
  readonly packages?: number
  readonly objects: number
  /** The objects of kinds that packages define. */
  readonly judged: number
}

/** What an upgrade does to a Composition: to what it composes, and to its own parts. */
export interface JudgedComposition {
  readonly findings: readonly (ObjectFinding & Pick<UsageFinding, 'package'>)[]
  /** What the former schemas reject already. */
  readonly errors: UsedJudgment['errors']
  /** Whether packages have anything to do with it. */
  readonly isJudged: boolean
}

/** How objects of users are judged. */
export interface UsageJudge extends ObjectJudge {
  /** Returns undefined for an object other than a Composition; without it, those are not judged. */
  readonly composition?: (object: UsedObject) => JudgedComposition | undefined
}

/** Judges the objects of users by the schemas of two sets of packages. */
export function compareUsage(
  before: readonly SurfacePackage[],
  after: readonly SurfacePackage[],
  {objects, unread, files}: ObjectsRead,
  judge: UsageJudge,
): UsageImpact {
  const judgeOne = usageJudge(before, after, judge)
  const judged = objects.map(judgeOne)
  return {
    findings: [
      ...judged.flatMap(({findings}) => findings),
      ...unread.map(({reason, ...place}): UsageFinding => ({
        ...{verdict: 'unread', ...place, path: '', message: reason},
      })),
    ],
    invalid: judged.flatMap(({invalid}) => invalid),
    totals: totalsOf([
      ...judged.map(({findings}) => findings),
      ...unread.map(() => [{verdict: 'unread'}] as const),
    ]),
    read: {
      ...{files, ...packageCount(objects), objects: objects.length},
      judged: judged.filter(({isJudged}) => isJudged).length,
    },
  }
}

function packageCount(objects: readonly UsedObject[]): Pick<UsageCounts, 'packages'> {
  const names = objects.flatMap(({configuration}) => configuration ?? [])
  return names.length === 0 ? {} : {packages: new Set(names).size}
}

/** What is known about an object of a user. */
export interface JudgedUse {
  /** The worst first. */
  readonly findings: readonly UsageFinding[]
  /** What the former schema rejects already. */
  readonly invalid: readonly UsageFinding[]
  /** Whether packages have anything to do with its kind. */
  readonly isJudged: boolean
}

/** Returns what judges objects of users, one after the other; the schemas of a kind are compared once. */
export function usageJudge(
  before: readonly SurfacePackage[],
  after: readonly SurfacePackage[],
  judge: UsageJudge,
): (object: UsedObject) => JudgedUse {
  const judgmentOf = kindJudgments(before, after)
  const ownerOf = kindOwners(before, after)
  return object => {
    const judgment = judgmentOf(object.apiVersion, object.kind)
    const owned = {
      ...object,
      reference: referenceOf(object),
      package: ownerOf(object.apiVersion, object.kind),
    }
    const composition = judge.composition?.(object)
    const {findings, errors} = composition ?? judgeUsed(object, judgment, judge)
    return {
      findings: findings.map(finding => usageFinding(owned, finding)).toSorted(worstFirst),
      invalid: errors.map(({place, message}) =>
        usageFinding(owned, {verdict: 'breaks', path: place, message}),
      ),
      isJudged: composition?.isJudged ?? judgment.kind !== 'other',
    }
  }
}

interface UsedJudgment {
  readonly findings: JudgedComposition['findings']
  readonly errors: readonly {readonly place: FieldPath; readonly message: string}[]
}

function judgeUsed(object: UsedObject, judgment: KindJudgment, judge: ObjectJudge): UsedJudgment {
  if (judgment.kind === 'whole') return {findings: [judgment.finding], errors: []}
  if (judgment.kind === 'other') return {findings: compositionFindings(object), errors: []}
  if (judgment.kind === 'same') return {findings: [], errors: []}
  const {pair, findings, lostKeys} = judgment
  const own = judgeObject(writtenPart(object, pair), pair, judge, object)
  return {findings: [...own.findings, ...findings, ...keyFindings(object, lostKeys)], errors: own.errors}
}

/** The status of an object in a cluster is written by controllers. */
function writtenPart({value, isLive = false}: UsedObject, {before, after}: VersionPair): JsonObject {
  if (!isLive || !before.hasStatus || !after.hasStatus) return value
  const {status: _written, ...own} = value
  return own
}

/** What a Composition composes is only written in part. */
function compositionFindings({apiVersion, kind}: UsedObject): readonly ObjectFinding[] {
  if (kind !== 'Composition' || !apiVersion.startsWith('apiextensions.crossplane.io/')) return []
  return [{verdict: 'unread', path: [], message: 'the resources that it composes are not judged'}]
}

const SECRET_FIELDS = ['writeConnectionSecretToRef', 'publishConnectionDetailsTo']

/** A missing key concerns objects that request connection details. */
function keyFindings({value}: UsedObject, lostKeys: readonly string[]): readonly ObjectFinding[] {
  if (lostKeys.length === 0) return []
  const spec = asObject(value.spec)
  const within = asObject(spec.crossplane)
  const paths = SECRET_FIELDS.flatMap((name): FieldPath[] => [
    ...(spec[name] === undefined ? [] : [['spec', name]]),
    ...(within[name] === undefined ? [] : [['spec', 'crossplane', name]]),
  ])
  const message = `connection details no longer have ${lostKeys.join(', ')}`
  return paths.map(path => ({verdict: 'meaning', path, message}))
}

/** An object, and the package of its kind. */
type OwnedObject = UsedObject & Pick<UsageFinding, 'package'> & {readonly reference: ObjectReference}

function usageFinding(
  object: OwnedObject,
  {verdict, path, message, package: own = object.package, ...more}: JudgedComposition['findings'][number],
): UsageFinding {
  const {configuration} = object
  const {composed} = more
  const composites = more.composites?.map(referenceOf)
  const line = path.length === 0 ? object.line : object.lineOf(path)
  return {
    ...{verdict, object: object.reference, ...present({package: own}), file: object.file},
    ...(configuration === undefined ? {line} : {configuration}),
    ...{path: formatPath(path), message, ...present({composed, composites})},
  }
}

function referenceOf({
  apiVersion,
  kind,
  value,
}: Pick<UsedObject, 'apiVersion' | 'kind' | 'value'>): ObjectReference {
  const {name, generateName, namespace} = asObject(value.metadata)
  const own = asText(namespace)
  return {
    apiVersion,
    kind,
    name: asText(name) || asText(generateName),
    ...(own === '' ? {} : {namespace: own}),
  }
}

function worstFirst(a: UsageFinding, b: UsageFinding): number {
  return VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict) || compareText(a.path, b.path)
}

/** Counts objects and parts of files, not their names: overlays have the same object several times. */
export function totalsOf(
  parts: readonly (readonly Pick<UsageFinding, 'verdict'>[])[],
): Readonly<Record<Verdict, number>> {
  const totals = {...NO_TOTALS}
  for (const part of parts) for (const verdict of new Set(part.map(one => one.verdict))) totals[verdict] += 1
  return totals
}

const NO_TOTALS = {breaks: 0, lost: 0, unserved: 0, meaning: 0, convert: 0, unread: 0}

/** Joins the effects on objects from several places. */
export function joinedUsage(first: UsageImpact, second: UsageImpact): UsageImpact {
  const totals = {...NO_TOTALS}
  for (const verdict of VERDICTS) totals[verdict] = first.totals[verdict] + second.totals[verdict]
  const [{read: a}, {read: b}] = [first, second]
  return {
    findings: [...first.findings, ...second.findings],
    invalid: [...first.invalid, ...second.invalid],
    totals,
    read: {...a, files: a.files + b.files, objects: a.objects + b.objects, judged: a.judged + b.judged},
  }
}
