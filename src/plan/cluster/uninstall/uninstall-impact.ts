import type {Inventory, InventoryObject} from '../../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {isCrd} from '../../../kubernetes/crd-kind.js'
import {objectKey} from '../../../kubernetes/object-key.js'
import {singularName} from '../../../kubernetes/singular-name.js'
import type {InstallId} from '../../../render/install-set.js'
import {matchingCrds, parseCrdRequirement} from '../../../resolve/requirement.js'
import {count, escaped, listNames, shellWord} from '../../../text.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import type {CrdImpact, Dependent, UninstallImpact} from '../../uninstall-impact.js'
import type {ClusterSnapshot, RecordedKinds} from '../state/cluster-snapshot.js'
import {otherUsers} from '../crds/crd-users.js'
import {lostInstanceText, servingInstalls} from '../crds/lost-instances.js'
import {crdsOf, isSameInstall} from '../state/ownership.js'
import type {UninstallOptions} from '../state/uninstall-options.js'
import {isInventoryOf} from '../inventories/unreadable-inventories.js'

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
    ...(customResources === 'abort' ? instancesRejections(crds, [REMOVAL_ADVICE]) : []),
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

/** Returns the installs that require an install and stay; also those of which only an inventory that cannot be read, a record or a request is left. */
export function dependentsOf(
  inventory: Inventory,
  removed: readonly Inventory[],
  snapshot: ClusterSnapshot,
): readonly Dependent[] {
  const {install} = inventory
  const isInstalled = (id: InstallId) =>
    hasInventory(id, snapshot) || snapshot.recorded.some(kinds => isSameInstall(kinds, id))
  const isStaying = (id: InstallId) =>
    !removed.some(removedInventory => isSameInstall(removedInventory.install, id))
  const reasons = Object.entries(install.for).filter(([by]) => {
    const id = installIdIn(by)
    return isInstalled(id) && isStaying(id)
  })
  const recorded = snapshot.recorded
    .filter(kinds => isStaying(kinds) && !hasInventory(kinds, snapshot))
    .map(
      record =>
        [`${record.namespace}/${record.name}`, requiredCrds(record, inventory, removed, snapshot)] as const,
    )
    .filter(([by, crds]) => crds.length > 0 && install.for[by] === undefined)
  const of = `${install.namespace}/${install.name}`
  return [...reasons, ...recorded].map(([by, crds]) => ({install: by, crds, of}))
}

function hasInventory(
  id: InstallId,
  {inventories, unreadable}: Pick<ClusterSnapshot, 'inventories' | 'unreadable'>,
): boolean {
  return (
    inventories.some(inventory => isSameInstall(inventory.install, id)) ||
    unreadable.some(inventory => isInventoryOf(inventory, id))
  )
}

/** The requirements of a record for CRDs of an install that no install that stays would serve. */
function requiredCrds(
  {requires = [], namespace}: RecordedKinds,
  {objects}: Inventory,
  removed: readonly Inventory[],
  snapshot: ClusterSnapshot,
): readonly string[] {
  const lost = objects.filter(isCrd).flatMap(crd => {
    const live = snapshot.live.get(objectKey(crd))
    if (live === undefined) return []
    const serving = servingInstalls(live, objectKey(crd), removed, snapshot)
    const isServed = serving.some(install => install.scope === 'Cluster' || install.namespace === namespace)
    return isServed ? [] : [definedKind(live)]
  })
  return requires.filter(text => matchingCrds(parseCrdRequirement(text), lost).length > 0)
}

function definedKind({spec}: KubernetesObject) {
  const {group, names} = asObject(spec)
  const {plural, kind} = asObject(names)
  return {
    group: asText(group),
    plural: asText(plural),
    singular: singularName(asObject(names)),
    kind: asText(kind),
  }
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

/** The flag of changes other than an uninstall. */
export const KEEP_INSTANCES = 'Pass --custom-resources=keep to keep them without a controller.'

/** The ways to change installs although instances lose their controller. */
export const KEEP_ADVICE = ['Delete the custom resources while their controller still runs.', KEEP_INSTANCES]

const REMOVAL_ADVICE =
  'Delete the custom resources, or pass --custom-resources=keep or --custom-resources=delete.'

/** Names the instances of a CRD that lose their controller, and counts them. */
function lostInstancesText({crd, instances, first}: CrdImpact): string {
  const more = instances > first.length ? ` and ${instances - first.length} more` : ''
  const names = first.map(lostInstanceText).join(', ')
  return `${count(instances, 'custom resource')} of ${crd} would lose ${instances === 1 ? 'its' : 'their'} controller: ${names}${more}`
}

/**
 * Rejects a change by which instances lose their controller, for each CRD that has some.
 * @param consequence - what else happens to them.
 */
export function instancesRejections(
  crds: readonly CrdImpact[],
  advice: readonly string[],
  consequence = '',
): readonly Diagnostic[] {
  return crds
    .filter(({instances}) => instances > 0)
    .map(impact => ({
      severity: 'error',
      rule: 'instances-exist',
      message: `${lostInstancesText(impact)}${consequence}`,
      subject: {object: `CustomResourceDefinition ${impact.crd}`},
      suggestions: [`kubectl get ${shellWord(impact.crd)} --all-namespaces`, ...advice],
    }))
}
