import {CrossplaneError} from '../errors.js'
import type {Descriptor} from './image.js'

/**
 * Annotation of the layer that holds the `package.yaml` of a package since Crossplane v0.13.
 * https://github.com/crossplane/crossplane/blob/main/contributing/specifications/xpkg.md
 */
const XPKG_LAYER = 'io.crossplane.xpkg'

/** Whether an image is such a package, as far as its manifest tells. */
export function isModernPackage(layers: readonly Descriptor[]): boolean {
  return layers.some(({annotations}) => annotations[XPKG_LAYER] !== undefined)
}

/** What to say of one. `name` begins the sentence. */
export function modernPackage(name: string): CrossplaneError {
  return new CrossplaneError('unsupported', `${name} is a package for Crossplane v0.13 or later (xpkg)`, {
    suggestions: [
      'Install it with a current Crossplane: kubectl apply a Provider or Configuration that names it.',
    ],
  })
}
