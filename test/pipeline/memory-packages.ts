import {formatSummary, type PackageSummary} from '../../src/index/package-summary.js'
import type {PackagePorts} from '../../src/pipeline/locate/located-package.js'
import type {ResolutionPolicy} from '../../src/pipeline/resolve/resolve-packages.js'
import type {HeldLock} from '../../src/pipeline/resolve/held-lock.js'
import type {RequestedInstall} from '../../src/pipeline/render/render-resolved.js'
import type {Lock} from '../../src/declaration/lock.js'
import {parseInstallTarget} from '../../src/reference/install-target.js'
import {memoryDirectory} from '../unpack/files/memory-directory.js'
import {packageOf} from './resolve/opened-package.js'

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
      versions: path => Promise.resolve(places.filter(({repositoryPath}) => repositoryPath === path)),
    },
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
  crossplane: 'none',
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
