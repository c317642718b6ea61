import {grouped} from '../../grouped.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import {contentText} from '../../index/summary-of.js'
import {compareVersions, isStable} from '../../reference/newest-version.js'
import {matchingCrds, parseCrdRequirement, type Requirement, requirementOf} from '../requirement.js'
import type {Resolution} from '../resolution.js'
import {sketch} from '../sketch.js'
import type {Solved} from '../solve.js'
import type {SolverInput} from '../solver-input.js'

/** Returns the versions in a resolution, or in the partial graph of the request if there is none. */
export function shownIn(input: SolverInput, solved: Solved): PackageSummary[] {
  const {packages} = solved.kind === 'resolved' ? solved.resolution : sketch(input, solved)
  return packages.map(({summary}) => summary)
}

/**
 * The twins that may have decided a result. A package of which only twins exist is a candidate owner all the same, so of a
 * resolution only those of its packages count, and of what newer versions of them require: write access to an index must
 * not make a command contact other registries.
 */
export function decidingTwins(
  input: SolverInput,
  solved: Solved,
  open: readonly PackageSummary[],
): PackageSummary[] {
  if (solved.kind === 'rejected') return twinsIn(open)
  const selected = solved.resolution.packages.map(({summary}) => summary.identity)
  const deciding = new Set([...selected, ...requiredByNewer(input, solved.resolution, open)])
  return twinsIn(open.filter(({identity}) => deciding.has(identity)))
}

/** The packages that newer versions of the selected ones require, directly or not. A lock holds back by itself. */
function requiredByNewer(
  input: SolverInput,
  {packages}: Resolution,
  open: readonly PackageSummary[],
): ReadonlySet<string> {
  const unlocked = packages.flatMap(({summary}) => (isLocked(summary, input) ? [] : [summary]))
  const byIdentity = grouped(open, ({identity}) => identity)
  const required = new Set<string>()
  const seen = new Set<string>()
  const left = newerThan(unlocked, open)
  for (let summary = left.pop(); summary !== undefined; summary = left.pop()) {
    for (const dependency of summary.dependsOn) {
      const requirement = requirementOf(dependency, input.identify)
      if (seen.has(requirement.text)) continue
      seen.add(requirement.text)
      for (const identity of identitiesFor(requirement, open)) {
        if (!required.has(identity)) left.push(...(byIdentity.get(identity) ?? []))
        required.add(identity)
      }
    }
  }
  return required
}

/** The packages that can satisfy a requirement by what their entries say. */
function identitiesFor(requirement: Requirement, open: readonly PackageSummary[]): readonly string[] {
  if (requirement.form === 'package') return [requirement.identity]
  return open.filter(({crds}) => matchingCrds(requirement, crds).length > 0).map(({identity}) => identity)
}

/** Entries for a tag that other entries describe differently: they hide the version that is published under it. */
function twinsIn(open: readonly PackageSummary[]): PackageSummary[] {
  return [...grouped(open, formatSummary).values()].flatMap(same =>
    same.length > 1 && new Set(same.map(contentText)).size > 1 ? same : [],
  )
}

/** The entries of twins that describe the same bytes differently. */
export function contestedIn(twins: readonly PackageSummary[]): PackageSummary[] {
  const byBytes = grouped(twins, summary => `${formatSummary(summary)}@${summary.digest ?? ''}`)
  return [...byBytes.values()].filter(({length}) => length > 1).flat()
}

/**
 * The versions that make packages candidate owners where this may decide, by CRD and package, newest first. None for a
 * resolution with the newest versions. For another resolution, only packages that take precedence over others.
 */
export function decidingCandidates(
  input: SolverInput,
  solved: Solved,
  open: readonly PackageSummary[],
): (readonly PackageSummary[])[] {
  if (solved.kind === 'rejected') return requiredNames(input, open).flatMap(name => candidatesFor(name, open))
  if (!isHeldBack(solved.resolution, open)) return []
  const first = new Set(precedingIdentities(input, open))
  return requiredNames(input, open)
    .flatMap(name => candidatesFor(name, open))
    .filter(([version]) => version !== undefined && first.has(version.identity))
}

function isHeldBack({packages}: Resolution, open: readonly PackageSummary[]): boolean {
  const selected = packages.map(({summary}) => summary)
  return newerThan(selected, open).length > 0
}

/** Returns the stable versions that are newer than the selected ones of their packages. */
function newerThan(selected: readonly PackageSummary[], open: readonly PackageSummary[]): PackageSummary[] {
  const tags = new Map(selected.map(({identity, tag}) => [identity, tag]))
  return open.filter(({identity, tag}) => {
    const own = tags.get(identity)
    return own !== undefined && isStable(tag) && compareVersions(tag, own) < 0
  })
}

/** Packages that are owners before others: requested, named in `dependsOn`, trusted, or selected before. */
function precedingIdentities(
  {roots, owners, preferences, identify}: SolverInput,
  open: readonly PackageSummary[],
): string[] {
  const requirements = [
    ...roots.map(({requirement}) => requirement),
    ...open.flatMap(({dependsOn}) => dependsOn.map(dependency => requirementOf(dependency, identify))),
  ]
  return [
    ...requirements.flatMap(requirement => (requirement.form === 'package' ? [requirement.identity] : [])),
    ...[...owners, ...preferences].map(({identity}) => identity),
  ]
}

/** The names of CRDs that are requested or that a package requires. */
function requiredNames({roots, identify}: SolverInput, open: readonly PackageSummary[]): string[] {
  const requirements = [
    ...roots.map(({requirement}) => requirement),
    ...open.flatMap(({dependsOn}) => dependsOn.map(dependency => requirementOf(dependency, identify))),
  ]
  return [
    ...new Set(
      requirements.flatMap(requirement =>
        requirement.form === 'crd' ? `${requirement.resource}.${requirement.group}` : [],
      ),
    ),
  ]
}

/** The versions that make packages candidate owners of a CRD, newest first; none if only one package is. */
function candidatesFor(name: string, open: readonly PackageSummary[]): (readonly PackageSummary[])[] {
  const requirement = parseCrdRequirement(name)
  const owning = open.filter(({tag, crds}) => isStable(tag) && matchingCrds(requirement, crds).length > 0)
  const candidates = [...grouped(owning, ({identity}) => identity).values()]
  if (candidates.length < 2) return []
  return candidates.map(versions => [...versions].sort((a, b) => compareVersions(a.tag, b.tag)))
}

/** The versions that are not excluded. */
export function openSummaries({summaries, excluded}: SolverInput): PackageSummary[] {
  const byName = grouped(excluded, formatSummary)
  return summaries.filter(
    summary =>
      !(byName.get(formatSummary(summary)) ?? []).some(
        ({digest}) => digest === undefined || digest === summary.digest,
      ),
  )
}

/** Reports whether a version is locked or installed with this digest. */
export function isLocked({identity, tag, digest}: PackageSummary, {preferences}: SolverInput): boolean {
  return preferences.some(
    preference =>
      preference.isUpgraded !== true &&
      preference.identity === identity &&
      preference.tag === tag &&
      preference.digest === digest,
  )
}
