import {CONTENT_MANAGER} from '../../../src/cluster/claims.js'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {objectKey} from '../../../src/kubernetes/object-key.js'
import type {ClusterSnapshot, DryRun} from '../../../src/plan/cluster/state/cluster-snapshot.js'
import {desiredObjects} from '../../../src/plan/cluster/state/desired-object.js'
import type {InstanceSurvey} from '../../../src/plan/cluster/state/instance-survey.js'
import {readHash} from '../../../src/plan/cluster/state/live-object.js'
import {planInstall} from '../../../src/plan/cluster/plan-install.js'
import type {Operation, Plan} from '../../../src/plan/plan.js'
import {ERAS} from '../../../src/render/era.js'
import type {InstallSet, SetInstall, SetObject} from '../../../src/render/install-set.js'
import {claimLabels, recordLabels} from '../../../src/render/labels.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'

export const DB: SetInstall = {
  namespace: 'team',
  name: 'db',
  era: 'packages',
  scope: 'Namespaced',
  mode: 'requested',
  for: {},
}

export function object(kind: string, name: string, more: JsonObject = {}): KubernetesObject {
  const apiVersion = kind.endsWith('Role') || kind.endsWith('Binding') ? 'rbac.authorization.k8s.io/v1' : 'v1'
  const labels = recordLabels(ERAS.packages, DB)
  return {apiVersion, kind, metadata: {name, namespace: 'team', labels}, ...more}
}

export const ACCOUNT = object('ServiceAccount', 'db')
export const ROLE = object('Role', 'db', {rules: []})
export const BINDING = object('RoleBinding', 'db', {roleRef: {kind: 'Role', name: 'db'}})
export const CRD: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'dbs.sql.org', labels: claimLabels(ERAS.packages, DB)},
  spec: {group: 'sql.org', names: {kind: 'Db', plural: 'dbs'}, scope: 'Namespaced', versions: []},
}
export const NAMESPACE: KubernetesObject = {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'team'}}

export const own = (content: KubernetesObject): SetObject => ({
  phase: 'identity',
  install: DB,
  object: content,
})
export const SHARED: SetObject = {phase: 'crds', shared: 'crd', claims: [DB], object: CRD}

export const setOf = (...objects: readonly SetObject[]): InstallSet => ({
  installs: [DB],
  objects,
  warnings: [],
})

/** The object in a cluster, as this program applied it, or as another field manager did. */
export function live(
  content: KubernetesObject,
  {
    manager = CONTENT_MANAGER,
    uid = 'u1',
    ...metadata
  }: Partial<Record<'manager' | 'uid' | 'deletionTimestamp', string>> = {},
): KubernetesObject {
  const managedFields = [{manager, operation: 'Apply'}]
  return {...content, metadata: {...content.metadata, ...metadata, uid, managedFields}}
}

export function inventoryOf(
  set: InstallSet,
  objects: readonly KubernetesObject[],
  more: Partial<Inventory> = {},
): Inventory {
  const desired = desiredObjects(set)
  return {
    install: DB,
    phase: 'complete',
    toolVersion: '1',
    objects: objects.map(each => {
      const {apiVersion, kind, metadata} = each
      const name = {
        apiVersion,
        kind,
        name: metadata.name,
        ...(metadata.namespace === undefined ? {} : {namespace: metadata.namespace}),
      }
      const found = desired.find(({key}) => key === objectKey(name))
      const hashes = found === undefined ? {} : {sent: found.sent, read: readHash(each, found.content)}
      return {...name, uid: 'u1', ...hashes, created: true}
    }),
    ...more,
  }
}

export interface World {
  readonly live?: readonly KubernetesObject[]
  readonly dryRuns?: Readonly<Record<string, DryRun>>
  readonly inventories?: readonly Inventory[]
  readonly unreadable?: ClusterSnapshot['unreadable']
  readonly unserved?: readonly string[]
  readonly core?: string
  readonly surveys?: readonly (readonly [string, InstanceSurvey])[]
}

export function snapshot(
  set: InstallSet,
  {
    live: present = [],
    dryRuns = {},
    inventories = [],
    unreadable = [],
    unserved = [],
    surveys = [],
    core,
  }: World,
): ClusterSnapshot {
  const keyOf = ({apiVersion, kind, metadata: {name, namespace}}: KubernetesObject) =>
    objectKey({apiVersion, kind, name, ...(namespace === undefined ? {} : {namespace})})
  const kinds = set.objects.map(each => `${each.object.apiVersion} ${each.object.kind}`)
  return {
    live: new Map([live(NAMESPACE), ...present].map(each => [keyOf(each), each])),
    dryRuns: new Map(
      desiredObjects(set).flatMap(({key, name}) =>
        dryRuns[name.name] === undefined ? [] : [[key, dryRuns[name.name]!]],
      ),
    ),
    states: new Map(),
    inventories,
    ignored: [],
    roles: new Map(),
    unreadable,
    served: new Set(kinds.filter(kind => !unserved.includes(kind))),
    managers: new Map(),
    instances: new Map(),
    surveys: new Map(surveys),
    recorded: [],
    ...(core === undefined ? {} : {core}),
  }
}

export const NOTHING = {adopt: false, forceConflicts: false, replaceCrds: false, toolVersion: '1'}

export function plan(set: InstallSet, world: World, options = {}): Plan {
  return planInstall(set, snapshot(set, world), {...NOTHING, ...options})
}

/** `apply Role db` for each operation. */
export const shown = ({operations}: Plan) =>
  operations.map(({action, object: name}) => `${action} ${name?.kind} ${name?.name}`)
export const rules = ({rejections}: Plan) => rejections.map(({rule}) => rule)
export const on = ({operations}: Plan, name: string): Operation | undefined =>
  operations.find(each => each.object?.name === name)

export const APPLIED = (content: KubernetesObject): DryRun => ({kind: 'applied', object: live(content)})
