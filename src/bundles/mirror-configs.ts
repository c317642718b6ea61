import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import type {Mirrors} from '../reference/mirrors.js'
import {parseImageName} from '../reference/image-name.js'
import {mirrorImageConfig} from '../render/xpkg/mirror-image-configs.js'
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
    .map(([host, mirror]) => mirrorImageConfig(host, mirror))
}
