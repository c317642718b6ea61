import {type LockedXpkg} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {type LockedSignatures, statementsAbout} from '../../declaration/locked-signatures.js'
import type {Digest} from '../../fetch/image.js'
import type {YankedVersion} from '../../index/summaries.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import {isDigest} from '../../reference/image-name.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import {type SignerChange, signerChangeNotes} from '../../resolve/signer-changes.js'
import {expectSameSigners} from '../../pipeline/signatures/rendered-images.js'
import {changedSigners} from '../../pipeline/signatures/signed-packages.js'
import {present} from '../../present.js'
import {isBinding, lockBefore} from '../../resolve/lock/held-lock.js'
import type {Budget} from '../../resolve/solver/solver.js'
import {conflictInWords} from '../../resolve/xpkg/conflict-in-words.js'
import {resolveHeld} from '../../resolve/xpkg/held-xpkgs.js'
import {locatedXpkgs, yankedXpkgs} from '../../resolve/xpkg/located-xpkgs.js'
import {lockedXpkgs} from '../../resolve/xpkg/locked-xpkg.js'
import {isUnsatisfied} from '../../resolve/xpkg/all-rejections.js'
import {type PassedOver, passedOverWarnings, yankedNotes} from '../../resolve/xpkg/passed-over-xpkgs.js'
import type {RejectedXpkgs, SelectedXpkg} from '../../resolve/xpkg/resolve-xpkgs.js'
import {versionNotes} from '../../resolve/xpkg/version-notes.js'
import type {XpkgRequest} from '../../resolve/xpkg/xpkg-model.js'
import {givenNames, type XpkgCatalog} from '../../resolve/xpkg/xpkg-catalog.js'
import {xpkgConflicts} from '../../resolve/xpkg/xpkg-conflicts.js'
import {listNames} from '../../text.js'
import {type AllowedSources, fromAllowedSources} from '../allowed-sources.js'
import {platformWarnings} from './platform-warnings.js'
import {type SharedQuery, sharedNotes} from './shared-notes.js'
import {unservedUses} from './unserved-uses.js'
import {coreRules} from '../../xpkg/constraints/constraint-rules.js'
import {requestNames} from '../../xpkg/package-name.js'
import {
  type RequestedXpkg,
  expectConstraints,
  expectNames,
  withVersions,
  withPinned,
  withContents,
} from './requested-xpkg.js'
import {expectSameNames, heldXpkgs, expectAvailable, lockNotes} from './held-closure.js'

/** The packages to resolve together. */
export interface XpkgClosureQuery extends SharedQuery {
  readonly roots: readonly RequestedXpkg[]
  /** Whether the tags of packages that are requested in one version are listed, too. */
  readonly listsPinned?: boolean
  /** By default, any source. */
  readonly sources?: AllowedSources
  readonly budget: Budget
}

/** One version of each package that a request leads to, so that all constraints hold together. */
export interface XpkgClosure {
  readonly roots: readonly RequestedXpkg[]
  /** Breadth-first from the roots. `version` is the tag, or the digest of a package without one. */
  readonly packages: readonly SelectedXpkg[]
  /** The names of their requests, by repository. */
  readonly names: ReadonlyMap<string, string>
  /** The tags of the repositories that were listed. */
  readonly tags: ReadonlyMap<string, readonly string[]>
  /** Warnings about what Crossplane's resolver does not install although the constraints hold. */
  readonly conflicts: readonly Diagnostic[]
  /** These, constraints that its next version reads in another way, and differences from the lock. */
  readonly notes: readonly Diagnostic[]
  /** The entries for a lock, by repository. */
  readonly locked: readonly LockedXpkg[]
  /** What indexes yank, by repository; with a binding lock, no index is read. */
  readonly yanked: ReadonlyMap<string, readonly YankedVersion[]>
  /** Newer versions that could not be read. */
  readonly passedOver: readonly PassedOver[]
  /** The packages that have other signers than in the lock. */
  readonly signerChanges: readonly SignerChange[]
}

/**
 * Resolves packages for a current Crossplane. Throws `unresolvable` with the requirements that cannot be satisfied
 * together, `policy-refused` if that needs a package from another source, and `lock-outdated` if a binding lock differs.
 */
export async function xpkgClosure(query: XpkgClosureQuery, ports: PackagePorts): Promise<XpkgClosure> {
  const {roots, coreVersion, lock, budget, listsPinned = false, sources = ANY_SOURCE} = query
  const tags = new Map<string, readonly string[]>()
  const rules = coreRules(coreVersion)
  expectConstraints(roots, rules)
  expectNames(roots)
  const listed = listing(locatedXpkgs(ports, {offersYanked: listsPinned}), tags)
  if (lock !== undefined) await expectAvailable(roots, lock, ports)
  const offered = withContents(listsPinned ? listed : withPinned(listed, roots), roots)
  const catalog = fromAllowedSources(offered, sources)
  const request = {roots, rules, ...present({coreVersion})}
  const result = await resolveHeld(request, catalog, heldXpkgs(lock), budget)
  if (result.kind === 'rejected') {
    catalog.expectAllowed(result.diagnostics)
    throw rejected(roots, await explained(result, request, {query, listed}), query)
  }
  const {packages} = result
  const names = requestNames(packages, givenNames(roots))
  expectSameNames(lock, packages, givenNames(roots))
  const signed = await signedXpkgs(packages, ports)
  const locked = lockedXpkgs(packages, roots).map(own => ({...own, ...signed.get(own.repository)}))
  const signerChanges = changedSigners(signed, lockBefore(lock), ports.remote.trust)
  expectSameSigners(signerChanges, lock)
  const conflicts = xpkgConflicts(packages, roots)
  const yanked = isBinding(lock) ? new Map<string, never>() : await yankedXpkgs(packages, ports)
  const notes = [
    ...passedOverWarnings(result.passedOver),
    ...yankedNotes(packages, roots, yanked),
    ...(await platformWarnings(packages, roots, ports)),
    ...conflicts,
    ...(await sharedNotes(packages, query, offered)),
    ...unservedUses(
      packages.map(({objects = [], ...one}) => ({
        ...one,
        objects,
        ...present({name: names.get(one.repository)}),
      })),
      query.installed?.functions ?? [],
    ),
    ...versionNotes(packages, roots, coreVersion),
    ...lockNotes(lock, locked),
    ...signerChangeNotes(signerChanges),
  ]
  return {
    roots,
    packages,
    names,
    tags,
    conflicts,
    notes,
    locked,
    signerChanges,
    yanked,
    passedOver: result.passedOver,
  }
}

