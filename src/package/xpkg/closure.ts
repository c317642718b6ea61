import {xpkgChanges} from '../../declaration/lock-changes.js'
import {type LockedXpkg, lockedName} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {type LockedSignatures, statementsAbout} from '../../declaration/locked-signatures.js'
import type {Digest} from '../../fetch/image.js'
import type {YankedVersion} from '../../index/summaries.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import {isDigest} from '../../reference/image-name.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import {type SignerChange, signerChangeNotes} from '../../resolve/signer-changes.js'
import {expectSameSigners} from '../../pipeline/signatures/rendered-images.js'
import {changedSigners} from '../../pipeline/signatures/signed-packages.js'
import {present} from '../../present.js'
import {changeWords, type HeldLock, isBinding, lockBefore} from '../../resolve/lock/held-lock.js'
import {missingInFolder} from '../../resolve/lock/missing-in-folder.js'
import type {Budget} from '../../resolve/solver/solver.js'
import {resolveHeld} from '../../resolve/xpkg/held-xpkgs.js'
import {listedTags, locatedXpkgs, yankedXpkgs} from '../../resolve/xpkg/located-xpkgs.js'
import {lockedXpkgs} from '../../resolve/xpkg/locked-xpkg.js'
import {isUnsatisfied} from '../../resolve/xpkg/all-rejections.js'
import {type PassedOver, passedOverWarnings, yankedNotes} from '../../resolve/xpkg/passed-over-xpkgs.js'
import type {RejectedXpkgs, SelectedXpkg} from '../../resolve/xpkg/resolve-xpkgs.js'
import {versionNotes} from '../../resolve/xpkg/version-notes.js'
import type {XpkgRequest} from '../../resolve/xpkg/xpkg-model.js'
import {
  givenNames,
  type XpkgCatalog,
  type XpkgContent,
  type XpkgRoot,
} from '../../resolve/xpkg/xpkg-catalog.js'
import {xpkgConflicts} from '../../resolve/xpkg/xpkg-conflicts.js'
import {listNames, quoted} from '../../text.js'
import type {PackageFile} from '../../unpack/package-file.js'
import {type AllowedSources, fromAllowedSources} from '../allowed-sources.js'
import {platformWarnings} from './platform-warnings.js'
import {type SharedQuery, sharedNotes} from './shared-notes.js'
import {unservedUses} from './unserved-uses.js'
import {CONSTRAINT_RULES, type ConstraintRules, coreRules} from '../../xpkg/constraints/constraint-rules.js'
import {readConstraint} from '../../xpkg/constraints/constraint.js'
import {candidateVersion} from '../../xpkg/constraints/version.js'
import {derivedName, MAX_REQUEST_NAME, requestNames} from '../../xpkg/package-name.js'

