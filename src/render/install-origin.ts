import type {PackageSummary} from '../index/package-summary.js'
import {present} from '../present.js'
import type {PackageReference} from '../reference/package-reference.js'
import type {SetInstall, SetPackage} from './install-set.js'
import type {PlannedInstall, VersionPin} from '../resolve/resolution.js'
import {filesHash} from '../unpack/files-hash.js'
import type {PackageFile} from '../unpack/package-file.js'
import {type OpenPackage, summaryOfOpen} from '../resolve/catalog/catalog.js'
import {acceptedMismatches, requirementsByDependent, summaryHash} from '../resolve/lock/lock-of.js'
import {repositoryNames} from '../resolve/repository-names.js'
import type {RequestedRoot} from '../resolve/requested/requested-roots.js'

/** The origin of an install in a set: its package in the terms of the lock, and its dependents. */
export type InstallOrigin = Pick<SetInstall, 'package' | 'mode' | 'pin' | 'for' | 'acceptedMismatches'>

/** The origin of an install that was resolved. */
export function resolvedOrigin(
  install: PlannedInstall,
  pin: VersionPin | undefined,
  files: readonly PackageFile[],
): InstallOrigin {
  const {summary, requestedBy, for: requirements} = install
  const mismatches = acceptedMismatches(install)
  return {
    package: packageOf(summary, files),
    mode: requestedBy.length > 0 ? 'requested' : 'auto',
    ...present({pin}),
    for: requirementsByDependent(requirements),
    ...(mismatches.length === 0 ? {} : {acceptedMismatches: mismatches}),
  }
}

/** The origin of an install that was requested by name and is rendered without resolving. */
export function requestedOrigin(
  opened: OpenPackage,
  target: PackageReference,
  defaultSource: string | undefined,
): InstallOrigin {
  const {reference, repositoryPath, files} = opened.located
  const identity =
    reference === undefined ? repositoryPath : repositoryNames([reference], defaultSource)(reference)
  return {
    package: packageOf(summaryOfOpen(opened, identity), files),
    mode: 'requested',
    ...pinned(target),
    for: {},
  }
}

function pinned(target: PackageReference): Pick<InstallOrigin, 'pin'> {
  const pin = pinOf({target})
  return pin === undefined ? {} : {pin}
}

/** The version restriction of a request. */
export function pinOf({target, range}: Pick<RequestedRoot, 'target' | 'range'>): VersionPin | undefined {
  if (target.kind !== 'image') return undefined
  if (range !== undefined) return {range}
  const {tag, digest} = target.name
  if (tag === undefined && digest === undefined) return undefined
  return {...present({tag, digest})}
}

function packageOf(summary: PackageSummary, files: readonly PackageFile[]): SetPackage {
  const {identity, tag, version, digest} = summary
  return {
    identity,
    tag,
    version,
    ...present({digest}),
    summaryHash: summaryHash(summary),
    ...(digest === undefined ? {filesHash: filesHash(files)} : {}),
  }
}
