import {compareText} from '../reference/compare-text.js'
import {compareVersions} from '../reference/newest-version.js'
import {writeJson} from '../yaml/write-yaml.js'
import {isStatedAlike, type LockedSignatures} from './locked-signatures.js'
import {installKey, type Lock, type LockedPackage, type LockedXpkg, mismatchKey} from './lock.js'

/** The differences between two locks. */
export interface LockChanges {
  /** By identity. */
  readonly packages: readonly PackageChange[]
  /** The number of unchanged packages. */
  readonly unchanged: number
  /** Other changes, as noun phrases for messages. */
  readonly others: readonly string[]
}

export interface PackageChange {
  readonly package: string
  readonly change: ChangeKind
  readonly old?: string
  readonly new?: string
}

type ChangeKind =
  | 'added'
  | 'removed'
  | 'upgraded'
  | 'downgraded'
  | 'rebuilt' // other bytes under the same tag
  | 'installs' // other namespaces or dependents
  | 'signatures' // other statements of signers

/** Compares two locks with their packages for a current Crossplane. */
export function allLockChanges(old: Lock | undefined, next: Lock): LockChanges {
  const changes = lockChanges(old, next)
  const xpkgs = xpkgChanges(old?.xpkgs ?? [], next.xpkgs ?? [])
  const packages = [...changes.packages, ...xpkgs.packages]
  return {
    ...changes,
    packages: packages.sort((a, b) => compareText(a.package, b.package)),
    unchanged: changes.unchanged + xpkgs.unchanged,
  }
}

/** Compares the packages for a current Crossplane of two locks, without unknown fields. */
export function xpkgChanges(
  old: readonly LockedXpkg[],
  next: readonly LockedXpkg[],
): Pick<LockChanges, 'packages' | 'unchanged'> {
  const before = new Map(old.map(xpkg => [xpkg.repository, xpkg]))
  const after = new Map(next.map(xpkg => [xpkg.repository, xpkg]))
  const names = [...new Set([...before.keys(), ...after.keys()])].sort(compareText)
  const packages = names.flatMap(name => xpkgChange(name, before.get(name), after.get(name)))
  return {packages, unchanged: names.length - packages.length}
}

function xpkgChange(name: string, old?: LockedXpkg, next?: LockedXpkg): PackageChange[] {
  if (old !== undefined && next !== undefined) return changeBetween(name, old, next)
  const [change, locked] = old === undefined ? ['added' as const, next] : ['removed' as const, old]
  if (locked === undefined) return []
  return [{package: name, change, [change === 'added' ? 'new' : 'old']: xpkgVersion(locked)}]
}

function changeBetween(name: string, old: LockedXpkg, next: LockedXpkg): PackageChange[] {
  const versions = {package: name, old: xpkgVersion(old), new: xpkgVersion(next)}
  if (versions.old !== versions.new) {
    const isUpgrade = compareVersions(versions.old, versions.new) > 0
    return [{...versions, change: isUpgrade ? 'upgraded' : 'downgraded'}]
  }
  if (old.digest !== next.digest || old.summaryHash !== next.summaryHash)
    return [{...versions, change: 'rebuilt'}]
  if (requestText(old) !== requestText(next)) return [{...versions, change: 'installs'}]
  return isSignedAlike(old, next) ? [] : [{...versions, change: 'signatures'}]
}

/** The tag of a locked package, or its digest if it has none. */
function xpkgVersion({tag, digest}: Pick<LockedXpkg, 'tag' | 'digest'>): string {
  return tag ?? digest ?? ''
}

function requestText({mode, requestedAs = []}: LockedXpkg): string {
  return [mode, ...[...requestedAs].sort()].join('\0')
}

/**
 * Compares two locks, without unknown fields and packages for a current Crossplane. Without an old one, everything is
 * added.
 */
export function lockChanges(old: Lock | undefined, next: Lock): LockChanges {
  const before = new Map((old?.packages ?? []).map(lockedPackage => [lockedPackage.identity, lockedPackage]))
  const after = new Map(next.packages.map(lockedPackage => [lockedPackage.identity, lockedPackage]))
  const identities = [...new Set([...before.keys(), ...after.keys()])].sort()
  const packages = identities.flatMap(identity => packageChange(before.get(identity), after.get(identity)))
  return {
    packages,
    unchanged: identities.length - packages.length,
    others: old === undefined ? [] : otherChanges(old, next),
  }
}

function packageChange(old: LockedPackage | undefined, next: LockedPackage | undefined): PackageChange[] {
  if (old === undefined || next === undefined) {
    return [
      ...(next === undefined ? [] : [{package: next.identity, change: 'added', new: next.tag} as const]),
      ...(old === undefined ? [] : [{package: old.identity, change: 'removed', old: old.tag} as const]),
    ]
  }
  const change = changeOf(old, next)
  return change === undefined ? [] : [{package: next.identity, change, old: old.tag, new: next.tag}]
}

function changeOf(old: LockedPackage, next: LockedPackage): ChangeKind | undefined {
  if (old.tag !== next.tag) return compareVersions(old.tag, next.tag) > 0 ? 'upgraded' : 'downgraded'
  if (contentText(old) !== contentText(next)) return 'rebuilt'
  if (installsText(old) !== installsText(next)) return 'installs'
  return isSignedAlike(old, next) ? undefined : 'signatures'
}

/** A lock that was made without a policy has no signatures to compare. */
function isSignedAlike(old: LockedSignatures, next: LockedSignatures): boolean {
  if (next.signatures === undefined) return true
  return isStatedAlike(old, next)
}

function contentText({version, digest, summaryHash}: LockedPackage): string {
  return [version, digest ?? '', summaryHash].join('\0')
}

function installsText({installs}: LockedPackage): string {
  return writeJson(
    installs
      .map(install => [
        installKey(install),
        install.mode,
        [...install.requestedFor].sort(),
        [...(install.requestedAs ?? [])].sort(),
        Object.entries(install.for)
          .map(([by, texts]) => [by, [...texts].sort().join('\0')])
          .sort(),
      ])
      .sort(),
  )
}

function otherChanges(old: Lock, next: Lock): string[] {
  const mismatches = ({acceptedMismatches}: Lock) => acceptedMismatches.map(mismatchKey).sort()
  return [
    ...(old.requestHash === next.requestHash ? [] : ['the settings that decide']),
    ...(old.renderVersion === next.renderVersion ? [] : ['how packages are rendered']),
    ...(writeJson(mismatches(old)) === writeJson(mismatches(next)) ? [] : ['the accepted mismatches']),
    ...(writeJson(old.assumptions) === writeJson(next.assumptions) ? [] : ['what is assumed to exist']),
  ]
}
