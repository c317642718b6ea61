import {countIn} from '../../observe/instances/lost-instances.js'
import {readRunningCore} from '../../observe/objects/read-core-version.js'
import {readObjects} from '../../observe/objects/read-live.js'
import {readInventories} from '../../observe/installs/read-inventories.js'
import {readOutlines} from '../../observe/objects/read-outlines.js'
import {recordedKinds, requestedInstalls} from '../../observe/objects/recorded-kinds.js'
import {surveyChanges} from '../../observe/instances/survey-instances.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CRD_KIND, isCrd} from '../../kubernetes/crd-kind.js'
import type {ClusterSnapshot} from '../../plan/cluster/state/cluster-snapshot.js'
import {objectKey} from '../../kubernetes/object-key.js'
import {crdChange} from '../../plan/cluster/crds/crd-change.js'
import {type DesiredObject, desiredObjects} from '../../plan/cluster/state/desired-object.js'
import type {LostScope} from '../../plan/cluster/crds/lost-instances.js'
import {UNKNOWN_CLUSTER} from '../../plan/cluster/access/read-access.js'
import {
  crdNames,
  judgeChangedCrds,
  judgeMigratedCrds,
  judgeRemoval,
  removalScopes,
  type TreeChange,
  wholeScope,
} from '../../plan/git/judge-tree-change.js'
import {judgeDroppedCrds} from '../../plan/git/judge-dropped-crds.js'
import {treeAccess} from '../../plan/git/tree-access.js'
import type {LostInstances} from '../../plan/uninstall-impact.js'
import {baseRejection} from '../../plan/cluster/set-rejections.js'
import {shellWord} from '../../text.js'
import {readAllowed} from '../cluster/expect-allowed.js'
import {expectServer} from '../../package/stack/expect-server.js'
import type {NotedSet} from '../../package/rendered-sets.js'

/** A cluster to which controllers apply a tree. */
export interface TreeCluster {
  readonly api: ClusterApi
  /** The context of the kubeconfig. */
  readonly context: string
}

/**
 * Judges a change of a tree by the instances and installs of a cluster; changes nothing. Throws `cluster-refused` for a
 * declaration of another Kubernetes, and the errors of the API.
 */
export async function judgeInCluster(
  change: TreeChange,
  set: NotedSet,
  {api, context}: TreeCluster,
): Promise<readonly Diagnostic[]> {
  if (set.declaration !== undefined) await expectServer(set.declaration, () => api.version())
  const {changed, migrated, narrowed = [], dropped, removal} = change
  const judged = new Map([...narrowed, ...changed].map(one => [one.name, one]))
  for (const {name} of migrated ?? []) judged.delete(name)
  if (crdNames(change).length === 0 && removal === undefined) return []
  const desired = desiredObjects(set).filter(({name}) => isCrd(name))
  const snapshot = await readAllowed(
    async () => await observeTreeChange(change, desired, api),
    async () => treeAccess(change, await api.discover()),
    api,
  )
  const diagnostics = [
    ...judgeChangedCrds([...judged.values()], desired, snapshot),
    ...judgeMigratedCrds(migrated, desired, snapshot),
    ...judgeDroppedCrds(dropped, snapshot),
    ...(removal === undefined ? [] : judgeRemoval(removal, desired, snapshot)),
  ]
  return diagnostics.map(diagnostic => inContext(context, diagnostic))
}

/** Rejects the base for a cluster with a current Crossplane. Throws the errors of the API. */
export async function judgeBase({api}: TreeCluster): Promise<readonly Diagnostic[]> {
  const core = await readRunningCore(api)
  return core === undefined ? [] : [baseRejection(core, EXTERNAL)]
}

const EXTERNAL = 'Set base: external in the declaration if something else creates the package API.'

/** Adds the context to the commands of a diagnostic: the cluster of a tree is often not that of the current one. */
export function inContext(context: string, diagnostic: Diagnostic): Diagnostic {
  const at = (text: string) =>
    text.startsWith('kubectl ') ? `${text} --context ${shellWord(context)}` : text
  return {...diagnostic, suggestions: diagnostic.suggestions?.map(at)}
}

async function observeTreeChange(
  {changed, migrated = [], narrowed = [], dropped, removal}: TreeChange,
  desired: readonly DesiredObject[],
  api: ClusterApi,
): Promise<ClusterSnapshot> {
  const named = (names: readonly string[]) => names.map(name => ({...CRD_KIND, name}))
  const [{inventories, unreadable}, whole, outlines, records, requests] = await Promise.all([
    readInventories(api),
    readObjects(named([...changed, ...migrated, ...narrowed].map(({name}) => name)), api),
    readOutlines(named([...(removal?.crds ?? []), ...dropped.map(({name}) => name)]), api),
    recordedKinds(api),
    requestedInstalls(api),
  ])
  const live = new Map([...outlines, ...whole])
  const recorded = [...records, ...requests]
  const changes = desired.flatMap(object => {
    const liveObject = whole.get(object.key)
    const change = liveObject && crdChange(object, liveObject)
    return change === undefined ? [] : [{key: object.key, change}]
  })
  const scopes = new Map([
    ...(removal === undefined ? [] : removalScopes(removal, desired, {inventories, live, recorded})),
    ...named(dropped.map(({name}) => name)).flatMap(crd => {
      const scope = wholeScope(crd, {live})
      return scope === undefined ? [] : [[objectKey(crd), scope] as const]
    }),
  ])
  return {
    ...UNKNOWN_CLUSTER,
    live,
    inventories,
    unreadable,
    recorded,
    surveys: await surveyChanges(changes, api),
    instances: await instancesIn(scopes, api),
  }
}

async function instancesIn(
  scopes: ReadonlyMap<string, LostScope>,
  api: ClusterApi,
): Promise<ReadonlyMap<string, LostInstances>> {
  const counts = new Map<string, LostInstances>()
  for (const [key, scope] of scopes) counts.set(key, await countIn(scope, api))
  return counts
}
