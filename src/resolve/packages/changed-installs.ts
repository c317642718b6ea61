import type {InstallId} from '../../reference/install-id.js'
import type {AcceptedMismatch, PlannedInstall} from '../resolution.js'
import {writeJson} from '../../yaml/write-yaml.js'
import type {InstalledPackage} from '../requested/installed-package.js'
import type {InstalledInput} from '../requested/installed-packages.js'
import {acceptedMismatches, requirementsByDependent} from '../lock/lock-of.js'
import type {RequestedRoot} from '../requested/requested-roots.js'

/** The known state of a cluster besides a resolution for it. */
export interface AnswerContext extends Pick<InstalledInput, 'kept' | 'missing' | 'apart'> {
  readonly requested: readonly RequestedRoot[]
  readonly packages: readonly InstalledPackage[]
}

/**
 * Returns the installs of a resolution that a change is about: those that the user requests, their dependencies, and
 * other installs that the resolution changes. An install that another program manages is left to it unless the user
 * requests it.
 */
export function changedInstalls(
  installs: readonly PlannedInstall[],
  context: AnswerContext,
): readonly PlannedInstall[] {
  const all = installs.map(install => withMissingDependents(install, context))
  const requested = requestedInstalls(all, context)
  return all
    .filter(install => {
      const before = context.packages.find(installedPackage => isSame(installedPackage, install))
      if (before === undefined || isRequested(install, context)) return true
      if (context.apart.includes(before)) return false
      if (before.inventory === undefined) return false
      return requested.has(idOf(install)) || isChanged(before, install, context)
    })
    .map(install => ({...install, requestedBy: requestsOf(install, context)}))
}

/** The requested installs, and those that they require, as NAMESPACE/NAME. */
export function requestedInstalls(
  installs: readonly PlannedInstall[],
  context: Pick<AnswerContext, 'requested'>,
): ReadonlySet<string> {
  const ids = new Set(installs.filter(install => isRequested(install, context)).map(idOf))
  // The set grows while it is walked.
  for (const dependent of ids) {
    for (const install of installs) {
      if (install.for.some(({by}) => by === dependent)) ids.add(idOf(install))
    }
  }
  return ids
}

function isRequested({requestedBy}: PlannedInstall, {requested}: Pick<AnswerContext, 'requested'>): boolean {
  return requestedBy.some(index => index < requested.length)
}

/** The requests that make an install a requested one: those of installs that only packages require do not. */
function requestsOf({requestedBy}: PlannedInstall, {requested, kept}: AnswerContext): readonly number[] {
  return requestedBy.filter(index => {
    const former = index < requested.length ? requested[index]?.former : kept[index - requested.length]
    return former?.mode !== 'auto'
  })
}

/**
 * Keeps the requirements of dependents whose packages are not available, which the inventory has and the resolution
 * lacks.
 */
function withMissingDependents(
  install: PlannedInstall,
  {packages, missing}: Pick<AnswerContext, 'packages' | 'missing'>,
): PlannedInstall {
  const before = packages.find(installedPackage => isSame(installedPackage, install))?.for ?? {}
  const dependents = new Set(missing.map(idOf))
  const kept = Object.entries(before)
    .filter(([by]) => dependents.has(by))
    .flatMap(([by, texts]) => texts.map(text => ({by, text})))
  return {...install, for: [...install.for, ...kept]}
}

function isChanged(before: InstalledPackage, install: PlannedInstall, context: AnswerContext): boolean {
  const {identity, tag, digest} = install.summary
  const mode = requestsOf(install, context).length > 0 ? 'requested' : 'auto'
  return (
    before.identity !== identity ||
    before.tag !== tag ||
    before.digest !== digest ||
    before.mode !== mode ||
    writeJson(before.for) !== writeJson(requirementsByDependent(install.for)) ||
    mismatchText(before.acceptedMismatches ?? []) !== mismatchText(acceptedMismatches(install))
  )
}

function mismatchText(mismatches: readonly AcceptedMismatch[]): string {
  return writeJson(mismatches.map(({crd, owner}) => [crd, owner]))
}

function isSame(a: InstallId, b: InstallId): boolean {
  return a.namespace === b.namespace && a.name === b.name
}

function idOf({namespace, name}: InstallId): string {
  return `${namespace}/${name}`
}
