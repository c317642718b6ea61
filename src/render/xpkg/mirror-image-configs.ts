import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {parseImageName} from '../../reference/image-name.js'
import {mirroredRepository, type Mirrors} from '../../reference/mirrors.js'
import {formatRepository, repositoryOf} from '../../reference/repository.js'
import {isInSource, writtenSource} from '../../reference/source-prefix.js'

/** A package as it is requested. */
interface RequestedImage {
  readonly selected: {readonly repository: string}
  /** `REPOSITORY:TAG` or `REPOSITORY@DIGEST` */
  readonly reference: string
}

/** Returns the repository that mirrors have be read in place of another one; undefined if they have none for it. */
export function mirrorOfRepository(repository: string, mirrors: Mirrors): string | undefined {
  const name = parseImageName(repository)
  if (name === undefined) return undefined
  const own = repositoryOf(name)
  const mirrored = mirroredRepository(own, mirrors)
  return mirrored === own ? undefined : formatRepository(mirrored)
}

/** Returns the ImageConfigs that have Crossplane read packages from their mirrors, one for each mirror with packages. */
export function mirrorImageConfigs(
  packages: readonly RequestedImage[],
  mirrors: Mirrors,
): readonly KubernetesObject[] {
  return Object.entries(mirrors).flatMap(([from, to]) => {
    const inside = packages.filter(({selected}) => isInSource(selected.repository, from))
    // Crossplane compares texts: docker.io has several names.
    const configs = inside.map(({selected: {repository}, reference}) => {
      const source = writtenSource(repository, from)
      // Of a mirror for one repository, the prefix must not match longer names.
      const isWhole = repository === source
      return mirrorImageConfig(source, to, isWhole ? reference.slice(source.length, source.length + 1) : '/')
    })
    return [...new Map(configs.map(config => [config.metadata.name, config])).values()]
  })
}

/** Returns the ImageConfig that has Crossplane read a registry, or a part of it, from a mirror. */
export function mirrorImageConfig(from: string, to: string, separator = '/'): KubernetesObject {
  const slug = from
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return {
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'ImageConfig',
    metadata: {name: `mirror-${slug}`},
    spec: {
      matchImages: [{type: 'Prefix', prefix: `${from}${separator}`}],
      rewriteImage: {prefix: `${to}${separator}`},
    },
  }
}
