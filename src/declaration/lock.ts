import {present} from '../present.js'
import {derivedName} from '../xpkg/package-name.js'
import type {JsonObject} from '../yaml/json-value.js'
import type {Nameable} from '../reference/named.js'
import type {LockedSignatures} from './locked-signatures.js'
import type {MovingRequest} from './moving.js'

/** The versions selected for a request: the content of `crossplane-packages.lock`. */
export interface Lock {
  /** The hash of the settings that affect resolution; see `docs/lock.md`. */
  readonly requestHash: string
  /** The version of rendering that it was written for. */
  readonly renderVersion: number
  /** By identity. */
  readonly packages: readonly LockedPackage[]
  /** The packages for a current Crossplane, by repository; absent if the lock was made without looking at them. */
  readonly xpkgs?: readonly LockedXpkg[]
  /** The requests from which packages move to others, until a second commit removes them. */
  readonly moving?: readonly MovingRequest[]
  /** Required versions that are not served and that the user accepted. */
  readonly acceptedMismatches: readonly LockedMismatch[]
  /** Requirements satisfied without a package, by their text, with the reason. */
  readonly assumptions: Readonly<Record<string, string>>
  /** What upgrades do to objects and was accepted, by the repository of the package whose kinds are concerned. */
  readonly acceptedImpacts?: Readonly<Record<string, AcceptedImpact>>
  /** The packages with these requirements, by identity; not in the file, and absent for a lock that was read. */
  readonly assumedBy?: Readonly<Record<string, readonly string[]>>
  /** Fields of newer versions of this program, which are kept. */
  readonly more: JsonObject
}

/** The one version of a package that is installed. */
export interface LockedPackage extends LockedSignatures {
  readonly identity: string
  readonly tag: string
  readonly version: string
  /** Absent for a package in a folder. */
  readonly digest?: string
  readonly summaryHash: string
  /** By namespace and name. */
  readonly installs: readonly LockedInstall[]
  readonly more: JsonObject
}

export interface LockedInstall {
  readonly namespace: string
  readonly name: string
  /** Whether the user requested it, or only packages require it. */
  readonly mode: (typeof LOCKED_MODES)[number]
  /** The CRDs in requests for the package, instead of its name; sorted. */
  readonly requestedFor: readonly string[]
  /** The tags, digests and ranges that requests restrict the package to; sorted. */
  readonly requestedAs?: readonly string[]
  /** Requirements that it satisfies, by the dependent install as NAMESPACE/NAME; sorted. */
  readonly for: Readonly<Record<string, readonly string[]>>
  readonly more: JsonObject
}

/** The one version of a package for a current Crossplane. */
export interface LockedXpkg extends LockedSignatures {
  readonly repository: string
  readonly kind: string
  /** The name of its request, if it is not the one that Crossplane derives. */
  readonly name?: string
  /** Absent for a package that is requested or required only by its digest. */
  readonly tag?: string
  /** Absent for a package in a folder. */
  readonly digest?: string
  /** The hash of its kind, its requirements and the kinds that it defines. */
  readonly summaryHash: string
  readonly mode: (typeof LOCKED_MODES)[number]
  /** The tags, digests and constraints that requests restrict it to; sorted. */
  readonly requestedAs?: readonly string[]
  /** Its constraint on the version of Crossplane. */
  readonly crossplane?: string
  /** Its constraints, or digests, by the repository that has to satisfy them. */
  readonly requires: Readonly<Record<string, readonly string[]>>
  readonly more: JsonObject
}

export const LOCKED_MODES = ['requested', 'auto'] as const

/** A CRD requirement whose version the owner does not serve. */
export interface LockedMismatch {
  readonly crd: string
  readonly owner: string
  /** The dependent package; absent for a request. */
  readonly requirer?: string
  readonly more: JsonObject
}

/** Effects of one change of a package on objects, which a user accepted. */
export interface AcceptedImpact {
  /** The digest before the change, or the tag of a package without one; absent for a package that was added. */
  readonly from?: string
  /** The same after the change; absent for a package that was removed. */
  readonly to?: string
  /** The number of effects. */
  readonly findings: number
  /** The hash of both digests and all effects: another effect is not accepted. */
  readonly hash: string
}

export const LOCK_KIND = 'PackageLock'

/** The newest format that can be read, and the one that is written. */
export const LOCK_FORMAT = 1

