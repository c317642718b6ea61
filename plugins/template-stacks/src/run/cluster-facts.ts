import type {ApiResource, ClusterApi} from 'kubectl-crossplane/plugin'
import type {Capabilities} from '../helm/render-chart.js'
import type {ScopeOf} from '../objects/object-scopes.js'

/** What a cluster serves, as templates and their objects need it. */
export interface ClusterFacts {
  readonly scopeOf: ScopeOf
  capabilities(): Promise<Capabilities>
  /** Reads again what is served; returns false if that was done a moment ago. */
  refresh(): Promise<boolean>
}

/** In milliseconds. */
const SHORTEST = 10_000

/** Reads what a cluster serves. */
export async function clusterFacts(
  api: Pick<ClusterApi, 'discover' | 'version'>,
  elapsed: () => number,
): Promise<ClusterFacts> {
  let scopes = scopesIn((await api.discover()).resources)
  let last = elapsed()
  return {
    scopeOf: (group, kind) => scopes.get(`${kind}.${group}`),
    async capabilities() {
      const [{gitVersion}, {resources}] = await Promise.all([api.version(), api.discover()])
      const apis = resources.flatMap(({group, version, kind}) => {
        const apiVersion = group === '' ? version : `${group}/${version}`
        return [apiVersion, `${apiVersion}/${kind}`]
      })
      return {kubeVersion: gitVersion, apiVersions: [...new Set(apis)].sort()}
    },
    async refresh() {
      if (elapsed() - last < SHORTEST) return false
      last = elapsed()
      scopes = scopesIn((await api.discover(true)).resources)
      return true
    },
  }
}

function scopesIn(resources: readonly ApiResource[]): ReadonlyMap<string, 'Cluster' | 'Namespaced'> {
  return new Map(
    resources.map(({group, kind, namespaced}) => [`${kind}.${group}`, namespaced ? 'Namespaced' : 'Cluster']),
  )
}
