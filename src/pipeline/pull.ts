import {CrossplaneError} from '../errors.js'
import type {Digest} from '../fetch/image.js'
import {formatPlatform, DEFAULT_PLATFORM} from '../fetch/platform.js'
import {formatImageName, type ImageName} from '../reference/image-name.js'
import {nameFromSource} from '../reference/image-source.js'
import {formatPackageReference, parsePackageReference} from '../reference/package-reference.js'
import type {PackagePorts} from '../locate/located-package.js'
import {pullPackage} from '../locate/pull-package.js'

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
