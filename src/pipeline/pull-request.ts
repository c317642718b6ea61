import type {Lock} from '../declaration/lock.js'
import {formatSummary} from '../index/package-summary.js'
import {pull, type PullReport} from './pull.js'
import type {PackagePorts} from '../locate/located-package.js'
import type {ReadRequest} from './request/read-request.js'
import {unresolved} from '../resolve/packages/rejection.js'
import {resolvePackages} from '../resolve/packages/resolve-packages.js'

/**
 * Pulls all packages of a request: those of its lock by their digests, or without a lock those that it resolves to.
 * Local packages are omitted. Throws as `resolvePackages` and pulling do.
 */
export async function pullRequest({
  requested,
  policy,
  packages,
}: ReadRequest): Promise<readonly PullReport[]> {
  if (policy.lock !== undefined) return await pullLock(policy.lock.lock, packages)
  const result = await resolvePackages(requested, policy, packages)
  if (result.kind === 'rejected') throw unresolved(result)
  return await pullPinned(
    result.resolution.packages.map(({summary}) => summary),
    packages,
  )
}

/** Pulls the packages of a lock by their digests, without reading an index. */
export async function pullLock({packages}: Lock, ports: PackagePorts): Promise<readonly PullReport[]> {
  return await pullPinned(packages, ports)
}

/** Identities are full names: the default source does not apply to them. */
async function pullPinned(
  versions: readonly {readonly identity: string; readonly tag: string; readonly digest?: string}[],
  {remote, platform}: PackagePorts,
): Promise<readonly PullReport[]> {
  const references = versions.flatMap(version =>
    version.digest === undefined ? [] : [`${formatSummary(version)}@${version.digest}`],
  )
  return await pull(references, {remote, platform})
}
