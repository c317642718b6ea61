/** The form of a package for a current Crossplane. */
export interface XpkgSource {
  readonly form: 'folder' | 'image'
  /** The number of layers of the image that are marked as the package's. */
  readonly baseLayers?: number
}
