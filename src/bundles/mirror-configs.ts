import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import type {Mirrors} from '../reference/mirrors.js'
import {parseImageName} from '../reference/image-name.js'
import type {BundledImage} from './bundle-document.js'

/** Returns the ImageConfigs that have Crossplane read its packages from mirrors, one for each registry of packages. */
export function mirrorConfigs(
  images: readonly BundledImage[],
  mirrors: Mirrors,
): readonly KubernetesObject[] {
  const hosts = new Set(
    images.filter(({isXpkg}) => isXpkg).map(({reference}) => parseImageName(reference)?.registry ?? ''),
  )
  return Object.entries(mirrors)
    .filter(([host]) => hosts.has(host))
    .map(([host, mirror]) => ({
      apiVersion: 'pkg.crossplane.io/v1beta1',
      kind: 'ImageConfig',
      metadata: {
        name: `mirror-${host
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, '-')
          .replace(/^-|-$/g, '')}`,
      },
      spec: {matchImages: [{type: 'Prefix', prefix: `${host}/`}], rewriteImage: {prefix: `${mirror}/`}},
    }))
}
