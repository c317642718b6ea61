import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {Denial} from '../../health/health-snapshot.js'
import {type LabelRequirement, matchesSelector} from '../../kubernetes/label-selector.js'
import type {InstallId} from '../../reference/install-id.js'
import {asObject, asText} from '../../yaml/json-value.js'
import {
  type FoundInstall,
  type FoundInstalls,
  findInstalls,
  type InstallSource,
  withInventoryLabels,
} from '../../observe/installs/find-installs.js'

/** A selection of installs. */
export interface InstallSelection {
  /** All namespaces if undefined. */
  readonly namespace: string | undefined
  readonly selector: readonly LabelRequirement[]
}

/** One install of a cluster. */
export interface ListedInstall extends InstallId {
  /** The repository and tag of its package, or the name in its request; empty where neither is known. */
  readonly package: string
  readonly version: string
  readonly source: InstallSource
  /** Whether the user requested it, or only packages require it; absent where its inventory cannot be read. */
  readonly mode?: 'requested' | 'auto'
  /** `Interrupted` if its last change did not end, `Unreadable` if its inventory cannot be read. */
  readonly state: 'Complete' | 'Interrupted' | 'Unreadable' | 'NoInventory'
  /** Absent without a readable inventory. */
  readonly objects?: number
}

/** The installs of a cluster, and a warning for each whose inventory cannot be read. */
interface InstallList {
  readonly installs: readonly ListedInstall[]
  readonly warnings: readonly Diagnostic[]
}

/** Lists installs by namespace and name. Throws the errors of the API. */
export async function listInstalls(api: ClusterApi, selection: InstallSelection): Promise<InstallList> {
  const {installs, denials} = await selectInstalls(api, selection)
  return {
    installs: installs.map(listed),
    warnings: [...installs.flatMap(unreadableWarning), ...[...denials.values()].map(denialWarning)],
  }
}

/** Finds the installs of a selection. Throws the errors of the API. */
export async function selectInstalls(
  api: ClusterApi,
  {namespace, selector}: InstallSelection,
): Promise<FoundInstalls> {
  const {installs, denials} = await findInstalls(api, namespace)
  if (selector.length === 0) return {installs, denials}
  const labeled = await withInventoryLabels(installs, api, namespace)
  return {installs: labeled.filter(({labels}) => matchesSelector(labels, selector)), denials}
}

/** Returns the package of an install and its version, as far as they are known. */
export function packageOf({
  inventory,
  record,
  request,
}: FoundInstall): Pick<ListedInstall, 'package' | 'version'> {
  const installed = inventory?.install.package
  const {package: reference, crd} = asObject(request?.spec)
  return {
    package:
      installed === undefined ? asText(reference) || asText(crd) : `${installed.identity}:${installed.tag}`,
    version: installed?.version ?? asText(asObject(record?.spec).version),
  }
}

function listed(found: FoundInstall): ListedInstall {
  const {namespace, name, source, inventory, unreadable} = found
  return {
    namespace,
    name,
    ...packageOf(found),
    source,
    ...(inventory === undefined ? {} : {mode: inventory.install.mode, objects: inventory.objects.length}),
    state: unreadable === undefined ? stateOf(inventory?.phase) : 'Unreadable',
  }
}

function stateOf(phase: 'changing' | 'complete' | undefined): ListedInstall['state'] {
  if (phase === undefined) return 'NoInventory'
  return phase === 'complete' ? 'Complete' : 'Interrupted'
}

function unreadableWarning({unreadable}: FoundInstall): Diagnostic[] {
  if (unreadable === undefined) return []
  const {message, suggestions} = unreadable
  return [{severity: 'warning', rule: 'inventory-invalid', message, suggestions}]
}

/** Creates a warning: installs that only a denied list shows are not found. */
export function denialWarning({message, suggestions}: Denial): Diagnostic {
  return {severity: 'warning', rule: 'not-listed', message, suggestions}
}
