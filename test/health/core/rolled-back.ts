import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'

const API = 'pkg.crossplane.io/v1'

/** A Provider that returns to an earlier revision: Crossplane says that it is healthy, as both revisions were. */
export function rolledBack(): KubernetesObject {
  const conditions = ['Installed', 'Healthy'].map(type => ({type, status: 'True', observedGeneration: 3}))
  return {
    ...{apiVersion: API, kind: 'Provider', metadata: {name: 'sql', generation: 3}},
    spec: {package: 'h.io/sql:v1'},
    status: {currentIdentifier: 'h.io/sql:v1', currentRevision: 'sql-1', conditions},
  }
}

/** What Crossplane has done with a revision so far. */
export interface RevisionProgress {
  readonly desiredState: string
  readonly generation: number
  /** The generation that its condition is of. */
  readonly observed: number
  readonly healthy: string
}

/** The revision of before. */
export function revisionOf({
  desiredState,
  generation,
  observed,
  healthy,
}: RevisionProgress): KubernetesObject {
  const message = healthy === 'True' ? '' : 'it requires another version'
  const condition = {type: 'RevisionHealthy', status: healthy, message, observedGeneration: observed}
  return {
    ...{apiVersion: API, kind: 'ProviderRevision', metadata: {name: 'sql-1', generation}},
    spec: {desiredState},
    status: {conditions: [condition]},
  }
}
