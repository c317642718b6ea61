/** The kinds of providers for which Crossplane creates no ManagedResourceDefinition. */
const CONFIGS = [
  'ProviderConfig',
  'ClusterProviderConfig',
  'ProviderConfigUsage',
  'ClusterProviderConfigUsage',
]

/** Reports whether Crossplane 2.3 and later make a ManagedResourceDefinition of the CRD of a kind. */
export function isManagedKind(kind: string): boolean {
  return !CONFIGS.includes(kind)
}

/** Reports whether a package can start while its kinds are inactive; capabilities are compared without punctuation and case. */
export function hasSafeStart({capabilities = []}: {readonly capabilities?: readonly string[]}): boolean {
  return capabilities.some(text => text.toLowerCase().replace(/[^a-z]/g, '') === 'safestart')
}
