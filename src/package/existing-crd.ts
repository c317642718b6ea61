import {coreKindsOf} from '../render/core-kinds.js'
import {factFor, factTable, type Fact} from '../resolve/facts.js'
import {type CrdRequirement, matchingCrds} from '../resolve/requirement.js'

/** The releases of Crossplane that provided CRDs of their own, for messages that have no release to go by. */
const RELEASES = ['v0.12', 'v0.11', 'v0.10', 'v0.9', 'v0.8']

/**
 * Describes the provider of a CRD that exists without any package, as part of a sentence; undefined if there is none.
 */
export function existingCrdOrigin(
  requirement: CrdRequirement,
  facts: readonly Fact[],
  crossplane: string,
): string | undefined {
  const fact = factFor(requirement, factTable(facts))
  switch (fact?.origin) {
    case 'crossplane':
      return `is provided by Crossplane ${crossplane} itself`
    case 'kubernetes':
      return 'is provided by Kubernetes itself'
    case 'assumed':
      return 'is assumed to exist (--assume)'
    case 'never-existed':
      return 'is of a group that never had a CRD'
    default:
      return undefined
  }
}

/** The newest release of Crossplane that provided a CRD itself. */
export function crossplaneReleaseOf(requirement: CrdRequirement): string | undefined {
  return RELEASES.find(release => {
    const kinds = (coreKindsOf(release) ?? []).map(kind => ({...kind, singular: kind.kind.toLowerCase()}))
    const {version} = requirement
    return matchingCrds(requirement, kinds).some(crd => version === undefined || crd.version === version)
  })
}
