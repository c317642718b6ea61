/** What an uninstall does with instances that would lose the controller. */
export const CUSTOM_RESOURCES = ['abort', 'keep', 'delete'] as const

/** How installs are removed. */
export interface UninstallOptions {
  /** Rejects the uninstall, leaves the instances and their CRDs, or deletes the instances first. */
  readonly customResources: (typeof CUSTOM_RESOURCES)[number]
  /** How many instances the user expects to be deleted. */
  readonly confirmedInstances?: number
  /** Removes dependencies, too, that no install requires any more. */
  readonly withUnusedDependencies: boolean
  /** Removes an install without an inventory: what its objects show of it. */
  readonly adopt: boolean
}
