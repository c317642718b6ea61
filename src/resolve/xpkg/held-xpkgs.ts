import type {LockedXpkg} from '../../declaration/lock.js'
import {CrossplaneError} from '../../errors.js'
import type {Budget} from '../solver/solver.js'
import {xpkgSummaryHash} from './locked-xpkg.js'
import {allRejections, rememberingCatalog} from './all-rejections.js'
import {resolveXpkgs, type XpkgResolution} from './resolve-xpkgs.js'
import type {XpkgCatalog} from './xpkg-catalog.js'
import type {XpkgRequest} from './xpkg-model.js'

/** The locked packages to keep to: those that are not being upgraded. */
export interface HeldXpkgs {
  readonly packages: readonly LockedXpkg[]
  /** Whether only these are read, and no tags are listed. */
  readonly isBinding: boolean
  /** Whether packages are upgraded by name, for which others may have to change. */
  readonly isUpgrade: boolean
  /** The name of the lock, and the command that updates it. */
  readonly name: string
  readonly remedy: string
}

/**
 * Resolves with every locked version kept; if they do not fit, with the fewest changes from the roots on. Throws
 * `digest-mismatch` for locked packages with other content.
 */
export async function resolveHeld(
  request: XpkgRequest,
  source: XpkgCatalog,
  heldXpkgs: HeldXpkgs,
  budget: Budget,
): Promise<XpkgResolution> {
  const catalog = rememberingCatalog(source)
  const locked = new Map(heldXpkgs.packages.map(xpkg => [xpkg.repository, xpkg]))
  const pinned = pinnedCatalog(catalog, request, heldXpkgs)
  const keeping = keptCatalog(pinned, locked, heldXpkgs)
  const kept = heldXpkgs.isUpgrade ? undefined : await resolveXpkgs(request, keeping, budget)
  if (kept !== undefined && (kept.kind === 'resolved' || heldXpkgs.isBinding || locked.size === 0))
    return expectSame(await allRejections(kept, request, keeping, budget), heldXpkgs)
  const preferred = new Map([...locked].map(([repository, xpkg]) => [repository, versionOf(xpkg)]))
  const offered = withLocked(pinned, locked)
  const result = await resolveXpkgs({...request, preferred}, offered, budget)
  expectLockedRead(result, locked, heldXpkgs)
  return expectSame(await allRejections(result, {...request, preferred}, offered, budget), heldXpkgs)
}

/** Throws `not-found` where another version would take the place of a locked one only because that one cannot be read. */
function expectLockedRead(result: XpkgResolution, locked: Locked, {name, remedy}: HeldXpkgs): void {
  if (result.kind === 'rejected') return
  const unread = result.passedOver.filter(({repository, version}) => {
    const own = locked.get(repository)
    return own !== undefined && versionOf(own) === version
  })
  const [first] = unread
  if (first === undefined) return
  const message = `cannot read ${first.repository}:${first.version} of the lock ${name}`
  throw new CrossplaneError('not-found', message, {
    diagnostics: unread.map(({repository, version, reason}) => ({
      severity: 'error',
      rule: 'version-passed-over',
      message: `${repository}:${version}: ${reason}`,
      subject: {package: repository, tag: version},
    })),
    suggestions: [`To select another version: ${remedy} --upgrade ${first.repository}`],
  })
}

type Locked = ReadonlyMap<string, LockedXpkg>

function versionOf({tag, digest}: LockedXpkg): string {
  return tag ?? digest ?? ''
}

/** Reads the locked bytes of locked tags, and those of requests with a digest: a moved tag changes nothing. */
function pinnedCatalog(catalog: XpkgCatalog, {roots}: XpkgRequest, heldXpkgs: HeldXpkgs): XpkgCatalog {
  const locked = new Map(heldXpkgs.packages.map(xpkg => [xpkg.repository, xpkg]))
  const requested = new Map(
    roots.flatMap(({repository, version, digest}) =>
      version === undefined || digest === undefined ? [] : [[`${repository}:${version}`, digest] as const],
    ),
  )
  const pinOf = (repository: string, version: string) => {
    const own = locked.get(repository)
    return requested.get(`${repository}:${version}`) ?? (own?.tag === version ? own.digest : undefined)
  }
  return {
    ...catalog,
    read: async (repository, version, digest = pinOf(repository, version)) => {
      const content = await catalog.read(repository, version, digest)
      if (digest === undefined || content.digest === digest) return content
      const message = `${repository}:${version} is now ${content.digest ?? 'a folder, without a digest'}, not ${digest}`
      throw changed(heldXpkgs, [{repository, message}])
    },
    digestOf: async (repository, tag) => pinOf(repository, tag) ?? (await catalog.digestOf(repository, tag)),
  }
}

/** Offers the locked version of a locked package alone; to a binding lock, nothing else. */
function keptCatalog(catalog: XpkgCatalog, locked: Locked, {isBinding, name}: HeldXpkgs): XpkgCatalog {
  return {
    ...catalog,
    tags: async repository => {
      const own = locked.get(repository)
      if (own !== undefined) return own.tag === undefined ? [] : [own.tag]
      return isBinding ? [] : await catalog.tags(repository)
    },
    narrowings: async repository => {
      const own = locked.get(repository)
      if (!isBinding) return (await catalog.narrowings?.(repository)) ?? []
      const version = own === undefined ? 'does not have it' : `has ${versionOf(own)}`
      return [`only the lock ${name} is read, which ${version}`]
    },
    read: async (repository, version, digest) => {
      const own = locked.get(repository)
      if (isBinding && (own === undefined || ![own.tag, own.digest].includes(version)))
        throw new CrossplaneError('not-found', `${version} is not locked`)
      return await catalog.read(repository, version, digest)
    },
  }
}

/** Adds locked tags that a registry does not list any more: their bytes may still be there. */
function withLocked(catalog: XpkgCatalog, locked: Locked): XpkgCatalog {
  return {
    ...catalog,
    tags: async repository => {
      const tag = locked.get(repository)?.tag
      const tags = await catalog.tags(repository)
      return tag === undefined || tags.includes(tag) ? tags : [...tags, tag]
    },
  }
}

/** Packages in folders have no digest: the lock has a hash of what resolution reads of them. A cluster has none. */
function expectSame(result: XpkgResolution, heldXpkgs: HeldXpkgs): XpkgResolution {
  const {packages} = heldXpkgs
  if (result.kind === 'rejected') return result
  const others = packages.flatMap(locked => {
    const {repository, summaryHash} = locked
    const selected = result.packages.find(other => other.repository === repository)
    if (summaryHash === '' || selected?.version !== versionOf(locked)) return []
    if (xpkgSummaryHash(selected) === summaryHash) return []
    const message = `${repository}:${versionOf(locked)} defines or requires something else than when it was locked`
    return [{repository, message}]
  })
  if (others.length > 0) throw changed(heldXpkgs, others)
  return result
}

function changed(
  {name, remedy}: HeldXpkgs,
  others: readonly {readonly repository: string; readonly message: string}[],
): CrossplaneError {
  return new CrossplaneError('digest-mismatch', `packages of the lock ${name} have changed`, {
    diagnostics: others.map(({message}) => ({severity: 'error', rule: 'locked-digest', message})),
    suggestions: [
      `Find out why it changed. To accept it: ${remedy} --upgrade ${others[0]?.repository ?? ''}`,
    ],
  })
}
