import {permissionTexts} from '../../inspect/permission-texts.js'
import {withoutImage} from '../../inspect/policy/judged-package.js'
import {isCrd} from '../../kubernetes/crd-kind.js'
import type {LocatedPackage} from '../../locate/located-package.js'
import {crdSurface, type PackageSurface, type SurfaceOptions} from '../../usage/package-surface.js'
import type {AssumedRender} from './inspect.js'
import {judgedRender} from './judge-package.js'

/**
 * Returns what users of a package depend on. Throws `package-invalid`.
 * @param rendered - it by itself, if it was rendered already.
 */
export function surfaceOfStack(
  located: LocatedPackage,
  options?: Partial<SurfaceOptions>,
  rendered?: AssumedRender,
): PackageSurface {
  const {judged, read, ownImage, objects} = judgedRender(located, rendered)
  return {
    crds: objects.flatMap(({object}) => (isCrd(object) ? [crdSurface(object, 'crd', options)] : [])),
    facts: {
      permission: permissionTexts(judged),
      // Each version has another image of its own.
      image: [...new Set(withoutImage(judged, ownImage).images.map(({reference}) => reference))],
      capability: [],
      dependency: read.dependencies.map(one => ('crd' in one ? `crd:${one.crd}` : one.package)),
      function: [],
      composition: [],
    },
    unread: [],
  }
}
