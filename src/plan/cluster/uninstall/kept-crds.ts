import type {Inventory} from '../../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {objectKey} from '../../../kubernetes/object-key.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import {ERAS} from '../../../render/era.js'
import {claimLabels} from '../../../render/labels.js'
import {escaped, listAll, listNames, quoted, shellWord} from '../../../text.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {appliers, eraManaging} from '../crds/leftover-claims.js'
import {managerRejection} from '../inventories/managed-installs.js'

/**
 * Rejects the deletion of a CRD on which another field manager applies the claims of the removed installs, too: these stay
 * when the installs give them up, and a CRD with a claim is not deleted.
 */
export function foreignClaims(
  object: ObjectName | undefined,
  removed: readonly Inventory[],
  {live}: Pick<ClusterSnapshot, 'live'>,
): readonly Diagnostic[] {
  const crd = object && live.get(objectKey(object))
  if (object === undefined || crd === undefined) return []
  const claims = new Set(removed.flatMap(({install}) => Object.keys(claimLabels(ERAS[install.era], install))))
  const labels = [...claims].filter(claim => appliers(crd, claim).length > 0)
  if (labels.length === 0) return []
  const managers = listAll([...new Set(labels.flatMap(label => appliers(crd, label)))].sort().map(quoted))
  const name = escaped(object.name)
  return [
    {
      severity: 'error',
      rule: 'claim-applied',
      message: `CustomResourceDefinition ${name} is still claimed: ${managers} also applied ${listNames(labels)}`,
      subject: {object: `${object.kind} ${name}`},
      suggestions: [
        `Remove the claim labels from the manifest that ${managers} applies, and run the next command.`,
        `kubectl label customresourcedefinition ${shellWord(object.name)} ${labels.map(label => shellWord(`${label}-`)).join(' ')}`,
      ],
    },
  ]
}

/** Rejects to leave a CRD without a claim while a package manager runs that deletes such CRDs. */
export function keptUnderManagers(
  unused: ReadonlyMap<string, KubernetesObject>,
  removed: readonly Inventory[],
  {managers}: Pick<ClusterSnapshot, 'managers'>,
): readonly Diagnostic[] {
  const own = new Set(removed.map(({install}) => install.era))
  return [...unused.values()].flatMap(crd => {
    const era = eraManaging(crd)
    const running = era && managers.get(era.name)
    // The removal of an install under its own package manager is rejected anyway.
    if (era === undefined || running === undefined || own.has(era.name)) return []
    return [
      managerRejection(
        `deletes CustomResourceDefinition ${escaped(crd.metadata.name)} without a claim`,
        running,
      ),
    ]
  })
}
