import type {Inventory, InventoryObject} from '../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../diagnostic.js'
import {objectKey} from '../../kubernetes/object-key.js'
import type {InstallId} from '../../render/install-set.js'
import {count, escaped, listNames, shellWord} from '../../text.js'
import type {CrdImpact, Dependent, UninstallImpact} from '../uninstall-impact.js'
import type {ClusterSnapshot} from './cluster-snapshot.js'
import {otherUsers} from './crd-users.js'
import {lostInstanceText} from './lost-instances.js'
import {crdsOf, isSameInstall} from './ownership.js'
import type {UninstallOptions} from './uninstall-options.js'
import {isInventoryOf} from './unreadable-inventories.js'

/** Returns the impact of removing installs on users and on the installs that stay. */
export function uninstallImpact(removed: readonly Inventory[], snapshot: ClusterSnapshot): UninstallImpact {
  return {
    crds: [...crdsOf(removed).values()]
      .map(crd => crdImpact(crd, removed, snapshot))
      .filter(({instances, users}) => instances > 0 || users.length > 0),
    dependents: removed.flatMap(inventory => dependentsOf(inventory, removed, snapshot)),
  }
}

/** Reports whether a removal has no impact on users and other installs. */
export function isNoImpact({crds, dependents}: UninstallImpact): boolean {
  return crds.length === 0 && dependents.length === 0
}

/** Rejects a removal that would lose data, or objects that other installs require. */
export function impactRejections(
  {crds, dependents}: UninstallImpact,
  {customResources}: UninstallOptions,
): readonly Diagnostic[] {
  return [
    ...dependents.map(dependentRejection),
    ...(customResources === 'abort' ? crds.flatMap(instancesRejection) : []),
  ]
}

function crdImpact(
  crd: InventoryObject,
  removed: readonly Inventory[],
  snapshot: ClusterSnapshot,
): CrdImpact {
  const key = objectKey(crd)
  const live = snapshot.live.get(key)
  const {total = 0, first = []} = snapshot.instances.get(key) ?? {}
  const installs = removed.map(({install}) => install)
  const users = live === undefined ? [] : otherUsers(live, crd, installs, snapshot)
  return {crd: crd.name, instances: total, first, users}
}

/** The installs that require an install; also those of which only the name of the inventory is known. */
function dependentsOf(
  {install}: Inventory,
  removed: readonly Inventory[],
  {inventories, unreadable}: ClusterSnapshot,
): readonly Dependent[] {
  const isInstalled = (id: InstallId) =>
    inventories.some(each => isSameInstall(each.install, id)) ||
    unreadable.some(each => isInventoryOf(each, id))
  const isRemoved = (id: InstallId) => removed.some(each => isSameInstall(each.install, id))
  return Object.entries(install.for)
    .filter(([by]) => isInstalled(installIdIn(by)) && !isRemoved(installIdIn(by)))
    .map(([by, crds]) => ({install: by, crds, of: `${install.namespace}/${install.name}`}))
}

/** Reads `NAMESPACE/NAME`. */
export function installIdIn(text: string): InstallId {
  const [namespace = '', name = ''] = text.split('/')
  return {namespace, name}
}

function dependentRejection({install, crds, of}: Dependent): Diagnostic {
  const {namespace, name} = installIdIn(install)
  return {
    severity: 'error',
    rule: 'install-required',
    message: `the install ${escaped(install)} requires ${listNames(crds)} of ${of}`,
    suggestions: [
      `kubectl crossplane package uninstall ${shellWord(name)} --namespace ${shellWord(namespace)}`,
    ],
  }
}

function instancesRejection({crd, instances, first}: CrdImpact): readonly Diagnostic[] {
  if (instances === 0) return []
  const more = instances > first.length ? ` and ${instances - first.length} more` : ''
  const names = first.map(lostInstanceText).join(', ')
  return [
    {
      severity: 'error',
      rule: 'instances-exist',
      message: `${count(instances, 'custom resource')} of ${crd} would lose ${instances === 1 ? 'its' : 'their'} controller: ${names}${more}`,
      subject: {object: `CustomResourceDefinition ${crd}`},
      suggestions: [
        `kubectl get ${shellWord(crd)} --all-namespaces`,
        'Delete the custom resources, or pass --custom-resources=keep or --custom-resources=delete.',
      ],
    },
  ]
}
