import type {Inventory} from '../../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {nameOf, objectKey} from '../../../kubernetes/object-key.js'
import {ERAS} from '../../../render/era.js'
import {claimLabels, MANAGED_BY_LABEL} from '../../../render/labels.js'
import {escaped, shellWord} from '../../../text.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'

/**
 * Rejects the removal of an install by its package manager for each CRD that is not the install's own and that the manager
 * would delete, too: it deletes every CRD that is marked as managed and that no install of its era claims any more.
 */
export function unclaimedRejections(
  {install, objects}: Inventory,
  marked: readonly KubernetesObject[],
): readonly Diagnostic[] {
  const {claimPrefix} = ERAS[install.era]
  const removed = new Set(Object.keys(claimLabels(ERAS[install.era], install)))
  const own = new Set(objects.map(objectKey))
  const isClaimed = ({metadata}: KubernetesObject) =>
    Object.keys(metadata.labels ?? {}).some(label => label.startsWith(claimPrefix) && !removed.has(label))
  return marked.filter(crd => !own.has(objectKey(nameOf(crd))) && !isClaimed(crd)).map(unclaimedRejection)
}

function unclaimedRejection({kind, metadata}: KubernetesObject): Diagnostic {
  const object = `${kind} ${escaped(metadata.name)}`
  return {
    severity: 'error',
    rule: 'crd-without-claim',
    message: `the package manager would also delete ${object}, which no other install claims, with its custom resources`,
    subject: {object},
    suggestions: [`kubectl label customresourcedefinition ${shellWord(metadata.name)} ${MANAGED_BY_LABEL}-`],
  }
}
