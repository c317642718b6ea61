import {inventoryName} from '../cluster/inventory/inventory-config-maps.js'
import {readInventory} from '../cluster/inventory/inventory-document.js'
import type {Inventory} from '../cluster/inventory/inventory.js'
import {objectKey, objectText} from '../kubernetes/object-key.js'
import type {ClusterSnapshot} from '../plan/cluster/state/cluster-snapshot.js'
import {isInventoryOperation} from '../plan/cluster/inventories/inventory-operations.js'
import {isSameInstall} from '../plan/cluster/state/ownership.js'
import type {Operation, Plan} from '../plan/plan.js'
import type {AcceptedMismatch} from '../resolve/resolution.js'
import {containersOf} from '../render/pod-template.js'
import {isPackageRequest} from '../plan/cluster/state/core-state.js'
import {present} from '../present.js'
import type {FirstOwner} from '../resolve/first-owners.js'
import type {SignerChange} from '../resolve/signer-changes.js'
import {asObject, asObjects, asText, type JsonObject} from '../yaml/json-value.js'
import {parseExactJson} from '../yaml/exact-json.js'
import {ruleInWords} from './rule-words.js'

/** The effect of a plan for a cluster on packages. */
export interface PlanSummary {
  readonly packages: readonly PackageChange[]
  /** The permissions that controllers have only after it, and only before it, as the rest of "may …". */
  readonly gained: readonly string[]
  readonly lost: readonly string[]
  readonly images: readonly ImageChange[]
  /** The kinds of managed resources that policies activate; absent if that stays. */
  readonly activation?: ActivationChange
  readonly owners: readonly FirstOwner[]
  readonly signers?: readonly SignerChange[]
  /** By install, as NAMESPACE/NAME: requirements of versions that the owner does not serve. */
  readonly mismatches: readonly (AcceptedMismatch & {readonly install: string})[]
}

/** An install, as NAMESPACE/NAME, or a request, as KIND NAME, and its package before and after: repository and tag. */
interface PackageChange {
  readonly install: string
  readonly before?: string
  readonly after?: string
}

/** Names and patterns that ManagedResourceActivationPolicies have only after a plan, and only before it. */
interface ActivationChange {
  readonly gained: readonly string[]
  readonly lost: readonly string[]
}

