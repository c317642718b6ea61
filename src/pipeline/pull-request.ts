import type {Lock, LockedXpkg} from '../declaration/lock.js'
import {present} from '../present.js'
import {pull, type PullReport} from './pull.js'
import type {PackagePorts} from '../locate/located-package.js'
import type {ReadRequest} from './request/read-request.js'
import type {SourcePolicy} from '../resolve/packages/resolution-policy.js'
import {expectFew} from '../resolve/packages/source-policy.js'
import {expectAllowedLock} from '../package/allowed-sources.js'
import type {PinnedVersion} from '../package/format.js'
import {packageFormat, requestedFormats} from '../package/formats.js'
import {recognize} from '../package/recognize.js'

/**
 * Pulls all packages of a request: those of its lock by their digests, or without a lock those that it resolves to.
 * Local packages are omitted. Throws as `resolvePackages` and pulling do.
 */
export async function pullRequest(request: ReadRequest): Promise<readonly PullReport[]> {
  const {policy, packages} = request
  if (policy.lock !== undefined) return await pullLock(policy.lock.lock, packages, policy.teams)
  const recognized = await recognize(request)
  const versions: PinnedVersion[] = []
  for (const name of requestedFormats(recognized).toReversed()) {
    const format = await packageFormat(name)
    versions.push(...(await format.selected(recognized)))
  }
  expectFew(
    versions.map(({identity}) => identity),
    policy.teams,
  )
  return await pullPinned(versions, packages)
}

/** The version of a locked package for a current Crossplane. */
function pinnedXpkg({repository, tag, digest}: LockedXpkg): PinnedVersion {
  return {identity: repository, ...present({tag, digest})}
}

/** Pulls the packages of a lock by their digests, without reading an index. Throws `policy-refused`. */
export async function pullLock(
  lock: Lock,
  ports: PackagePorts,
  teams?: readonly SourcePolicy[],
): Promise<readonly PullReport[]> {
  expectAllowedLock(lock, teams)
  const {packages, xpkgs = []} = lock
  return await pullPinned([...packages, ...xpkgs.map(pinnedXpkg)], ports)
}

/** Identities are full names: the default source does not apply to them. */
async function pullPinned(
  versions: readonly PinnedVersion[],
  {remote, platform}: PackagePorts,
): Promise<readonly PullReport[]> {
  const references = versions.flatMap(({identity, tag, digest}) => {
    const name = tag === undefined ? identity : `${identity}:${tag}`
    return digest === undefined ? [] : [`${name}@${digest}`]
  })
  return await pull(references, {remote, platform})
}
