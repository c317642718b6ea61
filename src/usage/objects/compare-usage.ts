import type {ObjectJudge} from '../../crd/instances/check-object.js'
import {compareText} from '../../reference/compare-text.js'
import {asObject, asText, type FieldPath, formatPath} from '../../yaml/json-value.js'
import type {SurfacePackage} from '../compare-sets.js'
import {type KindJudgment, kindJudgments} from './kind-judgments.js'
import {judgeObject, type ObjectFinding, type Verdict, VERDICTS} from './object-findings.js'
import type {ObjectsRead, UsedObject} from './read-objects.js'

/** A verdict about an object of a user, or about a part of a file that is not read. */
export interface UsageFinding {
  readonly verdict: Verdict
  /** The object; absent where a part of a file is not read. */
  readonly object?: ObjectReference
  readonly file: string
  readonly line?: number
  /** Such as `spec.size`; empty for the whole object. */
  readonly path: string
  readonly message: string
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
  readonly objects: number
  /** The objects of kinds that packages define. */
  readonly judged: number
}

/** Judges the objects of users by the schemas of two sets of packages. */
export function compareUsage(
  before: readonly SurfacePackage[],
  after: readonly SurfacePackage[],
  {objects, unread, files}: ObjectsRead,
  judge: ObjectJudge,
): UsageImpact {
  const judgmentOf = kindJudgments(before, after)
  const judged = objects.map(object => {
    const judgment = judgmentOf(object.apiVersion, object.kind)
    return {object, judgment, ...judgeUsed(object, judgment, judge)}
  })
  const findings = [
    ...judged.flatMap(({object, findings: own}) =>
      own.map(finding => usageFinding(object, finding)).toSorted(worstFirst),
    ),
    ...unread.map(({reason, ...place}): UsageFinding => ({
      ...{verdict: 'unread', ...place, path: '', message: reason},
    })),
  ]
  return {
    findings,
    invalid: judged.flatMap(({object, errors}) =>
      errors.map(error =>
        usageFinding(object, {verdict: 'breaks', path: error.place, message: error.message}),
      ),
    ),
    totals: totalsOf([
      ...judged.map(({findings: own}) => own),
      ...unread.map(() => [{verdict: 'unread'}] as const),
    ]),
    read: {
      ...{files, objects: objects.length},
      judged: judged.filter(({judgment}) => judgment.kind !== 'other').length,
    },
  }
}

interface UsedJudgment {
  readonly findings: readonly ObjectFinding[]
  readonly errors: readonly {readonly place: FieldPath; readonly message: string}[]
}

function judgeUsed(object: UsedObject, judgment: KindJudgment, judge: ObjectJudge): UsedJudgment {
  if (judgment.kind === 'whole') return {findings: [judgment.finding], errors: []}
  if (judgment.kind === 'other') return {findings: compositionFindings(object), errors: []}
  if (judgment.kind === 'same') return {findings: [], errors: []}
  const {pair, findings, lostKeys} = judgment
  const own = judgeObject(object.value, pair, judge)
  return {findings: [...own.findings, ...findings, ...keyFindings(object, lostKeys)], errors: own.errors}
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

function usageFinding(object: UsedObject, {verdict, path, message}: ObjectFinding): UsageFinding {
  return {
    ...{verdict, object: referenceOf(object), file: object.file},
    ...{line: path.length === 0 ? object.line : object.lineOf(path), path: formatPath(path), message},
  }
}

function referenceOf({apiVersion, kind, value}: UsedObject): ObjectReference {
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
function totalsOf(
  parts: readonly (readonly Pick<UsageFinding, 'verdict'>[])[],
): Readonly<Record<Verdict, number>> {
  const totals = {breaks: 0, lost: 0, unserved: 0, meaning: 0, convert: 0, unread: 0}
  for (const part of parts) for (const verdict of new Set(part.map(one => one.verdict))) totals[verdict] += 1
  return totals
}
