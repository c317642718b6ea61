import type {Inventory} from '../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../diagnostic.js'
import {objectKey} from '../../kubernetes/object-key.js'
import type {InstallSet, SetInstall} from '../../render/install-set.js'
import type {KeptObject} from '../plan.js'
import type {CrdImpact, UninstallImpact} from '../uninstall-impact.js'
import type {ClusterSnapshot} from './state/cluster-snapshot.js'
import type {DesiredObject} from './state/desired-object.js'
import {type CrdUses, lostScope, type LostScope} from './crds/lost-instances.js'
import {crdsOf, isSameInstall} from './state/ownership.js'
import {instancesRejections, KEEP_ADVICE, KEEP_INSTANCES} from './uninstall/uninstall-impact.js'
import {unlisted} from './uninstall/plan-uninstall.js'

/** The installs of a set, and their objects as a cluster gets them. */
interface DesiredInstalls extends Pick<InstallSet, 'installs'> {
  readonly desired: readonly DesiredObject[]
}

/** A CRD that an install of a set gives up, or serves in fewer namespaces than before. */
interface GivenUp {
  readonly key: string
  readonly crd: Inventory['objects'][number]
  /** The inventories of the installs that served more of it. */
  readonly losing: readonly Inventory[]
  /** The installs of the set that serve it. */
  readonly serving: readonly SetInstall[]
}

/**
 * Returns the instances that lose their controller when installs change, by the `objectKey` of their CRD: the new version
 * of a package no longer has the CRD, has no controller, or serves only its namespace.
 */
export function lostControllers(set: DesiredInstalls, uses: CrdUses): ReadonlyMap<string, LostScope> {
  return new Map(
    givenUpCrds(set, uses).flatMap(({key, crd, losing, serving}) => {
      const scope = lostScope(crd, losing, uses, {keepsCrds: true})
      if (scope === undefined) return []
      const served = serving.map(({namespace}) => namespace)
      return [[key, {...scope, servedIn: new Set([...scope.servedIn, ...served])}] as const]
    }),
  )
}

/** Returns the CRDs that installs of a set give up, or serve in fewer namespaces than before. */
export function givenUpCrds(
  {installs, desired}: DesiredInstalls,
  {inventories}: Pick<CrdUses, 'inventories'>,
): readonly GivenUp[] {
  const before = inventories.filter(({install}) =>
    installs.some(setInstall => isSameInstall(setInstall, install)),
  )
  const claims = new Map(desired.map(object => [object.key, object.claims]))
  const controlled = desired.flatMap(({name, install}) => (isController(name) && install ? [install] : []))
  const stays = (install: SetInstall) =>
    controlled.some(id => isSameInstall(id, install)) ||
    !before.some(inventory => hadController(inventory, install))
  return [...crdsOf(before)].flatMap(([key, crd]) => {
    const serving = (claims.get(key) ?? []).map(({install}) => install).filter(stays)
    if (serving.some(({scope}) => scope === 'Cluster')) return []
    const losing = before.filter(
      ({install, objects}) =>
        objects.some(object => objectKey(object) === key) &&
        (install.scope === 'Cluster' || !serving.some(setInstall => isSameInstall(setInstall, install))),
    )
    return losing.length === 0 ? [] : [{key, crd, losing, serving}]
  })
}

function isController({kind}: {readonly kind: string}): boolean {
  return kind === 'Deployment'
}

function hadController({install, objects}: Inventory, id: SetInstall): boolean {
  return isSameInstall(install, id) && objects.some(isController)
}

/** The effect of a change of installs on instances, of which `snapshot` has the counts. */
interface LostControllers {
  readonly rejections: readonly Diagnostic[]
  readonly kept: readonly KeptObject[]
  readonly impact?: UninstallImpact
}

/**
 * Rejects a change of installs by which instances lose their controller, unless the user keeps them without one. Instances
 * that cannot be listed count as some.
 */
export function judgeLostControllers(
  set: DesiredInstalls,
  snapshot: ClusterSnapshot,
  {keepsInstances}: {readonly keepsInstances: boolean},
): LostControllers {
  const crds = givenUpCrds(set, snapshot)
  const impacts = crds.flatMap(({key, crd}): CrdImpact[] => {
    const {total = 0, first = []} = snapshot.instances.get(key) ?? {}
    return total === 0 ? [] : [{crd: crd.name, instances: total, first, users: []}]
  })
  const impact = impacts.length === 0 ? {} : {impact: {crds: impacts, dependents: []}}
  if (keepsInstances) {
    const lost = crds.filter(({key}) => (snapshot.instances.get(key)?.total ?? 0) > 0)
    return {rejections: [], kept: lost.map(({crd}) => keptCrd(crd)), ...impact}
  }
  const rejections = [
    ...instancesRejections(impacts, KEEP_ADVICE),
    ...crds.flatMap(({crd}) => unlisted(crd, snapshot, [KEEP_INSTANCES])),
  ]
  return {rejections, kept: [], ...impact}
}

function keptCrd({apiVersion, kind, name}: GivenUp['crd']): KeptObject {
  return {object: {apiVersion, kind, name}, reason: 'kept by --custom-resources=keep'}
}
