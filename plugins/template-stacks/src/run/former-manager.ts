import {asObject, asObjects, asText, type JsonObject, type KubernetesObject} from 'kubectl-crossplane/plugin'

/**
 * The managers of the fields of an object that the original controller made, with those fields under the manager of this
 * one: otherwise a field that is no longer rendered would stay for ever. The original wrote the parent labels, and it
 * updated objects. Undefined for any other object. https://pkg.go.dev/k8s.io/client-go/util/csaupgrade does the same.
 */
export function takenOver({metadata}: KubernetesObject, manager: string): readonly JsonObject[] | undefined {
  const managers = asObjects(metadata.managedFields)
  const isOurs = (entry: JsonObject) => entry.manager === manager && entry.operation === 'Apply'
  if (managers.some(isOurs)) return undefined
  const index = managers.findIndex(entry => entry.operation === 'Update' && ownsParentLabel(entry))
  const former = managers[index]
  if (former === undefined || asText(former.subresource) !== '') return undefined
  return managers.with(index, {...former, manager, operation: 'Apply'})
}

function ownsParentLabel({fieldsV1}: JsonObject): boolean {
  const labels = asObject(asObject(asObject(fieldsV1)['f:metadata'])['f:labels'])
  return labels['f:core.crossplane.io/parent-name'] !== undefined
}
