import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {groupOf} from '../../kubernetes/object-key.js'
import type {RecordedKinds} from '../../plan/cluster/state/cluster-snapshot.js'
import {ERAS} from '../../render/era.js'
import {requestKind} from '../../render/request.js'
import {asObject, asObjects, asText} from '../../yaml/json-value.js'
import {PAGE_SIZE} from './page-size.js'

/** Reads the kinds that package records name, of both eras: a CRD that one names is in use. */
export async function recordedKinds(api: ClusterApi): Promise<readonly RecordedKinds[]> {
  const recorded: RecordedKinds[] = []
  for (const {apiVersion, kinds} of Object.values(ERAS)) {
    for await (const {metadata, spec} of api.list({apiVersion, kind: kinds.record}, {pageSize: PAGE_SIZE})) {
      recorded.push({
        namespace: metadata.namespace ?? '',
        name: metadata.name,
        kinds: asObjects(asObject(spec).customresourcedefinitions).map(
          object => `${groupOf(asText(object.apiVersion))} ${asText(object.kind)}`,
        ),
        requires: asObjects(asObject(spec).dependsOn).flatMap(({crd}) =>
          crd === undefined ? [] : [asText(crd)],
        ),
      })
    }
  }
  return recorded
}

/** Finds the installs that requests name, of both eras: they can be dependents of which the inventory is lost. */
export async function requestedInstalls(api: ClusterApi): Promise<readonly RecordedKinds[]> {
  const requested: RecordedKinds[] = []
  for (const era of Object.values(ERAS)) {
    for (const scope of ['Cluster', 'Namespaced'] as const) {
      const kind = {apiVersion: era.apiVersion, kind: requestKind(era, scope)}
      for await (const {metadata} of api.list(kind, {metadataOnly: true, pageSize: PAGE_SIZE})) {
        requested.push({namespace: metadata.namespace ?? '', name: metadata.name, kinds: []})
      }
    }
  }
  return requested
}
