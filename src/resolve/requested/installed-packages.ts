import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {crdName, formatSummary, type PackageSummary} from '../../index/package-summary.js'
import type {Summaries} from '../../index/summaries.js'
import {contentText} from '../../index/summary-of.js'
import {present} from '../../present.js'
import type {Fact} from '../facts.js'
import type {PackageVersion} from '../catalog/catalog.js'
import {defaultNameOf, type Places} from '../placement.js'
import type {Identify} from '../requirement.js'
import type {Preference, Root} from '../solver-input.js'
import type {InstalledPackage, InstalledState} from './installed-package.js'
import {installedRoles} from './installed-roles.js'
import {unsatisfiedRequirements} from './unsatisfied-requirements.js'
import {listSome} from '../../text.js'

/** The inputs of a resolution from installed packages. */
export interface InstalledInput {
  readonly facts: readonly Fact[]
  readonly preferences: readonly Preference[]
  /** The roots of the user, then the installs that stay. */
  readonly roots: readonly Root[]
  /** The installs of the roots that the user did not request, in their order. */
  readonly kept: readonly InstalledPackage[]
  /** The installs whose package is not available; their CRDs are facts. */
  readonly missing: readonly InstalledPackage[]
  /** The installs that the command does not name, and which stay whatever is resolved. */
  readonly apart: readonly InstalledPackage[]
  /** Installed versions that the available sources do not have, read by their digests. */
  readonly read: readonly PackageSummary[]
  /** The roots without the installed versions and pins that the command does not name; undefined if there are none. */
  readonly relaxed?: readonly Root[]
  readonly notes: readonly Diagnostic[]
}

/** The sources of installed packages. */
interface InstalledSources {
  readonly readSummaries: readonly PackageSummary[]
  readonly available: Summaries
  /** Reads a version by its digest; undefined if that is not possible. */
  readonly read: (version: PackageVersion) => Promise<PackageSummary | undefined>
  /** Facts that do not come from the cluster. */
  readonly facts: readonly Fact[]
  readonly identify: Identify
}

/**
 * Converts the content of a cluster to inputs of the solver. All installs are requested again, those that the command
 * does not name in exactly their versions, so that it changes only what it names. A CRD that an install owns is not a
 * fact: otherwise an installed dependency would be missing in the resolution, and pruned.
 */
export async function installedInput(
  state: InstalledState,
  requested: readonly Root[],
  sources: InstalledSources,
  places: Places,
): Promise<InstalledInput> {
  const roles = installedRoles(state, requested, places)
  const packages = state.packages.filter(installed => roles.get(installed) !== 'ignored')
  const ignored = state.packages.filter(installed => roles.get(installed) === 'ignored')
  const isReplaced = replacedBy(requested, places)
  const versions = await Promise.all(
    packages.map(installed => versionsOf(installed, isReplaced(installed), sources)),
  )
  const isMoved = (installed: InstalledPackage) => ['named', 'free'].includes(roles.get(installed) ?? '')
  const isAvailable = packages.map((installed, index) => {
    const {own, others} = versions[index] ?? NO_VERSIONS
    return own !== undefined || (isMoved(installed) && others.length > 0)
  })
  const available = packages.filter((_, index) => isAvailable[index])
  const missing = packages.filter((_, index) => isAvailable[index] !== true)
  const summaries = new Map(
    packages.flatMap((installed, index) => {
      const own = versions[index]?.own
      return own === undefined || isAvailable[index] !== true ? [] : [[installed, own] as const]
    }),
  )
  const owned = ownedCrds(available, [...summaries.values()])
  const facts = state.served.filter(({plural, group}) => !owned.has(`${plural}.${group}`))
  const apart = available.filter(installed => roles.get(installed) === 'apart')
  const kept = available.filter(
    installed =>
      roles.get(installed) !== 'apart' && !requested.some(root => isRequestOf(root, installed, places)),
  )
  const isFixed = (installed: InstalledPackage) => roles.get(installed) === 'fixed'
  const waived = unsatisfiedRequirements(summaries, {
    isFixed,
    isApart: installed => apart.includes(installed),
    facts: [...facts, ...sources.facts],
    identify: sources.identify,
  })
  return {
    facts,
    preferences: available
      .filter(installed => !isSuperseded(installed, apart, available))
      .map(installed => ({
        ...preferenceOf(installed, state.upgraded.has(installed.identity)),
        waived: waived.get(installed) ?? [],
      })),
    roots: [
      ...requested,
      ...kept.map(installed => (isFixed(installed) ? fixedRoot(installed) : rootOf(installed))),
    ],
    kept,
    missing,
    apart,
    read: versions.flatMap(({read}) => read ?? []),
    ...(kept.length > 0 ? {relaxed: [...requested, ...kept.map(floatingRoot)]} : {}),
    notes: [...missingNotes(missing), ...ignoredNotes(ignored), ...apartNotes(apart)],
  }
}

/** An install that stays apart is no preference where others of its package are named. */
function isSuperseded(
  installedPackage: InstalledPackage,
  apart: readonly InstalledPackage[],
  availablePackages: readonly InstalledPackage[],
): boolean {
  return (
    apart.includes(installedPackage) &&
    availablePackages.some(other => other.identity === installedPackage.identity && !apart.includes(other))
  )
}

/** A root for exactly the installed version. */
function fixedRoot({identity, tag, digest, namespace, name}: InstalledPackage): Root {
  const requirement = {form: 'package', text: `${identity}:${tag}`, identity, tag} as const
  return {requirement: digest === undefined ? requirement : {...requirement, digest}, namespace, name}
}

/** A root for any version. */
function floatingRoot({identity, namespace, name}: InstalledPackage): Root {
  return {requirement: {form: 'package', text: identity, identity}, namespace, name}
}

