import {asObject, asObjects, asText, type JsonObject, type JsonValue} from 'kubectl-crossplane/plugin'
import type {TestCluster} from '../../../../test/cluster/api-server.js'
import {accepted, createServed, until} from '../../../../test/cluster/kube.js'
import {API, named} from '../run/manager-suite.js'
import {conditionIn} from '../run/real-manager.js'

/** A loaded machine takes its time: nothing here is about how long something takes. */
const PATIENCE = 240
const MERGE = 'application/merge-patch+json'
const RBAC = 'rbac.authorization.k8s.io/v1'
const CRDS = 'apiextensions.k8s.io/v1'

type Condition = 'Ready' | 'Synced'

/** What a case does in the cluster, in namespaces and with kinds of its own. */
export type Lab = ReturnType<typeof labOf>

/** Opens the part of a cluster that belongs to a case. */
export function labOf(cluster: TestCluster, name: string) {
  const {kube} = cluster
  const [teamA, teamB] = [`${name}-a`, `${name}-b`]
  const group = `${name}.example.org`
  const get = async (object: JsonObject) => (await kube.get(object)).body
  const code = async (object: JsonObject) => (await kube.get(object)).code
  const create = async (object: JsonObject) => await createServed(kube, object)
  const patch = async (object: JsonObject, change: JsonObject) =>
    accepted(await kube.send('PATCH', pathOf(object), change, MERGE))
  /** Changes something that means nothing, if the object is still there. */
  const touch = async (object: JsonObject) =>
    await kube.send('PATCH', pathOf(object), {metadata: {annotations: {touched: 'true'}}}, MERGE)
  /** Both conditions once one of them is as it is wanted. */
  const states = async (object: JsonObject, type: Condition, want: RegExp) =>
    statesOf(
      await until(
        () => get(object),
        live => want.test(conditionIn(live, type)),
        PATIENCE,
      ),
    )
  const settled = async (object: JsonObject, type: Condition, want: RegExp) =>
    (await states(object, type, want))[type]
  const gone = async (object: JsonObject) =>
    await until(
      () => code(object),
      answer => answer === 404,
      PATIENCE,
    )
  const exists = async (object: JsonObject) =>
    await until(
      () => code(object),
      answer => answer === 200,
      PATIENCE,
    )
  /** Waits for something else. */
  const eventually = async <T>(ask: () => Promise<T>, want: (answer: T) => boolean) =>
    await until(ask, want, PATIENCE)
  const remove = async (object: JsonObject) => {
    accepted(await kube.delete(object))
  }
  /** Plays the Deployment controller: without one, no Deployment is ever available. */
  const available = async (deployment: JsonObject) => {
    const {metadata, status} = await get(deployment)
    const {generation} = asObject(metadata)
    if (generation === undefined || asObject(status).observedGeneration === generation) return
    const counts = {replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1}
    const conditions = [{type: 'Available', status: 'True'}]
    const next = {...counts, observedGeneration: generation, conditions}
    // It may have been deleted meanwhile: what is waited for shows whether it should be there.
    await kube.send('PATCH', `${pathOf(deployment)}/status`, {status: next}, MERGE)
  }
  /** Waits until everything of a request, as it is now, is there and works. */
  const works = async (request: JsonObject) => {
    const {name: install, namespace} = asObject(request.metadata)
    const deployment = controllerOf(asText(namespace), asText(install))
    const live = await until(
      async () => {
        const {body} = await kube.get(request)
        if (isObserved(body) && conditionIn(body, 'Synced').startsWith('True')) await available(deployment)
        return body
      },
      body => isObserved(body) && Object.values(statesOf(body)).every(state => state.startsWith('True')),
      PATIENCE,
    )
    return statesOf(live)
  }
  /** The same names as in the recordings. */
  const asRecorded = <T extends JsonValue>(value: T): T =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(teamA, 'team-a')
        .replaceAll(teamB, 'team-b')
        .replaceAll(group, 'demo.example.org')
        .replaceAll(`${name}/`, 'crossplane/'),
    ) as T
  /** A CRD of the case as recordings show it. */
  const crdFacts = async (plural: string): Promise<JsonObject> => {
    const {metadata, spec} = await get(crd(plural))
    const {labels, annotations} = asObject(metadata)
    return asRecorded({
      labels: labels ?? null,
      title: asObject(annotations)['packages.crossplane.io/package-title'] ?? null,
      versions: asObjects(asObject(spec).versions).map(each => each.name ?? null),
    })
  }
  const crd = (plural = 'widgets') => named('CustomResourceDefinition', `${plural}.${group}`, undefined, CRDS)
  /** A CRD that a user creates, as in the recordings. */
  const ownCrd = (metadata: JsonObject = {}): JsonObject => ({
    apiVersion: 'apiextensions.k8s.io/v1beta1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `widgets.${group}`, ...metadata},
    spec: {
      group,
      names: {kind: 'Widget', plural: 'widgets'},
      scope: 'Namespaced',
      version: 'v1alpha1',
    },
  })
  /** The roles of installs, by their names. */
  const roles = async (namespace: string, install: string) => {
    const {items} = accepted(await kube.send('GET', `/apis/${RBAC}/clusterroles`))
    const names = asObjects(items).map(({metadata}) => asText(asObject(metadata).name))
    return asRecorded(names.filter(each => each.startsWith(`package:${namespace}:${install}:`)).sort())
  }
  return {
    ...{
      kube,
      cluster,
      teamA,
      teamB,
      group,
      get,
      code,
      create,
      patch,
      touch,
      settled,
      gone,
      exists,
      remove,
      eventually,
    },
    ...{works, states, asRecorded, crdFacts, crd, ownCrd, roles},
    demo: (version: string) => `${name}/demo:${version}`,
    packageOf: (path: string) => `${name}/${path}`,
    widget: (namespace: string, widgetName: string, metadata: JsonObject = {}): JsonObject => ({
      apiVersion: `${group}/v1alpha1`,
      kind: 'Widget',
      metadata: {name: widgetName, namespace, ...metadata},
    }),
  }
}

/** Both conditions of one answer: two answers may be of different passes. */
function statesOf(live: JsonObject): Readonly<Record<Condition, string>> {
  return {Ready: conditionIn(live, 'Ready'), Synced: conditionIn(live, 'Synced')}
}

/** Reports whether the status of a request is about what is in it now; that of a record does not say. */
function isObserved({kind, metadata, status}: JsonObject): boolean {
  return kind === 'Package' || asObject(status).observedGeneration === asObject(metadata).generation
}

/** The Deployment of an install. */
export function controllerOf(namespace: string, name: string): JsonObject {
  return named('Deployment', `${name}-controller`, namespace, 'apps/v1')
}

/** A request of the Packages era. */
export function requestOf(
  kind: 'PackageInstall' | 'ClusterPackageInstall',
  namespace: string,
  name: string,
  spec: JsonObject,
): JsonObject {
  return {apiVersion: API, kind, metadata: {name, namespace}, spec}
}

/** A record as a user writes it. */
export function recordOf(namespace: string, name: string, spec: JsonObject): JsonObject {
  return {apiVersion: API, kind: 'Package', metadata: {name, namespace}, spec}
}

/** All kinds that cases change are named regularly. */
function pathOf(object: JsonObject): string {
  const {name, namespace} = asObject(object.metadata)
  return `/apis/${asText(object.apiVersion)}/namespaces/${asText(namespace)}/${asText(object.kind).toLowerCase()}s/${asText(name)}`
}