const ANY_SOURCE: AllowedSources = {teams: undefined}

/** Verifies what was selected, also what was read without its registry; nothing without a policy for signatures. */
export async function signedXpkgs(
  packages: readonly SelectedXpkg[],
  {remote}: PackagePorts,
): Promise<ReadonlyMap<string, LockedSignatures>> {
  const signed = new Map<string, LockedSignatures>()
  if (remote.trust === undefined) return signed
  for (const {repository, version, digest} of packages) {
    const name = parsePackageImage(repository)
    const own = [version, digest].find(text => text !== undefined && isDigest(text))
    const read = new RemoteRepository(name, remote)
    const about = digestIn(own)
    signed.set(repository, {signatures: statementsAbout(about, (await read.expectTrusted(about)) ?? [])})
  }
  return signed
}

function digestIn(text: string | undefined): Digest | undefined {
  return text !== undefined && isDigest(text) ? text : undefined
}

interface Explaining {
  readonly query: XpkgClosureQuery
  readonly listed: XpkgCatalog
}

/** Explains a rejection by all versions: pins leave only one of each package, as if it had no other. */
async function explained(
  result: RejectedXpkgs,
  request: XpkgRequest,
  {query: {roots, lock, listsPinned = false, sources = ANY_SOURCE, budget}, listed}: Explaining,
): Promise<RejectedXpkgs> {
  const isPinned = roots.some(({version, content}) => version !== undefined && content === undefined)
  if (listsPinned || !isPinned || lock?.otherwise === 'reject') return result
  const catalog = fromAllowedSources(withContents(withVersions(listed, roots), roots), sources)
  try {
    const whole = await resolveHeld(request, catalog, heldXpkgs(lock), budget)
    return whole.kind === 'rejected' ? whole : result
  } catch (error) {
    if (error instanceof CrossplaneError) return result
    throw error
  }
}

function rejected(
  roots: readonly RequestedXpkg[],
  {diagnostics, blocked, missing}: RejectedXpkgs,
  {lock, coreVersion}: Pick<XpkgClosureQuery, 'lock' | 'coreVersion'>,
): CrossplaneError {
  const unsatisfied = diagnostics.filter(isUnsatisfied)
  const [first] = blocked
  // One fault is one message.
  if (first !== undefined && unsatisfied.length <= 1) return first
  if (lock?.otherwise === 'reject')
    return new CrossplaneError('lock-outdated', `the lock ${lock.name} does not satisfy the request`, {
      diagnostics,
      suggestions: [lock.remedy],
    })
  const names = listNames(rejectedRoots(roots, unsatisfied))
  const code = first !== undefined && blocked.length === unsatisfied.length ? first.code : 'unresolvable'
  const areMissing =
    unsatisfied.length > 0 && unsatisfied.every(({subject}) => missing.has(subject?.package ?? ''))
  const cause = areMissing ? '' : conflictCause(diagnostics, blocked, coreVersion)
  return new CrossplaneError(code, `cannot resolve the dependencies of ${names}${cause}`, {
    diagnostics,
    suggestions: [areMissing ? MISSING_ADVICE : CONSTRAINT_ADVICE],
  })
}

/** Where only requests have no version, the others need no mention. */
function rejectedRoots(
  roots: readonly RequestedXpkg[],
  unsatisfied: readonly Diagnostic[],
): readonly string[] {
  const all = roots.map(({repository}) => repository)
  const own = new Set(
    unsatisfied.map(({subject}) => (subject?.requiredBy === undefined ? subject?.package : undefined)),
  )
  const isOwn = unsatisfied.length > 0 && !own.has(undefined)
  return isOwn ? all.filter(repository => own.has(repository)) : all
}

/** What cannot be read has no versions, which is not the fault of a constraint. */
function conflictCause(
  diagnostics: readonly Diagnostic[],
  blocked: RejectedXpkgs['blocked'],
  coreVersion: string | undefined,
): string {
  const conflict = blocked.length > 0 ? undefined : conflictInWords(diagnostics, coreVersion)
  return conflict === undefined ? '' : `: ${conflict}`
}

const CONSTRAINT_ADVICE = 'Change one of these constraints, or use another version of a package that has one.'

const MISSING_ADVICE = 'Check the names of these packages, and your access to their registries.'

/** A catalog that keeps the tags that it lists. */
function listing(catalog: XpkgCatalog, listed: Map<string, readonly string[]>): XpkgCatalog {
  return {
    ...catalog,
    tags: async repository => {
      const tags = await catalog.tags(repository)
      listed.set(repository, tags)
      return tags
    },
  }
}
