import {CrossplaneError} from '../errors.js'
import {formatImageName, type ImageName} from '../reference/image-name.js'
import {nameFromSource} from '../reference/image-source.js'
import {compareVersions, isStable, newestStable} from '../reference/newest-version.js'
import {formatPackageReference, parsePackageReference} from '../reference/package-reference.js'
import type {PackagePorts} from '../locate/located-package.js'
import {expectSpelled} from '../locate/near-names.js'
import {withPackages} from '../locate/package-sources.js'
import {RemoteRepository} from '../locate/remote-repository.js'

/** The tags of a package in the folder of packages or, if it has none, in its registry. */
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
 * Lists the tags of a package, from the folder of packages if that has any, as resolution does; no index is needed.
 * Throws `usage` for a local package, and the errors of the registry.
 */
export async function versions(text: string, ports: VersionPorts): Promise<VersionsReport> {
  const reference = parsePackageReference(text)
  if (reference.kind !== 'image') {
    throw new CrossplaneError('usage', `${formatPackageReference(reference)} is local and has no tags`, {
      suggestions: [
        'Pass a package in a registry: [HOST/]PATH, and --packages DIR for its tags in a folder of packages',
      ],
    })
  }
  const {tag: _tag, digest: _digest, ...repository} = reference.name
  const {name, tags} = await namedTags(repository, ports)
  const newest = newestStable(tags)
  return {
    package: formatImageName(name),
    versions: [...tags]
      .sort(compareVersions)
      .map(tag => ({tag, stable: isStable(tag), newest: tag === newest})),
  }
}

type VersionPorts = Pick<PackagePorts, 'remote' | 'defaultSource' | 'folder' | 'localNames'>

interface NamedTags {
  readonly name: ImageName
  readonly tags: readonly string[]
}

async function namedTags(requested: ImageName, ports: VersionPorts): Promise<NamedTags> {
  const {remote, defaultSource, folder} = ports
  const name = defaultSource === undefined ? requested : nameFromSource(requested, defaultSource)
  const local = withPackages((await folder?.versions(requested, defaultSource)) ?? [])
  if (local.length > 0) return {name, tags: [...new Set(local.map(({tag}) => tag))]}
  if (folder !== undefined) await expectSpelled(requested, ports)
  return {name, tags: await new RemoteRepository(name, remote).tags()}
}
