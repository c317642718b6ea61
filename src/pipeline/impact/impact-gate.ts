import {lockedVersions, type Lock, withImpacts} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import {count} from '../../text.js'
import type {RequestPolicy} from '../request/request-policy.js'
import {
  acceptedImpacts,
  type AcceptedImpacts,
  acceptedPackages,
  stoppingFindings,
} from '../../usage/objects/accepted-impact.js'
import type {UsageFinding} from '../../usage/objects/compare-usage.js'
import {impactLines, impactSummary} from '../../usage/objects/impact-view.js'
import {emptyWarning} from '../../usage/objects/read-objects.js'
import {withFiles} from '../../usage/objects/package-compositions.js'
import {pathBeside, pathFrom} from '../../usage/objects/relative-path.js'
import {expectJudged} from './compare-packages.js'
import {type PackageImpact, packageImpact} from './package-impact.js'
import {readRequest, type RequestPorts} from '../request/read-request.js'
import type {RequestQuery} from '../request/request-query.js'

/** A change of a lock, and the declaration that names the objects of its users. */
export interface LockChange {
  readonly before: Lock | undefined
  readonly after: Lock
  /** The declaration as it is then: its objects, its sources and its policy. */
  readonly request: Extract<RequestQuery, {readonly kind: 'declaration'}>
}

/** What a change of a lock does to the objects that its declaration names. Paths are relative to the declaration. */
export interface LockImpact {
  readonly impact: PackageImpact
  /** The verdicts that stop the change, without those that the lock accepts. */
  readonly open: readonly UsageFinding[]
  /** Those that the lock accepts. */
  readonly accepted: readonly UsageFinding[]
  /** What accepting all of them adds to the lock. */
  readonly impacts: AcceptedImpacts
  /** What is not judged. */
  readonly warnings: readonly Diagnostic[]
  /** The name of a policy that allows no acceptance. */
  readonly rejectedBy?: string
}

/**
 * Judges what a change of a lock does to the objects that a declaration names; undefined if it names none, or if no package changes
 * that the lock had. Throws `input-invalid` and `package-invalid` for objects and schemas that cannot be read.
 */
export async function lockImpact(
  {before, after, request}: LockChange,
  ports: RequestPorts,
): Promise<LockImpact | undefined> {
  const {declaration, packages, policy} = await readRequest(request, ports)
  const own = {kind: 'content', packages, policy, ...present({declaration})} as const
  const objects = declaration?.content.usage?.objects ?? []
  if (before === undefined || objects.length === 0 || !isChanged(before, after)) return undefined
  const paths = new Map(objects.map(path => [ports.inputs.beside(request.file, path), path]))
  const {files, ...others} = await ports.usage.objects([...paths.keys()])
  const {impact, failures} = await packageImpact(
    {
      before: {...own, lock: before},
      after: {...own, lock: after},
      ...{files, ...others},
    },
    ports,
    await ports.usage.judge(),
  )
  expectJudged(failures.unreadable, {unread: impact.unreadCrds})
  const rejecting = rejectingTeam(policy.teams)
  const shown = withPaths(impact, ports.inputs.beside(request.file, '.'))
  const warnings = [
    ...failures.empty.map(path => emptyWarning(paths.get(path) ?? path)),
    ...tagPackages(before, after).flatMap(contentWarning),
  ]
  return {...splitImpact(shown, before, after, rejecting === undefined), warnings, ...nameOf(rejecting)}
}

function rejectingTeam(teams: RequestPolicy['teams']): {readonly file: string} | undefined {
  return teams?.find(({reject}) => reject?.acceptedImpacts !== undefined)
}

/** Throws `policy-refused` for effects on a cluster that a user accepts, and a policy does not. */
export function expectAcceptable(teams: RequestPolicy['teams']): void {
  const rejecting = rejectingTeam(teams)
  if (rejecting !== undefined) throw notAcceptable(rejecting.file)
}

function nameOf(policy: {readonly file: string} | undefined): Pick<LockImpact, 'rejectedBy'> {
  return policy === undefined ? {} : {rejectedBy: policy.file}
}

/** Packages that are added break nothing that is used. */
function isChanged(before: Lock, after: Lock): boolean {
  const versions = lockedVersions(after)
  return (
    [...lockedVersions(before)].some(([name, version]) => versions.get(name) !== version) ||
    tagPackages(before, after).some(({isOther}) => isOther)
  )
}

/** A package that both locks have under one tag, without a digest. */
interface TagPackage {
  readonly name: string
  /** Whether its content is known to be another one. */
  readonly isOther: boolean
}

