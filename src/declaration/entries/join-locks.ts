import {createHash} from 'node:crypto'
import type {Diagnostic} from '../../diagnostic.js'
import {compareText} from '../../reference/compare-text.js'
import {compareVersions} from '../../reference/newest-version.js'
import {asObject, asTexts} from '../../yaml/json-value.js'
import {EMPTY_LOCK} from '../lock-document.js'
import {
  installKey,
  type Lock,
  type LockedInstall,
  type LockedPackage,
  type LockedXpkg,
  mismatchKey,
} from '../lock.js'

/** The lock of one install, and the name of its file. */
export interface InstallLock {
  readonly file: string
  readonly lock: Lock
}

/** The lock of all installs. */
export interface JoinedLock {
  readonly lock: Lock
  /** Packages of which files select different versions, as after a merge. */
  readonly disagreements: readonly Diagnostic[]
}

/**
 * Joins the locks of installs: what each requires becomes `for` of the others. Where two select different versions of a
 * package, the newest is kept.
 */
export function joinLocks(files: readonly InstallLock[]): JoinedLock {
  if (files.length === 0) return {lock: EMPTY_LOCK, disagreements: []}
  const locks = files.map(({lock}) => lock)
  const dependents = dependentsIn(locks)
  const identities = [...new Set(locks.flatMap(({packages}) => packages.map(({identity}) => identity)))]
  const packages = identities.sort(compareText).map(identity => joinedPackage(identity, files, dependents))
  const xpkgs = joinedXpkgs(files)
  const mismatches = locks.flatMap(({acceptedMismatches}) => acceptedMismatches)
  const assumptions = locks.flatMap(lock => Object.entries(lock.assumptions))
  // The names of files are in no order of requirements.
  const moving = locks.flatMap(lock => lock.moving ?? []).sort((a, b) => a.order - b.order)
  const impacts = locks.flatMap(lock => Object.entries(lock.acceptedImpacts ?? {}))
  return {
    lock: {
      requestHash: joinedHash(locks.map(({requestHash}) => requestHash)),
      renderVersion: Math.min(...locks.map(({renderVersion}) => renderVersion)),
      packages: packages.map(({joined}) => joined),
      ...(xpkgs.length === 0 ? {} : {xpkgs: xpkgs.map(({joined}) => joined)}),
      acceptedMismatches: [
        ...new Map(mismatches.map(mismatch => [mismatchKey(mismatch), mismatch])).values(),
      ],
      assumptions: Object.fromEntries(assumptions.sort(([a], [b]) => compareText(a, b))),
      ...(moving.length === 0 ? {} : {moving}),
      ...(impacts.length === 0 ? {} : {acceptedImpacts: Object.fromEntries(impacts)}),
      more: Object.assign({}, ...locks.map(({more}) => more)) as Lock['more'],
    },
    disagreements: [...packages, ...xpkgs].flatMap(({disagreements}) => disagreements),
  }
}

/** A merge can leave one package at two versions, if each branch locked it in a file of another name. */
function joinedXpkgs(files: readonly InstallLock[]) {
  const all = files.flatMap(({file, lock}) => (lock.xpkgs ?? []).map(own => ({file, own})))
  const names = [...new Set(all.map(({own}) => own.repository))].sort(compareText)
  return names.flatMap(repository => {
    const selected = all.filter(({own}) => own.repository === repository)
    const [newest] = [...selected].sort((a, b) => compareVersions(versionIn(a.own), versionIn(b.own)))
    const [first] = selected
    if (newest === undefined || first === undefined) return []
    const others = selected.filter(({own}) => versionIn(own) !== versionIn(first.own))
    const disagreements = others.map(({file, own}): Diagnostic => ({
      severity: 'error',
      rule: 'lock-entries',
      message: `${repository} is locked at ${versionIn(own)}, but at ${versionIn(first.own)} in ${first.file}`,
      file,
    }))
    return [{joined: newest.own, disagreements}]
  })
}

function versionIn({tag, digest}: LockedXpkg): string {
  return tag ?? digest ?? ''
}

/** Different settings are those of no declaration. */
function joinedHash(hashes: readonly string[]): string {
  const [first = '', ...others] = [...new Set(hashes)].sort(compareText)
  if (others.length === 0) return first
  return `sha256:${createHash('sha256')
    .update([first, ...others].join('\n'))
    .digest('hex')}`
}

type Dependents = ReadonlyMap<string, LockedInstall['for']>

/** What is required of each install, by its key. */
function dependentsIn(locks: readonly Lock[]): Dependents {
  const all = new Map<string, Record<string, readonly string[]>>()
  for (const install of locks.flatMap(({packages}) =>
    packages.flatMap(lockedPackage => lockedPackage.installs),
  )) {
    for (const [key, texts] of Object.entries(asObject(install.more.requires))) {
      all.set(key, {...all.get(key), [installKey(install)]: asTexts(texts)})
    }
  }
  return all
}

function joinedPackage(identity: string, files: readonly InstallLock[], dependents: Dependents) {
  const selected = files.flatMap(({file, lock}) =>
    lock.packages.filter(lockedPackage => lockedPackage.identity === identity).map(own => ({file, own})),
  )
  const [newest] = [...selected].sort((a, b) => compareVersions(a.own.tag, b.own.tag))
  if (newest === undefined) throw new RangeError(`no lock selects ${identity}`)
  const installs = selected.flatMap(({own}) =>
    own.installs.map(install => withDependents(install, dependents)),
  )
  const byKey = new Map(installs.map(install => [installKey(install), install]))
  const sorted = [...byKey].sort(([a], [b]) => compareText(a, b)).map(([, install]) => install)
  const joined: LockedPackage = {...newest.own, installs: sorted}
  return {joined, disagreements: disagreementsIn(identity, selected)}
}

function withDependents(install: LockedInstall, dependents: Dependents): LockedInstall {
  const {requires: _requires, ...more} = install.more
  const all = Object.entries(dependents.get(installKey(install)) ?? {})
  return {...install, for: Object.fromEntries(all.sort(([a], [b]) => compareText(a, b))), more}
}

function disagreementsIn(
  identity: string,
  selected: readonly {readonly file: string; readonly own: LockedPackage}[],
): readonly Diagnostic[] {
  const versionOf = ({tag, digest, summaryHash}: LockedPackage) => [tag, digest ?? '', summaryHash].join('\0')
  const [first, ...others] = selected
  if (first === undefined) return []
  return others
    .filter(({own}) => versionOf(own) !== versionOf(first.own))
    .map(({file, own}): Diagnostic => ({
      severity: 'error',
      rule: 'lock-entries',
      message: `${identity} is locked at ${own.tag}, but at ${first.own.tag} in ${first.file}`,
      file,
    }))
}
