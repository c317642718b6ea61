import {CrossplaneError} from '../errors.js'
import {formatImageName} from '../reference/image-name.js'
import {nameFromSource} from '../reference/image-source.js'
import {compareVersions, isStable, newestStable} from '../reference/newest-version.js'
import {formatPackageReference, parsePackageReference} from '../reference/package-reference.js'
import type {PackagePorts} from '../locate/located-package.js'
import {RemoteRepository} from '../locate/remote-repository.js'

/** The tags of a package in its registry. */
export interface VersionsReport {
  /** The repository. */
  readonly package: string
  /** Semantic versions first, newest first. */
  readonly versions: readonly PackageTag[]
}

interface PackageTag {
  readonly tag: string
  /** Whether it can be selected without being named. */
  readonly stable: boolean
  /** Whether it is the version of a reference without a tag. */
  readonly newest: boolean
}

/**
 * Lists the tags of a package; no index is needed. Throws `usage` for a local package, and the errors of the registry.
 */
export async function versions(
  text: string,
  {remote, defaultSource}: Pick<PackagePorts, 'remote' | 'defaultSource'>,
): Promise<VersionsReport> {
  const reference = parsePackageReference(text)
  if (reference.kind !== 'image') {
    throw new CrossplaneError('usage', `${formatPackageReference(reference)} is local and has no tags`, {
      suggestions: ['Pass a package in a registry: [HOST/]PATH'],
    })
  }
  const {tag: _tag, digest: _digest, ...repository} = reference.name
  const name = defaultSource === undefined ? repository : nameFromSource(repository, defaultSource)
  const tags = await new RemoteRepository(name, remote).tags()
  const newest = newestStable(tags)
  return {
    package: formatImageName(name),
    versions: [...tags]
      .sort(compareVersions)
      .map(tag => ({tag, stable: isStable(tag), newest: tag === newest})),
  }
}