/** A requested package for a current Crossplane. */
export interface RequestedXpkg extends XpkgRoot, Pick<LocatedPackage, 'lacksPlatform'> {
  /** The content of a package that no repository has, such as a folder. */
  readonly content?: XpkgContent
  /** The files of such a package. */
  readonly files?: readonly PackageFile[]
}

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
  const listed = listing(locatedXpkgs(ports), tags)
  if (lock !== undefined) await expectAvailable(roots, lock, ports)
  const offered = withContents(listsPinned ? listed : withPinned(listed, roots), roots)
  const catalog = fromAllowedSources(offered, sources)
  const request = {roots, rules, ...present({coreVersion})}
  const result = await resolveHeld(request, catalog, heldXpkgs(lock), budget)
  if (result.kind === 'rejected') {
    catalog.expectAllowed(result.diagnostics)
    throw rejected(roots, await explained(result, request, {query, listed}), lock)
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
async function signedXpkgs(
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

/** Throws `input-invalid` for a requested constraint that a version of Crossplane cannot read. */
function expectConstraints(roots: readonly RequestedXpkg[], rules: readonly ConstraintRules[]): void {
  for (const {repository, constraint = '*'} of roots) {
    const unread = rules.find(rule => readConstraint(constraint, rule) === undefined)
    if (unread === undefined) continue
    const release = unread === 'v1' ? 'up to 2.2' : '2.3 and later'
    const message = `cannot select a version of ${repository}: ${quoted(constraint)} is not a constraint for Crossplane ${release}`
    throw new CrossplaneError('input-invalid', message, {
      suggestions: ['Separate conditions with a comma, such as >=v1.2.0, <v2.0.0.'],
    })
  }
}

/** Throws `input-invalid` for a name that no request can have, and for two names of one package. */
function expectNames(roots: readonly RequestedXpkg[]): void {
  for (const {repository, name = derivedName(repository)} of roots) {
    const other = roots.find(
      root => root.repository === repository && (root.name ?? derivedName(repository)) !== name,
    )
    const cause =
      other !== undefined
        ? `it is also requested as ${other.name ?? derivedName(repository)}, and Crossplane stops all packages if one is requested twice`
        : name.length > MAX_REQUEST_NAME
          ? `the name has more than ${MAX_REQUEST_NAME} characters`
          : undefined
    if (cause === undefined) continue
    throw new CrossplaneError('input-invalid', `cannot request ${repository} as ${name}: ${cause}`, {
      suggestions: [`Correct name in the entry of ${repository}.`],
    })
  }
}

/** Throws `conflict` for a name other than that of the lock: a request cannot be renamed. */
function expectSameNames(
  lock: HeldLock | undefined,
  packages: readonly SelectedXpkg[],
  ownNames: ReadonlyMap<string, string>,
): void {
  const isSelected = ({repository}: LockedXpkg) => packages.some(one => one.repository === repository)
  // A cluster has no hash: names are compared with its requests.
  const isOther = ({repository, name, summaryHash}: LockedXpkg) =>
    summaryHash !== '' && name !== ownNames.get(repository)
  const renamed = (lock?.lock.xpkgs ?? []).find(one => isSelected(one) && isOther(one))
  if (renamed === undefined) return
  const {repository} = renamed
  const [before, after] = [lockedName(renamed), ownNames.get(repository) ?? derivedName(repository)]
  const message = `cannot request ${repository} as ${after}: the lock ${lock?.name ?? ''} has it as ${before}, and Crossplane would install it twice`
  throw new CrossplaneError('conflict', message, {
    suggestions: [
      `Set name: ${before} in the entry of ${repository}.`,
      `If no cluster has it as ${before}, remove ${repository} from the lock first.`,
    ],
  })
}

function heldXpkgs(lock: HeldLock | undefined) {
  const {name = '', remedy = '', upgraded = [], otherwise} = lock ?? {}
  const packages =
    upgraded === 'all'
      ? []
      : (lock?.lock.xpkgs ?? []).filter(({repository}) => !upgraded.includes(repository))
  const isUpgrade = upgraded !== 'all' && upgraded.length > 0
  return {packages, isBinding: otherwise === 'reject', isUpgrade, name, remedy}
}

/** Without a digest, only a folder or an index can have the locked version of a request. Throws `not-found`. */
async function expectAvailable(
  roots: readonly RequestedXpkg[],
  lock: HeldLock,
  ports: PackagePorts,
): Promise<void> {
  const {packages} = heldXpkgs(lock)
  for (const {repository, version, content} of roots) {
    const locked = packages.find(other => other.repository === repository)
    // A cluster has no hash.
    if (content !== undefined || locked?.tag === undefined || locked.summaryHash === '') continue
    if (locked.digest !== undefined || (version ?? locked.tag) !== locked.tag) continue
    if ((await listedTags(parsePackageImage(repository), ports)).includes(locked.tag)) continue
    const name = `${repository}:${locked.tag}`
    throw missingInFolder(name, repository, lock, ports.folder !== undefined)
  }
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

/** Offers all tags of a package that is requested in one version, and that version alone if they cannot be listed. */
function withVersions(catalog: XpkgCatalog, roots: readonly RequestedXpkg[]): XpkgCatalog {
  return {
    ...catalog,
    tags: async repository => {
      const version = roots.find(root => root.repository === repository)?.version
      if (version === undefined) return await catalog.tags(repository)
      const tags: readonly string[] = await catalog.tags(repository).catch(() => [])
      return tags.includes(version) || isDigest(version) ? tags : [...tags, version]
    },
  }
}

function rejected(
  roots: readonly RequestedXpkg[],
  {diagnostics, blocked, missing}: RejectedXpkgs,
  lock: HeldLock | undefined,
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
  const names = listNames(roots.map(({repository}) => repository))
  const code = first !== undefined && blocked.length === unsatisfied.length ? first.code : 'unresolvable'
  const areMissing =
    unsatisfied.length > 0 && unsatisfied.every(({subject}) => missing.has(subject?.package ?? ''))
  return new CrossplaneError(code, `cannot resolve the dependencies of ${names}`, {
    diagnostics,
    suggestions: [areMissing ? MISSING_ADVICE : CONSTRAINT_ADVICE],
  })
}

const CONSTRAINT_ADVICE = 'Change one of these constraints, or use another version of a package that has one.'
const MISSING_ADVICE = 'Check the names of these packages, and your access to their registries.'

/** Adds a note if the result differs from the lock. Throws `lock-outdated` if it must not. */
function lockNotes(lock: HeldLock | undefined, locked: readonly LockedXpkg[]): readonly Diagnostic[] {
  if (lock === undefined || lock.otherwise === 'take') return []
  const {name, otherwise, remedy} = lock
  // Signers are compared on their own: another signature is no other package.
  const changed = xpkgChanges(lock.lock.xpkgs ?? [], locked).packages
  const words = changed.filter(({change}) => change !== 'signatures').map(changeWords)
  if (words.length === 0) return []
  const rule = 'lock-outdated'
  if (otherwise === 'note')
    return [
      {
        severity: 'note',
        rule,
        message: `the lock ${name} is outdated: ${words.join('; ')}; to update it: ${remedy}`,
      },
    ]
  throw new CrossplaneError('lock-outdated', `the lock ${name} differs from what would be installed`, {
    diagnostics: words.map(message => ({severity: 'error', rule, message})),
    suggestions: [remedy],
  })
}

/** A package that is requested in one version has no other one: its tags need not be listed. */
function withPinned(catalog: XpkgCatalog, roots: readonly RequestedXpkg[]): XpkgCatalog {
  const pinned = new Map(
    roots.flatMap(({repository, version}) => (version === undefined ? [] : [[repository, version] as const])),
  )
  const isVersion = (text: string) =>
    CONSTRAINT_RULES.every(rules => candidateVersion(text, rules) !== undefined)
  return {
    ...catalog,
    tags: async repository => {
      const version = pinned.get(repository)
      if (version === undefined) return await catalog.tags(repository)
      if (isVersion(version)) return [version]
      // Other tags can have the same bytes, which matters only where others require a version.
      return await catalog.tags(repository).catch((error: unknown) => {
        if (error instanceof CrossplaneError) return []
        throw error
      })
    },
  }
}

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

/** A package that was given is read once, and has the one version that was requested. */
function withContents(catalog: XpkgCatalog, roots: readonly RequestedXpkg[]): XpkgCatalog {
  const local = new Map(
    roots.flatMap(({repository, version = '', content}) =>
      content === undefined ? [] : [[repository, {version, content}] as const],
    ),
  )
  const contentOf = (repository: string, version: string) => {
    const own = local.get(repository)
    return own?.version === version ? own.content : undefined
  }
  return {
    ...catalog,
    tags: async repository => {
      const own = local.get(repository)
      return own === undefined ? await catalog.tags(repository) : [own.version]
    },
    narrowings: async repository =>
      local.has(repository) ? [] : ((await catalog.narrowings?.(repository)) ?? []),
    read: async (repository, version, digest) =>
      contentOf(repository, version) ?? (await catalog.read(repository, version, digest)),
    digestOf: async (repository, tag) => {
      const content = contentOf(repository, tag)
      return content === undefined ? await catalog.digestOf(repository, tag) : content.digest
    },
  }
}
