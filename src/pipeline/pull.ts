import {CrossplaneError} from '../errors.js'
import type {Digest} from '../fetch/image.js'
import {formatPlatform, DEFAULT_PLATFORM} from '../fetch/platform.js'
import {formatImageName, type ImageName} from '../reference/image-name.js'
import {nameFromSource} from '../reference/image-source.js'
import {formatPackageReference, parsePackageReference} from '../reference/package-reference.js'
import type {PackagePorts} from '../locate/located-package.js'
import {pullPackage} from '../locate/pull-package.js'
import type {Lock, LockedXpkg} from '../declaration/lock.js'
import {present} from '../present.js'
import type {ReadRequest} from './request/read-request.js'
import type {SourcePolicy} from '../resolve/packages/resolution-policy.js'
import {expectFew} from '../resolve/packages/source-policy.js'
import {expectAllowedLock} from '../package/allowed-sources.js'
import type {PinnedVersion} from '../package/format.js'
import {packageFormat, requestedFormats} from '../package/formats.js'
import {recognize} from '../package/recognize.js'

/** A package that was pulled; `reference` is pinned to its digest. */
export interface PullReport {
  readonly reference: string
  readonly digest: Digest
  readonly tag?: string
  readonly platform: string
  readonly files: number
  /** The total size of its files. */
  readonly bytes: number
  readonly fromCache: boolean
}

type PullPorts = Pick<PackagePorts, 'remote' | 'platform' | 'defaultSource'>

/** Pulls packages into the cache, one after the other. */
export async function pull(references: readonly string[], ports: PullPorts): Promise<readonly PullReport[]> {
  const names = references.map(imageOf)
  const reports: PullReport[] = []
  for (const name of names) reports.push(await pullOne(name, ports))
  return reports
}

function imageOf(text: string): ImageName {
  const reference = parsePackageReference(text)
  if (reference.kind === 'image') return reference.name
  throw new CrossplaneError('usage', `${formatPackageReference(reference)} is local already`, {
    suggestions: ['Pass a package in a registry: [HOST/]PATH[:TAG][@sha256:DIGEST]'],
  })
}

async function pullOne(
  requested: ImageName,
  {remote, platform = DEFAULT_PLATFORM, defaultSource}: PullPorts,
): Promise<PullReport> {
  const name = defaultSource === undefined ? requested : nameFromSource(requested, defaultSource)
  const {files, digest, tag, fromCache} = await pullPackage(name, remote, {platform})
  return {
    reference: formatImageName({...name, tag, digest}),
    digest,
    tag,
    platform: formatPlatform(platform),
    files: files.length,
    bytes: files.reduce((sum, file) => sum + file.bytes.length, 0),
    fromCache,
  }
}

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
