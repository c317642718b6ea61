import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {compareText} from '../../reference/compare-text.js'
import {parseImageName} from '../../reference/image-name.js'
import {canonicalSource, mirroredRepository, type Mirrors} from '../../reference/mirrors.js'
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
  const rewrites = Object.entries(mirrors)
    // Of two mirrors for the same names, that of the longer registry is read.
    .sort(([one], [other]) => canonicalSource(other).length - canonicalSource(one).length)
    .flatMap(([from, to]) =>
      packages
        .filter(({selected}) => isInSource(selected.repository, from))
        .map(one => rewriteOf(one, from, to)),
    )
  const byPrefix = new Map(rewrites.toReversed().map(rewrite => [rewrite.from + rewrite.separator, rewrite]))
  const sorted = [...byPrefix].sort(([one], [other]) => compareText(one, other))
  return withOwnNames(sorted.map(([, {from, to, separator}]) => mirrorImageConfig(from, to, separator)))
}

/** Numbers the further ones of a name: those of `r.io/team/` and `r.io/team:` have the same. */
function withOwnNames(configs: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const numbers = new Map<string, number>()
  return configs.map(config => {
    const {name} = config.metadata
    const number = (numbers.get(name) ?? 0) + 1
    numbers.set(name, number)
    return number === 1 ? config : {...config, metadata: {...config.metadata, name: `${name}-${number}`}}
  })
}

/** How the beginning of a reference is replaced. */
interface Rewrite {
  readonly from: string
  readonly to: string
  readonly separator: string
}

/** Crossplane compares texts. */
function rewriteOf({selected: {repository}, reference}: RequestedImage, from: string, to: string): Rewrite {
  const {beginning, below} = writtenSource(repository, from)
  // Of a mirror for one repository, the prefix must not match longer names.
  const separator = repository === beginning ? reference.slice(beginning.length, beginning.length + 1) : '/'
  return {from: beginning, to: `${to}${below}`, separator}
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
