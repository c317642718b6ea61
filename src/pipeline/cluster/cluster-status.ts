import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {CrossplaneError} from '../../errors.js'
import type {LabelRequirement} from '../../kubernetes/label-selector.js'
import {present} from '../../present.js'
import {quoted} from '../../text.js'
import {listPackages, NO_PACKAGES, type PackageList} from './core/list-packages.js'
import {type InstallStatuses, readStatuses, type StatusQuery} from './install-status.js'

/** What the status of a cluster is read of. */
export interface ClusterStatusQuery {
  /** Absent where a text can only name a package for a current Crossplane. */
  readonly installs?: StatusQuery
  readonly selector: readonly LabelRequirement[]
  /** Whether packages for a current Crossplane are selected, and what names one of them; without a text all of them. */
  readonly selectsPackages: boolean
  readonly text?: string
}

/** The installs and the packages for a current Crossplane of a cluster. */
export interface ClusterStatus {
  readonly statuses: InstallStatuses
  readonly packages: PackageList
}

const NO_STATUSES: InstallStatuses = {statuses: [], warnings: [], denials: []}

/** Reads the health of installs and packages, of all or of those that a text names. Throws `not-found` and the errors of the API. */
export async function readClusterStatus(query: ClusterStatusQuery, api: ClusterApi): Promise<ClusterStatus> {
  const {installs, text} = query
  if (installs === undefined || text !== undefined) return await readNamedStatus(query, api)
  const [statuses, packages] = await Promise.all([readStatuses(installs, api), readPackages(query, api)])
  return {statuses, packages}
}

async function readNamedStatus(query: ClusterStatusQuery, api: ClusterApi): Promise<ClusterStatus> {
  const packages = await readPackages(query, api)
  const isPackage = packages.packages.length > 0
  if (query.installs === undefined) {
    if (!isPackage) throw notShown(packages, query.text)
    return {statuses: NO_STATUSES, packages}
  }
  const statuses = await readStatuses(query.installs, api).catch((error: unknown) => {
    if (isPackage && isWithoutInstall(error)) return NO_STATUSES
    throw error
  })
  // That packages cannot be listed does not matter for an install.
  return {statuses, packages: isPackage ? packages : NO_PACKAGES}
}

async function readPackages(
  {selectsPackages, selector, text}: ClusterStatusQuery,
  api: ClusterApi,
): Promise<PackageList> {
  return selectsPackages ? await listPackages(api, selector, text) : NO_PACKAGES
}

/** A user who may not list installs can still name a package. */
function isWithoutInstall(error: unknown): boolean {
  return error instanceof CrossplaneError && ['not-found', 'cluster-denied'].includes(error.code)
}

/** A package that is not listed, or all of them. */
function notShown({warnings: [denied]}: PackageList, text = ''): CrossplaneError {
  if (denied !== undefined)
    return new CrossplaneError('cluster-denied', denied.message, present({suggestions: denied.suggestions}))
  return new CrossplaneError('not-found', `package ${quoted(text)} is not installed`, {
    suggestions: ['kubectl crossplane package list --all-namespaces'],
  })
}
