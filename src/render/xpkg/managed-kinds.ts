import {isSince, plainCapability, SINCE} from '../../xpkg/core-release.js'

/** The kinds of providers for which Crossplane creates no ManagedResourceDefinition. */
const CONFIGS = ['ProviderConfig', 'ClusterProviderConfig', 'ProviderConfigUsage']
/** That of Crossplane 2.3 and later. */
const NEW_CONFIG = 'ClusterProviderConfigUsage'

/** Reports whether a version of Crossplane, by default the newest, makes a ManagedResourceDefinition of the CRD of a kind. */
export function isManagedKind(kind: string, coreVersion?: string): boolean {
  return !CONFIGS.includes(kind) && !(kind === NEW_CONFIG && isSince(coreVersion, SINCE.newRules))
}

/** Reports whether a package can start while its kinds are inactive; capabilities are compared without punctuation and case. */
export function hasSafeStart({capabilities = []}: {readonly capabilities?: readonly string[]}): boolean {
  return capabilities.some(text => plainCapability(text) === 'safestart')
}
