import type {Lock, LockedInstall, LockedMismatch, LockedPackage} from '../../declaration/lock.js'
import type {PackageSummary} from '../../index/package-summary.js'
import {summaryText} from '../../index/summary-of.js'
import {formatImageName} from '../../reference/image-name.js'
import type {InstallTarget} from '../../reference/install-target.js'
import {formatPackageReference} from '../../reference/package-reference.js'
import type {SolverInput} from '../solver-input.js'
import type {Identify} from '../requirement.js'
import type {AcceptedMismatch, SatisfiedRequirement, PlannedInstall, Resolution} from '../resolution.js'
import {writeJson} from '../../yaml/write-yaml.js'
import {compareText} from '../../reference/compare-text.js'
import {emptyLock, hashedSettings, hashOf, type LockedPolicy} from './empty-lock.js'

/** A requested package or CRD, with its namespace and name. */
interface LockedRequest {
  readonly target: InstallTarget
  readonly range?: string
  readonly asPackage?: string
  readonly namespace?: string
  readonly name?: string
}

/** Returns the lock that selects the same answer again. */
export function lockOf(
  {input, resolution}: {readonly input: SolverInput; readonly resolution: Resolution},
  requested: readonly LockedRequest[],
  policy: LockedPolicy,
): Lock {
  const packages = resolution.packages.map(({summary}) =>
    lockedPackage(summary, resolution.installs, input, requested),
  )
  return {
    ...emptyLock(policy, input.owners),
    packages: packages.sort((a, b) => compareText(a.identity, b.identity)),
    acceptedMismatches: mismatches(resolution),
    assumptions: assumptions(resolution),
    assumedBy: assumedBy(resolution),
  }
}

function lockedPackage(
  summary: PackageSummary,
  installs: readonly PlannedInstall[],
  input: SolverInput,
  requested: readonly LockedRequest[],
): LockedPackage {
  const {identity, tag, version, digest} = summary
  return {
    identity,
    tag,
    version,
    digest,
    summaryHash: summaryHash(summary),
    installs: installs
      .filter(install => install.summary.identity === identity)
      .map(install => lockedInstall(install, input, requested))
      .sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name)),
    more: {},
  }
}

function lockedInstall(
  {namespace, name, requestedBy, for: requirements}: PlannedInstall,
  {roots, identify}: SolverInput,
  requested: readonly LockedRequest[],
): LockedInstall {
  const requests = requestedBy.flatMap(index => roots[index]?.requirement ?? [])
  const restrictions = requestedBy.flatMap(index => restrictionOf(requested[index], identify))
  return {
    namespace,
    name,
    mode: requestedBy.length > 0 ? 'requested' : 'auto',
    requestedFor: [...new Set(requests.filter(({form}) => form === 'crd').map(({text}) => text))].sort(),
    ...(restrictions.length === 0 ? {} : {requestedAs: [...new Set(restrictions)].sort()}),
    for: requirementsByDependent(requirements),
    more: {},
  }
}

/** Returns the requirements of an install that the owners do not serve, in the terms of inventories. */
export function acceptedMismatches({accepted = []}: PlannedInstall): readonly AcceptedMismatch[] {
  return accepted.map(({text, owner}) => ({crd: text, owner}))
}

/** Groups requirements by the dependent install; sorted. */
export function requirementsByDependent(
  requirements: PlannedInstall['for'],
): Readonly<Record<string, readonly string[]>> {
  const texts = new Map<string, Set<string>>()
  for (const {by, text} of requirements) texts.set(by, (texts.get(by) ?? new Set()).add(text))
  return Object.fromEntries([...texts].map(([by, value]) => [by, [...value].sort()]))
}

/** The tag, digest or range that a request restricts its package to. */
function restrictionOf(request: LockedRequest | undefined, identify: Identify): string[] {
  if (request?.target.kind !== 'image') return []
  const {target, range} = request
  if (range !== undefined) return [`${targetText(target, identify)} ${range}`]
  const {tag, digest} = target.name
  return tag === undefined && digest === undefined ? [] : [targetText(target, identify)]
}

function mismatches({packages, roots}: Resolution): LockedMismatch[] {
  return [
    ...roots.flatMap(requirement => mismatch(requirement)),
    ...packages.flatMap(({summary, requirements}) =>
      requirements.flatMap(requirement => mismatch(requirement, summary.identity)),
    ),
  ]
}

function mismatch({requirement, by}: SatisfiedRequirement, dependent?: string): LockedMismatch[] {
  if (by.kind !== 'package' || !by.isMismatch) return []
  return [
    {
      crd: requirement.text,
      owner: by.identity,
      requirer: dependent,
      more: {},
    },
  ]
}

function assumptions({packages, roots}: Resolution): Record<string, string> {
  const requirements = [...roots, ...packages.flatMap(selectedPackage => selectedPackage.requirements)]
  const satisfied = requirements.flatMap(({requirement, by}) =>
    by.kind === 'fact' ? [[requirement.text, by.fact.origin] as const] : [],
  )
  return Object.fromEntries(satisfied.sort(([a], [b]) => compareText(a, b)))
}

function assumedBy({packages}: Resolution): Record<string, readonly string[]> {
  const dependents = new Map<string, Set<string>>()
  for (const {summary, requirements} of packages) {
    for (const {requirement, by} of requirements) {
      if (by.kind !== 'fact') continue
      const {text} = requirement
      dependents.set(text, (dependents.get(text) ?? new Set()).add(summary.identity))
    }
  }
  return Object.fromEntries([...dependents].map(([text, names]) => [text, [...names].sort()]))
}

/** The hash of earlier versions of this program, which covered the request in its order, too. */
export function wholeRequestHash(
  requested: readonly LockedRequest[],
  {facts, ...policy}: LockedPolicy,
  {owners, identify}: SolverInput,
): string {
  const request = requested.map(({target, asPackage = '', namespace = '', name = ''}) => [
    targetText(target, identify),
    asPackage,
    namespace,
    name,
  ])
  return hashOf(writeJson({requested: request, ...hashedSettings(facts, policy, owners)}))
}

/** A request as text, with the full name of its repository. */
function targetText(target: InstallTarget, identify: Identify): string {
  if (target.kind === 'crd') return `crd:${target.crd}`
  if (target.kind !== 'image') return formatPackageReference(target)
  const {tag, digest} = target.name
  const repository = identify(formatImageName(target.name))
  return `${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`
}

/** Hashes a summary. */
export function summaryHash(summary: PackageSummary): string {
  return hashOf(summaryText(summary))
}