interface Versions {
  /** The installed version. */
  readonly own?: PackageSummary
  /** The installed version, if it was read by its digest. */
  readonly read?: PackageSummary
  readonly others: readonly PackageSummary[]
}

const NO_VERSIONS: Versions = {others: []}

/**
 * Reads an installed version by its digest where a source has its package, but not these bytes, and where entries of
 * these bytes contradict each other or the inventory: write access to an index is enough to add one.
 */
async function versionsOf(
  installed: InstalledPackage,
  isReplaced: boolean,
  {readSummaries, available, read}: InstalledSources,
): Promise<Versions> {
  const {identity, tag, digest} = installed
  const {summaries} = await available.ofPackage(identity)
  const others = [...readSummaries.filter(summary => summary.identity === identity), ...summaries]
  const entries = others.filter(version => isVersion(installed, version))
  const [own] = entries
  const isRead = own === undefined || isContradicted(entries, installed)
  if (!isRead || digest === undefined || others.length === 0) return {others, ...present({own})}
  const bytes = await readBytes({identity, tag, digest}, read, own !== undefined || isReplaced)
  return bytes === undefined ? {others, ...present({own})} : {own: bytes, read: bytes, others}
}

function isContradicted(entries: readonly PackageSummary[], {crds}: InstalledPackage): boolean {
  if (entries.length > 1 && new Set(entries.map(contentText)).size > 1) return true
  const owned = new Set(entries.flatMap(entry => entry.crds.map(crdName)))
  return crds.some(crd => !owned.has(crd))
}

/** The failure counts only if the version is needed: not with an entry of it, nor where the command replaces it. */
async function readBytes(
  version: PackageVersion,
  read: InstalledSources['read'],
  isOptional: boolean,
): Promise<PackageSummary | undefined> {
  try {
    return await read(version)
  } catch (error) {
    if (!isOptional || !(error instanceof CrossplaneError)) throw error
    return undefined
  }
}

/** A tag that has moved since is another version. */
function isVersion({tag, digest}: InstalledPackage, summary: PackageSummary): boolean {
  return tag === summary.tag && (digest === undefined || digest === summary.digest)
}

function isOf(requirement: Root['requirement'], identity: string): boolean {
  return requirement.form === 'package' && requirement.identity === identity
}

/** Reports whether a request is for an install that exists: then it replaces the former request. */
function isRequestOf(
  {requirement, namespace, name}: Root,
  installed: InstalledPackage,
  {systemNamespace, contextNamespace}: Places,
): boolean {
  if (!isOf(requirement, installed.identity)) return false
  const place = namespace ?? (installed.scope === 'Cluster' ? systemNamespace : contextNamespace)
  return installed.namespace === place && installed.name === (name ?? defaultNameOf(installed.identity))
}

/** The CRDs of installs, by their inventories and by the packages that were read. */
function ownedCrds(
  installs: readonly InstalledPackage[],
  summaries: readonly PackageSummary[],
): ReadonlySet<string> {
  return new Set([...installs.flatMap(({crds}) => crds), ...summaries.flatMap(({crds}) => crds.map(crdName))])
}

/** Reports whether a request puts another version in the place of an install. */
function replacedBy(requested: readonly Root[], places: Places): (installed: InstalledPackage) => boolean {
  return installed =>
    requested.some(root => {
      const {requirement} = root
      if (requirement.form !== 'package' || !isRequestOf(root, installed, places)) return false
      return requirement.tag !== undefined && requirement.tag !== installed.tag
    })
}

function rootOf({identity, pin = {}, namespace, name}: InstalledPackage): Root {
  const text = pin.tag === undefined ? identity : `${identity}:${pin.tag}`
  return {requirement: {form: 'package', text, identity, ...pin}, namespace, name}
}

function preferenceOf(
  {identity, tag, digest, for: dependents, acceptedMismatches = []}: InstalledPackage,
  isUpgraded: boolean,
): Preference {
  return {
    identity,
    tag,
    digest,
    because: 'installed',
    satisfies: Object.values(dependents).flat(),
    accepted: acceptedMismatches.map(({crd, owner}) => ({text: crd, owner})),
    ...(isUpgraded ? {isUpgraded} : {}),
  }
}

function ignoredNotes(ignored: readonly InstalledPackage[]): Diagnostic[] {
  if (ignored.length === 0) return []
  const names = ignored.map(
    installedPackage =>
      `${formatSummary(installedPackage)} (${installedPackage.namespace}/${installedPackage.name})`,
  )
  const message = `requests in other namespaces are ignored: ${listSome(names)}`
  return [{severity: 'note', rule: 'request-ignored', message}]
}

function apartNotes(apart: readonly InstalledPackage[]): Diagnostic[] {
  if (apart.length === 0) return []
  const names = apart.map(
    installedPackage =>
      `${formatSummary(installedPackage)} (${installedPackage.namespace}/${installedPackage.name})`,
  )
  const message = `installs of one package have different versions, and stay as they are: ${listSome(names)}`
  return [{severity: 'note', rule: 'installed-versions-differ', message}]
}

/** The rule of the note on installed packages that no source has: expected where there are no sources. */
export const MISSING_RULE = 'installed-package-missing'

function missingNotes(missing: readonly InstalledPackage[]): Diagnostic[] {
  if (missing.length === 0) return []
  const names = missing.map(
    installedPackage =>
      `${formatSummary(installedPackage)} (${installedPackage.namespace}/${installedPackage.name})`,
  )
  const message = `installed packages that no folder or index has: ${listSome(names)}; their CRDs are assumed to stay as they are`
  return [{severity: 'note', rule: MISSING_RULE, message}]
}
