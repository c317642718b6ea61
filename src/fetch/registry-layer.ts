import type {Descriptor} from './image.js'

/**
 * Annotation of a layer's descriptor in a manifest. The value `whole` means that the layer contains all of
 * `.registry/`: the layer's first two entries there are the directory and its opaque whiteout
 * (`.registry/.wh..wh..opq`), so that no lower layer is visible. A reader need not fetch those. The lowest layer can
 * omit the whiteout.
 */
export const REGISTRY_LAYER = 'io.crossplane.package.registry-layer'

/** The one value of `REGISTRY_LAYER`. */
export const WHOLE = 'whole'

/** Reports whether a layer claims to hold the whole package. Code that reads the layer must check the claim. */
export function claimsWholeRegistry({annotations}: Descriptor): boolean {
  return annotations[REGISTRY_LAYER] === WHOLE
}
