/**
 * How requests are pinned: by tags that ImageConfigs rewrite to digests, by digests without the core's resolver, or not.
 */
export const XPKG_PINS = ['config', 'digest', 'tag'] as const
export type XpkgPin = (typeof XPKG_PINS)[number]

/** Whether the core resolves the dependencies of packages. */
export const XPKG_RESOLVERS = ['on', 'off'] as const
export type XpkgResolver = (typeof XPKG_RESOLVERS)[number]

/** How packages are pinned without a flag, a field of the declaration, or requests in the cluster that decide it. */
export const DEFAULT_PIN: XpkgPin = 'config'
