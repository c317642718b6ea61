import {CrossplaneError} from '../errors.js'
import type {Descriptor} from './image.js'

/**
 * Annotation of the layer that holds the `package.yaml` of a package since Crossplane v0.13.
 * https://github.com/crossplane/crossplane/blob/main/contributing/specifications/xpkg.md
 */
export const XPKG_LAYER = 'io.crossplane.xpkg'

/** The value that marks the layer with the `package.yaml`; others are for other programs. */
export const XPKG_BASE = 'base'

/** Reports whether an image is such a package, by its manifest. */
export function isModernPackage(layers: readonly Descriptor[]): boolean {
  return layers.some(({annotations}) => annotations[XPKG_LAYER] !== undefined)
}

/** The error message for one. `name` starts the sentence. */
export function modernPackage(name: string): CrossplaneError {
  return new CrossplaneError('unsupported', `${name} is a package for Crossplane v0.13 or later (xpkg)`, {
    suggestions: [
      'Use package render for it, and apply what is printed; this command is for packages with .registry/.',
    ],
  })
}
