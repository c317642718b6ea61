import type {ObjectJudge} from '../../crd/instances/check-object.js'
import {present} from '../../present.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {policiesAmong} from '../../usage/activation/activation.js'
import {unreadParts} from '../../usage/compare-sets.js'
import {compositionJudge} from '../../usage/validation/composition-impact.js'
import type {PatternReader} from '../../usage/validation/composition/render/transform-value.js'
import {compareUsage, joinedUsage, type UsageImpact} from '../../usage/objects/compare-usage.js'
import type {Verdict} from '../../usage/objects/verdict.js'
import {type InputFailures, readObjects, type UnreadFiles} from '../../usage/objects/read-objects.js'
import {packageCompositions} from '../../usage/objects/package-compositions.js'
import type {UsageFile, UsedObject} from '../../usage/objects/used-object.js'
import {type ComparedSets, type ComparedSides, readSets} from './compared-sets.js'
import type {LiveObjects} from './live-usage.js'
import type {RequestPorts} from '../request/read-request.js'
import type {PackageComparison} from './compare-packages.js'

/** The packages that change, and the files with the objects of users. */
export interface ImpactQuery extends UnreadFiles, ComparedSides {
  readonly files: readonly UsageFile[]
  /** The cluster whose objects are judged as well. */
  readonly live?: LiveObjects
}

/** The effects of other versions of packages on the objects of users. */
export interface PackageImpact extends UsageImpact, Pick<ComparedSets, 'packages' | 'unchanged'> {
  /** The files that are not read because a rendered tree has them. */
  readonly rendered: readonly string[]
  /** CRDs that could not be read. */
  readonly unreadCrds: PackageComparison['unread']
}

/** Judges the objects of users by the schemas of two sets of packages; `failures` are what the document does not have. */
export async function packageImpact(
  {before, after, flagNames, files, live, ...others}: ImpactQuery,
  ports: RequestPorts,
  judge: ObjectJudge & PatternReader,
): Promise<{readonly impact: PackageImpact; readonly failures: InputFailures & {readonly omitted: number}}> {
  const {unreadable, empty, ...objects} = readObjects(files, others)
  const sets = await readSets({before, after, ...present({flagNames})}, ports, {
    policies: policiesAmong(objects.objects),
  })
  const used = {...objects, objects: [...objects.objects, ...unchangedCompositions(sets, objects.objects)]}
  const unreadCrds = unreadParts([...sets.before, ...sets.after])
  const {packages, unchanged} = sets
  const composition = compositionJudge(sets.before, sets.after, used.objects, judge)
  const own = compareUsage(sets.before, sets.after, used, {...judge, composition})
  const inCluster =
    live && (await (await import('./live-usage.js')).liveUsage(sets.before, sets.after, live, judge))
  const impact = inCluster === undefined ? own : joinedUsage(own, inCluster)
  return {
    impact: {packages, unchanged, ...impact, rendered: others.rendered, unreadCrds},
    failures: {unreadable, empty, omitted: inCluster?.omitted ?? 0},
  }
}

/** Of a package that changes itself, the Compositions are those of its next version: only its author can judge them. */
function unchangedCompositions(
  {after, packages}: ComparedSets,
  objects: readonly UsedObject[],
): readonly UsedObject[] {
  if (packages.length === 0) return []
  const changed = new Set(packages.map(own => own.package))
  return packageCompositions(
    after.filter(own => !changed.has(own.package)),
    objects,
  )
}

/** Returns the paths of the objects that a declaration names. */
export async function declaredObjects(file: string, {inputs}: RequestPorts): Promise<readonly string[]> {
  const {name, bytes} = await inputs.read(file, '--declaration')
  const {usage} = readDeclaration(name, bytes)
  return (usage?.objects ?? []).map(path => inputs.beside(file, path))
}

/** Reports whether an impact has a verdict that must not occur, or leaves too much unjudged of what users can change. */
export function isFailed(
  {totals, findings}: Pick<PackageImpact, 'totals' | 'findings'>,
  {
    failOn,
    maxUnread = Infinity,
  }: {readonly failOn: readonly Verdict[]; readonly maxUnread?: number | undefined},
): boolean {
  return failOn.some(verdict => totals[verdict] > 0) || totals.unread - unreadOfPackages(findings) > maxUnread
}

function unreadOfPackages(findings: PackageImpact['findings']): number {
  const unread = findings.filter(
    ({verdict, configuration}) => verdict === 'unread' && configuration !== undefined,
  )
  return new Set(unread.map(({file, object}) => JSON.stringify([file, object]))).size
}