/** The image of a Deployment before and after; both are absent for none. */
interface ImageChange {
  readonly object: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Summarizes a plan, from the contents of its operations and from what they replace; `owners` are used for the first time. */
export function planSummary(
  {operations}: Plan,
  snapshot: ClusterSnapshot,
  owners: readonly FirstOwner[],
  signers: readonly SignerChange[] = [],
): PlanSummary {
  // The text of an operation is made when it is read, and CRDs are large.
  const roles = operations.filter(({object}) => object?.kind.endsWith('Role') === true)
  const before = new Set(roles.flatMap(operation => rulesIn(liveObject(operation, snapshot))))
  const after = new Set(roles.flatMap(operation => rulesIn(newObject(operation))))
  return {
    packages: [
      ...operations.filter(isInventoryOperation).map(operation => packageChange(operation, snapshot)),
      ...operations.flatMap(operation => requestChange(operation, snapshot)),
    ],
    gained: [...after].filter(words => !before.has(words)),
    lost: [...before].filter(words => !after.has(words)),
    images: operations.flatMap(operation => imageChange(operation, snapshot)),
    ...activationChange(
      operations
        .filter(({object, action}) => object?.kind === ACTIVATION_POLICY && action !== 'wait')
        .map(operation => ({old: liveObject(operation, snapshot), new: newObject(operation)})),
    ),
    owners,
    ...(signers.length === 0 ? {} : {signers}),
    mismatches: operations.filter(isInventoryOperation).flatMap(mismatchesIn),
  }
}

function mismatchesIn({content}: Operation): PlanSummary['mismatches'] {
  if (content === undefined) return []
  const {namespace, name, acceptedMismatches = []} = readInventory(content, 'the plan').install
  return acceptedMismatches.map(mismatch => ({...mismatch, install: `${namespace}/${name}`}))
}

function packageChange({content, object}: Operation, {inventories}: ClusterSnapshot): PackageChange {
  const after = content === undefined ? undefined : readInventory(content, 'the plan')
  const before = inventories.find(({install}) =>
    after === undefined
      ? install.namespace === object?.namespace && object.name === inventoryName(install)
      : isSameInstall(install, after.install),
  )
  const {namespace = '', name = ''} = after?.install ?? before?.install ?? {}
  return {install: `${namespace}/${name}`, ...named('before', before), ...named('after', after)}
}

/** The change of a request for a package of a current Crossplane. */
function requestChange(operation: Operation, snapshot: ClusterSnapshot): readonly PackageChange[] {
  const {object, action} = operation
  if (object === undefined || action === 'wait' || !isPackageRequest(object)) return []
  const [before, after] = [liveObject(operation, snapshot), newObject(operation)].map(referenceIn)
  if (before === after) return []
  return [{install: objectText(object), ...present({before, after})}]
}

function referenceIn(request: JsonObject | undefined): string | undefined {
  return request === undefined ? undefined : asText(asObject(request.spec).package)
}

function named<Key extends string>(
  key: Key,
  inventory: Inventory | undefined,
): {readonly [K in Key]?: string} {
  if (inventory === undefined) return {}
  const {package: installed} = inventory.install
  const text = installed === undefined ? 'a record' : `${installed.identity}:${installed.tag}`
  return {[key]: text} as {readonly [K in Key]?: string}
}

function liveObject({object}: Operation, {live}: ClusterSnapshot): JsonObject | undefined {
  return object && live.get(objectKey(object))
}

function newObject({object, content, action}: Operation): JsonObject | undefined {
  return object === undefined || content === undefined || action === 'claim'
    ? undefined
    : asObject(parseExactJson(content))
}

/** Returns the rules of a controller's role in words; those of users' roles follow from the CRDs. */
export function rulesIn(object: JsonObject | undefined): readonly string[] {
  if (object === undefined || !/^(?:Cluster)?Role$/.test(asText(object.kind))) return []
  if (!asText(asObject(object.metadata).name).endsWith(':system')) return []
  return asObjects(object.rules).map(ruleInWords)
}

function imageChange(operation: Operation, snapshot: ClusterSnapshot): ImageChange[] {
  const {object} = operation
  if (object?.kind !== 'Deployment' || operation.action === 'wait') return []
  const [before, after] = [liveObject(operation, snapshot), newObject(operation)].map(imagesIn)
  if (before?.join() === after?.join()) return []
  return [{object: objectText(object), before: before ?? [], after: after ?? []}]
}

const ACTIVATION_POLICY = 'ManagedResourceActivationPolicy'

/** Returns what policies activate in other ways than before; of other objects, nothing. */
export function activationChange(
  objects: readonly {readonly old?: JsonObject | undefined; readonly new?: JsonObject | undefined}[],
): Pick<PlanSummary, 'activation'> {
  const [before, after] = [objects.map(one => one.old), objects.map(one => one.new)].map(
    states => new Set(states.flatMap(activatedBy)),
  )
  if (before === undefined || after === undefined) return {}
  const gained = [...after].filter(pattern => !before.has(pattern))
  const lost = [...before].filter(pattern => !after.has(pattern))
  return gained.length + lost.length === 0 ? {} : {activation: {gained, lost}}
}

function activatedBy(object: JsonObject | undefined): readonly string[] {
  if (object?.kind !== ACTIVATION_POLICY) return []
  const {activate} = asObject(object.spec)
  return Array.isArray(activate) ? activate.map(asText) : []
}

/** Returns the images of a Deployment, each once. */
export function imagesIn(deployment: JsonObject | undefined): readonly string[] {
  if (deployment === undefined) return []
  return [...new Set(containersOf(asObject(deployment.spec)).map(({image}) => asText(image)))]
}
