import {asObject, jsonEqual, type JsonObject, type KubernetesObject} from 'kubectl-crossplane/plugin'

/** Whether a change of an object is one of more than its status: that is what a controller itself writes. */
export function isRelevant({
  before,
  after,
}: {
  readonly before?: KubernetesObject | undefined
  readonly after?: KubernetesObject | undefined
}): boolean {
  return before === undefined || after === undefined || !jsonEqual(contentIn(before), contentIn(after))
}

function contentIn({status: _status, metadata, ...object}: KubernetesObject): JsonObject {
  const {
    resourceVersion: _resourceVersion,
    managedFields: _managedFields,
    generation: _generation,
    ...own
  } = asObject(metadata)
  return {...object, metadata: own}
}
