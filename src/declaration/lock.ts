import type {JsonObject} from '../yaml/json-value.js'

/** What was chosen for a request, so that it is chosen again: the content of crossplane-packages.lock. */
export interface Lock {
  /** Of the settings that decide; see `docs/lock.md`. */
  readonly requestHash: string
  /** Which rendering it was written for. */
  readonly renderVersion: number
  /** By identity. */
  readonly packages: readonly LockedPackage[]
  /** Versions that were not served where they were asked for, and that the reader accepted. */
  readonly acceptedMismatches: readonly LockedMismatch[]
  /** What was taken to be there without any package, by the text of the need, with the reason. */
  readonly assumptions: Readonly<Record<string, string>>
  /** Fields of a program that knows more than this one: they are kept. */
  readonly more: JsonObject
}

/** The one version of a package that is installed. */
export interface LockedPackage {
  readonly identity: string
  readonly tag: string
  readonly version: string
  /** Absent for a package in a folder, which has none. */
  readonly digest?: string
  readonly summaryHash: string
  /** By namespace and name. */
  readonly installs: readonly LockedInstall[]
  readonly more: JsonObject
}

export interface LockedInstall {
  readonly namespace: string
  readonly name: string
  /** Whether somebody asked for it, or only packages did. */
  readonly mode: (typeof LOCKED_MODES)[number]
  /** The CRDs by which somebody asked for it, rather than by its name; sorted. */
  readonly requestedFor: readonly string[]
  /** The tags, digests and ranges that requests restrict the package to; sorted. */
  readonly requestedAs?: readonly string[]
  /** What is needed of it, by the install that needs it as NAMESPACE/NAME; sorted. */
  readonly for: Readonly<Record<string, readonly string[]>>
  readonly more: JsonObject
}

export const LOCKED_MODES = ['requested', 'auto'] as const

/** A need of a CRD that its owner does not serve in that version. */
export interface LockedMismatch {
  readonly crd: string
  readonly owner: string
  /** The package that needs it; absent for the reader. */
  readonly requirer?: string
  readonly more: JsonObject
}

export const LOCK_API_VERSION = 'packages.kubectl-crossplane.dev/v1alpha1'
export const LOCK_KIND = 'PackageLock'

/** The newest format that is read, and the one that is written. */
export const LOCK_FORMAT = 1

/** A lock with the fields that this program does not know of the one in whose place it is written. */
export function carriedOver(fresh: Lock, previous: Lock | undefined): Lock {
  if (previous === undefined) return fresh
  const packages = fresh.packages.map(each => {
    const before = previous.packages.find(({identity}) => identity === each.identity)
    if (before === undefined) return each
    const installs = each.installs.map(install => {
      const known = before.installs.find(other => installKey(other) === installKey(install))
      return known === undefined ? install : {...install, more: known.more}
    })
    return {...each, installs, more: before.more}
  })
  const acceptedMismatches = fresh.acceptedMismatches.map(each => {
    const before = previous.acceptedMismatches.find(other => mismatchKey(other) === mismatchKey(each))
    return before === undefined ? each : {...each, more: before.more}
  })
  return {...fresh, packages, acceptedMismatches, more: previous.more}
}

/** Where an install stands, as NAMESPACE/NAME. */
export function installKey({namespace, name}: Pick<LockedInstall, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`
}

/** A mismatch as one text, whatever nobody knows of it. */
export function mismatchKey({crd, owner, requirer = ''}: LockedMismatch): string {
  return [crd, owner, requirer].join('\0')
}
