import {
  asObjects,
  asText,
  type Change,
  CONTENT_MANAGER,
  isAppliedBy,
  type JsonObject,
  type KubernetesObject,
  present,
  sha256Of,
  writeJson,
} from 'kubectl-crossplane/plugin'

/** Keeps the labels of an object: they name whose it is, and many are watched. */
export function labelsAlone({apiVersion, kind, metadata}: KubernetesObject): KubernetesObject {
  const {name, namespace, uid, resourceVersion, labels} = metadata
  return {apiVersion, kind, metadata: {name, ...present({namespace, uid, resourceVersion, labels})}}
}

/** What the labels of a claim begin with: that of the install, and that of its namespace. */
const CLAIM = ['parent.', 'namespace.crossplane.io/']
/** The field managers of claims begin with it. */
const CLAIM_MANAGER = `${CONTENT_MANAGER}:`

/** Keeps the labels of a CRD, and a hash of what else changes in its metadata, besides claims. */
export function claimsOf(crd: KubernetesObject): KubernetesObject {
  const {resourceVersion: _resourceVersion, labels: _labels, managedFields, ...metadata} = crd.metadata
  const owners = asObjects(managedFields).filter(({manager}) => !asText(manager).startsWith(CLAIM_MANAGER))
  const others = {...metadata, managedFields: owners}
  return {...labelsAlone(crd), others: sha256Of(writeJson(others))}
}

/**
 * Returns the labels of a CRD, from `claimsOf`, whose installs a change concerns. That others claim it too is no matter of those
 * that do already; but they may have to take over what one no longer claims.
 */
export function concernedLabels({before, after}: Change): readonly string[] {
  const [labels, labelsAfter] = [labelsIn(before), labelsIn(after)]
  const isKept = Object.entries(labels).every(([label, value]) => labelsAfter[label] === value)
  const added = Object.keys(labelsAfter).filter(label => !(label in labels))
  const isClaimed = added.length > 0 && added.every(isOfClaim)
  const isSame = before?.others === after?.others
  return isKept && isClaimed && isSame ? added : Object.keys({...labels, ...labelsAfter})
}

function isOfClaim(label: string): boolean {
  return CLAIM.some(prefix => label.startsWith(prefix))
}

function labelsIn(object: KubernetesObject | undefined): Readonly<Record<string, string>> {
  return object?.metadata.labels ?? {}
}

/** Keeps a record as a whole only if it may be one that a user wrote; of others, that this program applied them. */
export function ifByHand(record: KubernetesObject): KubernetesObject {
  if (!isAppliedBy({...record}, CONTENT_MANAGER)) return record
  const {metadata, ...kept} = labelsAlone(record)
  const managedFields: JsonObject[] = [{manager: CONTENT_MANAGER, operation: 'Apply'}]
  return {...kept, metadata: {...metadata, managedFields}}
}

/** Keeps an object without its managed fields, which are half of it. */
export function withoutManagers(object: KubernetesObject): KubernetesObject {
  const {managedFields: _managedFields, ...metadata} = object.metadata
  return {...object, metadata}
}
