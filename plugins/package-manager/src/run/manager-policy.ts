import {
  asObject,
  asText,
  CrossplaneError,
  type KubernetesObject,
  type Policy,
  POLICY_MAP,
  readPolicyFile,
} from 'kubectl-crossplane/plugin'

/** The key of the policy in its ConfigMap. */
const POLICY_KEY = 'policy.yaml'

/** The policy of a manager: which namespaces it serves, and what they may install. */
export interface ManagerPolicy {
  /** As it is written; absent where there is none. */
  readonly bytes?: Uint8Array
  readonly owners: Policy['owners']
  /** Whether it lists the sources of packages and images. */
  readonly hasSources: boolean
  readonly namespaces: readonly string[]
  readonly clusterNamespaces: readonly string[]
  /** Why it cannot be read: then nothing is installed. */
  readonly problem?: string
}

const NO_POLICY: ManagerPolicy = {owners: [], hasSources: false, namespaces: [], clusterNamespaces: []}

/** Reads the policy in a ConfigMap. Without one, only the namespace of the manager is served. */
export function managerPolicy(map: KubernetesObject | undefined): ManagerPolicy {
  const text = asText(asObject(map?.data)[POLICY_KEY])
  if (map === undefined || text === '') return NO_POLICY
  const bytes = Buffer.from(text)
  try {
    const {owners, sources, manager} = readPolicyFile(
      `ConfigMap ${map.metadata.namespace ?? ''}/${POLICY_MAP}`,
      bytes,
    )
    return {bytes, owners, hasSources: sources !== undefined, ...manager}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const details = error.diagnostics.map(({line, message}) => `line ${line ?? 1}: ${message}`)
    return {...NO_POLICY, problem: [error.message, ...details].join('; ')}
  }
}
