import type {DeclaredParameters} from '../../declaration/declaration.js'
import type {RenderingSettings} from '../../declaration/render-settings.js'
import type {Diagnostic} from '../../diagnostic.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import type {Summaries} from '../../index/summaries.js'
import type {EraName} from '../../reference/era-name.js'
import type {InstallId} from '../../reference/install-id.js'
import type {AcceptedMismatch, VersionPin} from '../resolution.js'
import type {Fact} from '../facts.js'
import {defaultNameOf, type Places} from '../placement.js'
import type {Preference, Root} from '../solver-input.js'
import {listSome} from '../../text.js'
import type {PermissionScope} from '../../unpack/package.js'

/** The packages and CRDs of a cluster, for resolving packages for it. */
export interface InstalledState {
  /** The CRDs that the cluster serves, also those that installs own. */
  readonly served: readonly Fact[]
  readonly packages: readonly InstalledPackage[]
  /** Identities whose versions are not kept. */
  readonly upgraded: ReadonlySet<string>
}

/** A package that a cluster has: an inventory or a request object names it. */
export interface InstalledPackage extends InstallId {
  readonly identity: string
  readonly tag: string
  readonly digest?: string
  readonly era: EraName
  readonly scope: PermissionScope
  /** The version that its request is restricted to. */
  readonly pin?: VersionPin
  /** The CRDs that it is known to own, as PLURAL.GROUP. */
  readonly crds: readonly string[]
  readonly mode: 'requested' | 'auto'
  readonly for: Readonly<Record<string, readonly string[]>>
  readonly acceptedMismatches?: readonly AcceptedMismatch[]
  /** Absent where another program carries out a request. */
  readonly inventory?: {
    readonly settings: InstalledSettings
    /** Whether its request object is one of its objects. */
    readonly hasRequest: boolean
    /** The settings that it was rendered with, other than the defaults. */
    readonly rendering?: RenderingSettings
  }
}

/** The parameters that an install was rendered with. */
interface InstalledSettings extends DeclaredParameters {
  readonly scope: PermissionScope
  /** The fields of its request object that are kept as written. */
  readonly written: {readonly crd?: string}
}

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
  readonly notes: readonly Diagnostic[]
}

/**
 * Converts the content of a cluster to inputs of the solver. All installs are requested again, so that no version
 * changes under one that requires it. A CRD that an install owns is not a fact: otherwise an installed dependency
 * would be missing in the resolution, and pruned.
 */
export async function installedInput(
  {served, packages, upgraded}: InstalledState,
  requested: readonly Root[],
  given: readonly PackageSummary[],
  available: Summaries,
  places: Places,
): Promise<InstalledInput> {
  const found = await Promise.all(packages.map(each => summariesOf(each, given, available)))
  const isMoved = ({identity}: InstalledPackage) =>
    upgraded.has(identity) || requested.some(({requirement}) => isOf(requirement, identity))
  const isFound = packages.map((each, index) => {
    const versions = found[index] ?? []
    return versions.some(version => isVersion(each, version)) || (isMoved(each) && versions.length > 0)
  })
  const known = packages.filter((_, index) => isFound[index])
  const missing = packages.filter((_, index) => isFound[index] !== true)
  const owned = new Set([
    ...known.flatMap(({crds}) => crds),
    ...found.flatMap((versions, index) =>
      versions
        .filter(({tag}) => isFound[index] === true && tag === packages[index]?.tag)
        .flatMap(({crds}) => crds.map(({plural, group}) => `${plural}.${group}`)),
    ),
  ])
  const kept = known.filter(each => !requested.some(root => isRequestOf(root, each, places)))
  return {
    facts: served.filter(({plural, group}) => !owned.has(`${plural}.${group}`)),
    preferences: known.map(each => preferenceOf(each, upgraded.has(each.identity))),
    roots: [...requested, ...kept.map(rootOf)],
    kept,
    missing,
    notes: missingNotes(missing),
  }
}

/** A tag that has moved since is another version. */
function isVersion({tag, digest}: InstalledPackage, summary: PackageSummary): boolean {
  return tag === summary.tag && (digest === undefined || digest === summary.digest)
}

async function summariesOf(
  {identity}: InstalledPackage,
  given: readonly PackageSummary[],
  available: Summaries,
): Promise<readonly PackageSummary[]> {
  const {summaries} = await available.ofPackage(identity)
  return [...given.filter(each => each.identity === identity), ...summaries]
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

function missingNotes(missing: readonly InstalledPackage[]): Diagnostic[] {
  if (missing.length === 0) return []
  const names = missing.map(each => `${formatSummary(each)} (${each.namespace}/${each.name})`)
  const message = `installed packages that no folder or index has: ${listSome(names)}; their CRDs are assumed to stay as they are`
  return [{severity: 'note', rule: 'installed-package-missing', message}]
}
