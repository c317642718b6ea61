import type {PackageSummary} from '../../index/package-summary.js'
import type {SetInstall, SetPackage} from '../../render/install-set.js'
import type {PlannedInstall} from '../../resolve/resolution.js'
import {type OpenPackage, summaryOfOpen} from '../resolve/catalog.js'
import {requirementsByDependent, summaryHash} from '../resolve/lock-of.js'
import {repositoryNames} from '../resolve/repository-names.js'

/** How an install came into a set: its package in the terms of the lock, and which installs require it. */
export type InstallOrigin = Pick<SetInstall, 'package' | 'mode' | 'for'>

/** The origin of an install that was resolved. */
export function resolvedOrigin({summary, requestedBy, for: requirements}: PlannedInstall): InstallOrigin {
  return {
    package: packageOf(summary),
    mode: requestedBy.length > 0 ? 'requested' : 'auto',
    for: requirementsByDependent(requirements),
  }
}

/** The origin of an install that was requested by name and is rendered without resolving. */
export function requestedOrigin(opened: OpenPackage, defaultSource: string | undefined): InstallOrigin {
  const {reference, repositoryPath} = opened.located
  const identity =
    reference === undefined ? repositoryPath : repositoryNames([reference], defaultSource)(reference)
  return {package: packageOf(summaryOfOpen(opened, identity)), mode: 'requested', for: {}}
}

function packageOf(summary: PackageSummary): SetPackage {
  const {identity, tag, version, digest} = summary
  return {
    identity,
    tag,
    version,
    ...(digest === undefined ? {} : {digest}),
    summaryHash: summaryHash(summary),
  }
}
