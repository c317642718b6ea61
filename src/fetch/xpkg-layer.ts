/**
 * Annotation of the layer that holds the `package.yaml` of a package since Crossplane v0.13.
 * https://github.com/crossplane/crossplane/blob/main/contributing/specifications/xpkg.md
 */
export const XPKG_LAYER = 'io.crossplane.xpkg'

/** The value that marks the layer with the `package.yaml`; others are for other programs. */
export const XPKG_BASE = 'base'

/** The value that marks the layer with `.up/examples.yaml`, as `crossplane xpkg build` writes it. No install reads it. */
export const XPKG_EXAMPLES = 'upbound'

/** The folder of that layer. */
export const EXAMPLES_LAYER_FOLDER = '.up'