/** Returns the packages whose content can change without another version: both sides read what there is now. */
export function tagPackages(before: Lock, after: Lock): readonly TagPackage[] {
  const [old, now] = [undigested(before), undigested(after)]
  return [...now].flatMap(([name, {tag, summaryHash}]) => {
    const former = old.get(name)
    if (former === undefined || former.tag !== tag) return []
    return [{name, isOther: former.summaryHash !== summaryHash}]
  })
}

function undigested({packages, xpkgs = []}: Lock) {
  const all = [...xpkgs, ...packages.map(({identity, ...own}) => ({repository: identity, ...own}))]
  return new Map(all.flatMap(own => (own.digest === undefined ? [[own.repository, own] as const] : [])))
}

function contentWarning({name, isOther}: TagPackage): readonly Diagnostic[] {
  if (!isOther) return []
  const message = `${name} has other content under the same tag, and no digest: its effects on objects are not judged`
  return [{severity: 'warning', rule: 'usage-impact', message}]
}

/** The same objects have the same paths wherever the repository is. */
function withPaths(impact: PackageImpact, folder: string): PackageImpact {
  const named = (findings: readonly UsageFinding[]) => withFiles(findings, file => pathFrom(folder, file))
  return {...impact, findings: named(impact.findings), invalid: named(impact.invalid)}
}

function splitImpact(
  impact: PackageImpact,
  before: Lock,
  after: Lock,
  isAllowed: boolean,
): Omit<LockImpact, 'rejectedBy' | 'warnings'> {
  const stopping = stoppingFindings(impact.findings)
  const impacts = acceptedImpacts(stopping, lockedVersions(before), lockedVersions(after))
  const packages = acceptedPackages(impacts, isAllowed ? after.acceptedImpacts : {})
  const isAccepted = ({package: name = ''}: UsageFinding) => packages.has(name)
  return {
    ...{impact, impacts},
    accepted: stopping.filter(isAccepted),
    open: stopping.filter(finding => !isAccepted(finding)),
  }
}

/** Accepts all that a change does to objects: returns the lock that records it. Throws `policy-refused`. */
export function withAccepted(lock: Lock, {impacts, open, rejectedBy}: LockImpact): Lock {
  if (open.length === 0) return lock
  if (rejectedBy !== undefined) throw notAcceptable(rejectedBy)
  return withImpacts(lock, {...lock.acceptedImpacts, ...impacts})
}

function notAcceptable(policy: string): CrossplaneError {
  const message = `cannot accept the effects on objects: the policy ${policy} rejects it (reject.acceptedImpacts)`
  return new CrossplaneError('policy-refused', message, {
    suggestions: ['Leave out --accept-impact, and change the objects or select other versions.'],
  })
}

/** The most effects that an error names. */
const MAX_NAMED = 5

/** Returns the reasons for which a change must not be made without acceptance: the worst effects on objects. */
function impactRejections(
  {open}: Pick<LockImpact, 'open'>,
  suggestions: readonly string[],
): readonly Diagnostic[] {
  const lines = impactLines(open)
  const left = lines.length - MAX_NAMED
  return lines.slice(0, MAX_NAMED).map(({verdicts, source, about, message}, index) => {
    const more = index === MAX_NAMED - 1 && left > 0 ? `; and ${count(left, 'more effect')}` : ''
    return {
      ...{severity: 'error', rule: 'usage-impact', ...source, suggestions},
      message: `${about}: ${verdicts.join(', ')}: ${message}${more}`,
    }
  })
}

/** Returns the same for a declaration in a file; `command` shows all effects. */
export function fileRejections(
  {open, rejectedBy}: Pick<LockImpact, 'open' | 'rejectedBy'>,
  declaration: string,
  command: string | undefined,
): readonly Diagnostic[] {
  const folder = pathBeside(declaration, '..')
  const placed = withFiles(open, file => pathBeside(folder, file))
  return impactRejections({open: placed}, [
    ...(command === undefined ? [] : [command]),
    ...(rejectedBy === undefined
      ? ['Pass --accept-impact to record in the lock that these effects are accepted.']
      : []),
  ])
}

/** Returns what a plan says about objects: how many are concerned, and what is not judged. */
export function impactNotes({
  impact,
  warnings,
}: Pick<LockImpact, 'impact' | 'warnings'>): readonly Diagnostic[] {
  const message = `effects on ${impactSummary(impact)}`
  return [{severity: 'note', rule: 'usage-impact', message}, ...warnings]
}
