/**
 * Annotation of the layer that holds the `package.yaml` of a package since Crossplane v0.13.
 * https://github.com/crossplane/crossplane/blob/main/contributing/specifications/xpkg.md
 */
export const XPKG_LAYER = 'io.crossplane.xpkg'

/** The value that marks the layer with the `package.yaml`; others are for other programs. */
export const XPKG_BASE = 'base'
