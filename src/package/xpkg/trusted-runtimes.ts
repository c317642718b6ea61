import {withPodImages} from '../../kubernetes/pod-images.js'
import type {PackagePorts} from '../../locate/located-package.js'
import type {XpkgSet} from '../../render/xpkg/xpkg-set.js'
import type {XpkgClosure} from './closure.js'

/** Verifies the images that runtimes name in place of those of packages, and names them by their digests. */
export async function withTrustedRuntimes(
  set: XpkgSet,
  closure: Pick<XpkgClosure, 'packages'>,
  ports: PackagePorts,
): Promise<XpkgSet> {
  if (ports.remote.trust === undefined) return set
  const {formerImages, verifiedImages} = await import('../../pipeline/signatures/rendered-images.js')
  const names = await verifiedImages(
    set.objects.map(({object}) => object),
    ports,
    formerImages(closure.packages),
  )
  return {...set, objects: set.objects.map(own => ({...own, object: withPodImages(own.object, names)}))}
}
