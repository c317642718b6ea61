/** The treatment of instances that would lose their controller. */
export const CUSTOM_RESOURCES = ['abort', 'keep', 'delete'] as const

/** The options of a removal. */
export interface UninstallOptions {
  /** Rejects the uninstall, leaves the instances and their CRDs, or deletes the instances first. */
  readonly customResources: (typeof CUSTOM_RESOURCES)[number]
  /** The number of instances that the user expects to be deleted. */
  readonly confirmedInstances?: number
  /** Removes dependencies, too, that are no longer required. */
  readonly withUnusedDependencies: boolean
  /** Removes an install without an inventory, as far as its objects show it. */
  readonly adopt: boolean
  /** Whether the package manager of this program removes it. */
  readonly asManager?: boolean
}