/** What a lock that was made without a policy keeps of the previous one: what was verified of the same digest. */
function keptSignatures(
  fresh: LockedSignatures & {readonly digest?: string},
  before: LockedSignatures & {readonly digest?: string},
): LockedSignatures {
  if (fresh.signatures !== undefined || fresh.digest === undefined || fresh.digest !== before.digest)
    return {}
  return present({signatures: before.signatures, images: before.images})
}

/** Copies unknown fields of the lock that is replaced, and what was verified of the same digests. */
export function carriedOver(fresh: Lock, previous: Lock | undefined): Lock {
  if (previous === undefined) return fresh
  const packages = fresh.packages.map(lockedPackage => {
    const before = previous.packages.find(({identity}) => identity === lockedPackage.identity)
    if (before === undefined) return lockedPackage
    const installs = lockedPackage.installs.map(install => {
      const installBefore = before.installs.find(other => installKey(other) === installKey(install))
      return installBefore === undefined ? install : {...install, more: installBefore.more}
    })
    return {...lockedPackage, ...keptSignatures(lockedPackage, before), installs, more: before.more}
  })
  const acceptedMismatches = fresh.acceptedMismatches.map(mismatch => {
    const before = previous.acceptedMismatches.find(other => mismatchKey(other) === mismatchKey(mismatch))
    return before === undefined ? mismatch : {...mismatch, more: before.more}
  })
  const xpkgs = carriedXpkgs(fresh, previous)
  const {moving, more} = previous
  const carried = {...fresh, packages, ...present({xpkgs, moving}), acceptedMismatches, more}
  return withImpacts(carried, previous.acceptedImpacts ?? {})
}

/** Returns a lock with the accepted effects of changes that led to the versions which it has. */
export function withImpacts(
  {acceptedImpacts: _before, ...lock}: Lock,
  impacts: NonNullable<Lock['acceptedImpacts']>,
): Lock {
  const versions = lockedVersions(lock)
  const own = Object.entries(impacts).filter(([name, {to}]) => versions.get(name) === to)
  return own.length === 0 ? lock : {...lock, acceptedImpacts: Object.fromEntries(own)}
}

/** Returns the digest of each package, or the tag of one without a digest. */
export function lockedVersions({
  packages,
  xpkgs = [],
}: Pick<Lock, 'packages' | 'xpkgs'>): ReadonlyMap<string, string> {
  return new Map([
    ...packages.map(({identity, digest, tag}) => [identity, digest ?? tag] as const),
    ...xpkgs.map(({repository, digest, tag = ''}) => [repository, digest ?? tag] as const),
  ])
}

/** A command that does not look at them leaves them as they are. */
function carriedXpkgs(fresh: Lock, previous: Lock): readonly LockedXpkg[] | undefined {
  return (
    fresh.xpkgs?.map(xpkg => {
      const before = previous.xpkgs?.find(({repository}) => repository === xpkg.repository)
      return before === undefined ? xpkg : {...xpkg, ...keptSignatures(xpkg, before), more: before.more}
    }) ?? previous.xpkgs
  )
}

/** The key of an install: NAMESPACE/NAME. */
export function installKey({namespace, name}: Pick<LockedInstall, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`
}

/** What a cluster has of a lock: an install or, with a kind, a request for a current Crossplane. */
export interface LockedInstance extends Pick<LockedPackage, 'identity' | 'digest' | 'version'> {
  readonly kind?: string
  readonly namespace?: string
  readonly name: string
  readonly tag?: string
}

/** Returns what a NAME can mean of a lock. */
export function lockedNames({packages, xpkgs = []}: Pick<Lock, 'packages' | 'xpkgs'>): readonly Nameable[] {
  return [
    ...packages.flatMap(({identity, installs}) =>
      installs.map(({namespace, name}) => ({namespace, name, repository: identity})),
    ),
    ...xpkgs.map(xpkg => ({repository: xpkg.repository, kind: xpkg.kind, name: lockedName(xpkg)})),
  ]
}

/** The key of a mismatch, without unknown fields. */
export function mismatchKey({crd, owner, requirer = ''}: LockedMismatch): string {
  return [crd, owner, requirer].join('\0')
}

/** Returns the name of the request for a package. */
export function lockedName({name, repository}: Pick<LockedXpkg, 'name' | 'repository'>): string {
  return name ?? derivedName(repository)
}
