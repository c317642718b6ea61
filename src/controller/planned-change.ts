import {inventoryObject, isInventoryOperation} from '../plan/cluster/inventories/inventory-operations.js'
import type {Inventory} from '../cluster/inventory/inventory.js'
import {expectsAbsence} from '../apply/operation-parts.js'
import {nameOf, objectKey} from '../kubernetes/object-key.js'
import type {SetInstall, SetObject} from '../render/install-set.js'
import {type Operation, risksOf} from '../plan/plan.js'
import type {Diagnostic} from '../diagnostic.js'
import {type OverwrittenObject, overwrittenObjects} from './overwritten-objects.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {
  carryOut,
  type ClusterChange,
  type Decision,
  expectAccepted,
  planAndCarryOut,
} from '../pipeline/cluster/cluster-change.js'
import {type ClusterDiff, diffCluster} from '../pipeline/cluster/diff.js'
import {expectPlanAllowed} from '../pipeline/cluster/expect-allowed.js'
import type {RenderedChange} from '../pipeline/cluster/install.js'
import type {InstallId} from '../reference/install-id.js'
import {type ClusterPorts} from '../cli/cluster/cluster-ports.js'
import {isSameInstall} from '../plan/cluster/state/ownership.js'
import {jsonEqual} from '../yaml/json-equal.js'

/** The packages of a plan. */
export interface PlannedPackages {
  /** The packages of the request, dependencies first. */
  readonly installs: readonly SetInstall[]
  /** Their objects, as they are rendered. */
  readonly objects: readonly PlannedObject[]
  /** What was installed when the plan was made. */
  readonly before: readonly Inventory['install'][]
}

/** A change that can be applied. */
export interface ApplicableChange {
  /** Diagnostics of the resolution. */
  readonly notes: readonly Diagnostic[]
  /**
   * Applies the plan, or the current one if the cluster changed. Throws `cluster-refused` for what must not be applied.
   * @param gate - judges what is applied, before the first change; throws to prevent it.
   */
  apply(signal: AbortSignal, gate?: (packages: PlannedPackages) => void): Promise<void>
}

/** A change that was planned. */
export interface PlannedChange extends ApplicableChange, PlannedPackages {
  /** The installs that change. */
  readonly changed: readonly InstallId[]
  /** The number of operations. */
  readonly size: number
  readonly rejections: readonly Diagnostic[]
  /** The warnings of the plan, about what is lost although nothing prevents it. */
  readonly risks: readonly Diagnostic[]
  /** Compares the objects of the cluster with the plan; changes nothing. */
  diff(): Promise<ClusterDiff>
  /** The objects of the cluster that the plan changes, with their fields; changes nothing. */
  overwritten(): Promise<readonly OverwrittenObject[]>
}

/** An object of a planned install. */
export interface PlannedObject {
  readonly object: KubernetesObject
  /** The installs that it belongs to, or whose packages own a CRD. */
  readonly installs: readonly InstallId[]
  /** `none`: nothing but the labels of claims changes. */
  readonly change: 'create' | 'update' | 'none'
}

/** Describes a change that was decided, with what applies it. */
export function planned(
  change: ClusterChange,
  notes: PlannedChange['notes'],
  {interruption: _interruption, progress: _progress, ...ports}: ClusterPorts,
): PlannedChange {
  const {decision} = change
  const {operations, rejections} = decision.plan
  return {
    ...plannedPackages(decision),
    changed: changedIn(change),
    size: operations.length,
    rejections,
    risks: risksOf(decision.plan),
    notes,
    diff: async () => await diffCluster(decision, ports.api),
    overwritten: async () => overwrittenObjects(await diffCluster(decision, ports.api), decision),
    apply: async (signal, gate) => {
      expectAccepted(decision.plan)
      await expectPlanAllowed(decision, ports.api)
      const prepare = (current: Decision) => {
        gate?.(plannedPackages(current))
        return Promise.resolve()
      }
      const gated = {...change, prepare}
      await carryOut(gated, {isConfirmed: false}, {...ports, signal, report: ignore, reportFile: ignore})
    },
  }
}

/** Applies rendered installs by a plan that is made while other runs are locked out. */
export function applying(
  {decide, set, inventories}: RenderedChange,
  {interruption: _interruption, progress: _progress, ...ports}: ClusterPorts,
): ApplicableChange['apply'] {
  const isRecorded = (id: SetInstall) =>
    inventories.some(({install}) => isSameInstall(install, id) && jsonEqual(install.for, id.for))
  const changed = set.installs.filter(install => !isRecorded(install))
  const namespaces = [...new Set(changed.map(({namespace}) => namespace))].sort()
  return async (signal, gate) => {
    const prepare = async (current: Decision) => {
      await expectPlanAllowed(current, ports.api)
      gate?.(plannedPackages(current))
    }
    const applyPorts = {...ports, signal, report: ignore, reportFile: ignore}
    await planAndCarryOut({decide, prepare}, namespaces, applyPorts)
  }
}

function plannedPackages({plan: {operations}, set, snapshot}: Decision): PlannedPackages {
  const before = snapshot.inventories.map(({install}) => install)
  return {installs: set?.installs ?? [], objects: plannedObjects(set?.objects ?? [], operations), before}
}

const ignore = () => undefined

function plannedObjects(
  objects: readonly SetObject[],
  operations: readonly Operation[],
): readonly PlannedObject[] {
  const content = operations.filter(({action}) => CONTENT.includes(action))
  const changes = new Map(
    content.flatMap(operation =>
      operation.object === undefined ? [] : [[objectKey(operation.object), operation]],
    ),
  )
  return objects.map(({object, install, claims = [], ownedBy = claims}) => {
    const change = changes.get(objectKey(nameOf(object)))
    return {
      object,
      installs: install === undefined ? ownedBy : [install],
      change: change === undefined ? 'none' : expectsAbsence(change) ? 'create' : 'update',
    }
  })
}

/** The actions that change more of an object than claims. */
const CONTENT: readonly string[] = ['apply', 'create-only', 'replace']

function changedIn({decision: {plan, installs}}: ClusterChange): readonly InstallId[] {
  const inventories = plan.operations.filter(isInventoryOperation).map(({object}) => object)
  return installs
    .filter(install => {
      const {namespace, name} = inventoryObject(install)
      return inventories.some(object => object?.namespace === namespace && object?.name === name)
    })
    .map(({namespace, name}) => ({namespace, name}))
}
