import {expect} from '@jest/globals'
import {packageCache} from '../../src/cache/package-cache.js'
import type {Diagnostic} from '../../src/diagnostic.js'
import {DEFAULT_PLATFORM} from '../../src/fetch/platform.js'
import {listedIndex} from '../../src/index/listed-index.js'
import {formatSummary, type PackageSummary} from '../../src/index/package-summary.js'
import type {PackagePorts} from '../../src/locate/located-package.js'
import type {ResolutionPolicy} from '../../src/resolve/packages/resolution-policy.js'
import type {HeldLock} from '../../src/resolve/lock/held-lock.js'
import type {RequestedInstall} from '../../src/render/requested-install.js'
import type {Lock} from '../../src/declaration/lock.js'
import {parseInstallTarget} from '../../src/reference/install-target.js'
import {parsePackageImage} from '../../src/reference/package-reference.js'
import {repositoryOf} from '../../src/reference/repository.js'
import {memoryStore} from '../cache/memory-store.js'
import {digestOf} from '../fetch/image-parts.js'
import {memoryDirectory} from '../unpack/files/memory-directory.js'
import {crossplaneReleases} from '../../src/pipeline/request/assumed-facts.js'
import {packageOf} from '../resolve/packages/opened-package.js'

/** Ports of a folder in memory with the packages of these summaries. */
export function memoryPackages(packages: readonly PackageSummary[]): PackagePorts {
  const directories = new Map(packages.map(each => [formatSummary(each), each]))
  const places = packages.map(each => ({
    repositoryPath: each.identity,
    tag: each.tag,
    at: {kind: 'directory', path: formatSummary(each)} as const,
  }))
  return {
    ...withoutPackages(),
    sources: {
      ...withoutPackages().sources,
      directory: path => {
        const found = directories.get(path)
        return found === undefined ? unread(path) : Promise.resolve(directoryOf(found))
      },
    },
    folder: {
      all: () => Promise.resolve(places),
      versions: ({path}) => Promise.resolve(places.filter(({repositoryPath}) => repositoryPath === path)),
    },
  }
}

/**
 * Ports of an index in memory with these packages, whose registry is not asked: what it has is in the cache. `wrong` are
 * entries of the index that the registry contradicts.
 */
export async function indexedPackages(
  packages: readonly PackageSummary[],
  wrong: readonly PackageSummary[] = [],
): Promise<PackagePorts> {
  const warn = ({message}: Diagnostic) => expect(message).toBe('')
  const cache = packageCache(memoryStore(), {clock: {now: () => 0}, warn})
  const summaries: PackageSummary[] = [...wrong]
  for (const summary of packages) {
    const digest = digestOf(Buffer.from(JSON.stringify(summary)))
    const repository = repositoryOf(parsePackageImage(summary.identity))
    await cache.rememberTag(repository, summary.tag, digest)
    await cache.keep({
      digest,
      platform: DEFAULT_PLATFORM,
      repository,
      files: packageOf(summary).located.files,
    })
    summaries.push({...summary, digest})
  }
  const index = listedIndex('index', {summaries, unreadable: [], yanked: []})
  return {
    ...withoutPackages(),
    remote: {cache: () => Promise.resolve(cache)},
    indexes: () => Promise.resolve([index]),
  }
}

/** Ports without a folder, an index and a registry. */
export function withoutPackages(): PackagePorts {
  return {sources: {directory: unread, files: unread, file: unread}, remote: {}}
}

function unread(path: string): Promise<never> {
  return Promise.reject(new Error(`${path} is not in memory`))
}

function directoryOf(summary: PackageSummary) {
  const files = packageOf(summary).located.files.map(
    ({path, bytes}) => [`.registry/${path}`, Buffer.from(bytes).toString()] as const,
  )
  return memoryDirectory(Object.fromEntries(files))
}

export const POLICY: ResolutionPolicy = {
  facts: [],
  crossplane: crossplaneReleases('none'),
  owners: [],
  allowVersionMismatch: false,
  systemNamespace: 'crossplane-system',
  budget: {isSpent: () => false},
}

/** A request for a package or CRD. */
export function request(text: string, more: Partial<RequestedInstall> = {}): RequestedInstall {
  return {
    target: parseInstallTarget(text),
    parameters: {imagePullSecrets: [], serviceAccountAnnotations: {}},
    ...more,
  }
}

/** A policy that keeps to a lock. */
export function keeping(lock: Lock, more: Partial<HeldLock> = {}): ResolutionPolicy {
  return {
    ...POLICY,
    lock: {name: 'a.lock', lock, upgraded: [], otherwise: 'note', remedy: 'package lock', ...more},
  }
}
