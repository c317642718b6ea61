import type {TestCluster} from '../../../../test/cluster/api-server.js'
import {accepted, until} from '../../../../test/cluster/kube.js'
import type {JsonObject} from 'kubectl-crossplane/plugin'
import {conditionIn} from './real-manager.js'

export const SYSTEM = 'crossplane-system'
export const API = 'packages.crossplane.io/v1alpha1'

/** A request for a package: for a Cluster package in the namespace of the manager. */
export function request(
  namespace: string,
  name: string,
  spec: JsonObject,
  metadata: JsonObject = {},
): JsonObject {
  const kind = namespace === SYSTEM ? 'ClusterPackageInstall' : 'PackageInstall'
  return {apiVersion: API, kind, metadata: {name, namespace, ...metadata}, spec}
}

/** An object without content, for reading or deleting it. */
export function named(kind: string, name: string, namespace?: string, apiVersion = 'v1'): JsonObject {
  return {apiVersion, kind, metadata: {name, ...(namespace === undefined ? {} : {namespace})}}
}

/** What the suites of the manager do in their cluster, as its administrator. */
export function managerSuite(cluster: () => TestCluster) {
  const kube = () => cluster().kube
  const apply = async (object: JsonObject) => accepted(await kube().apply(object, {force: true}))
  const read = async (object: JsonObject) => (await kube().get(object)).body
  const remove = async (object: JsonObject) => accepted(await kube().delete(object))
  const settled = async (object: JsonObject, type: 'Ready' | 'Synced', want: RegExp) =>
    conditionIn(
      await until(
        () => read(object),
        live => want.test(conditionIn(live, type)),
        60,
      ),
      type,
    )
  const exists = async (object: JsonObject) =>
    await until(
      () => kube().get(object),
      ({code}) => code === 200,
      60,
    )
  const gone = async (object: JsonObject) =>
    await until(
      () => kube().get(object),
      ({code}) => code === 404,
      60,
    )
  const policy = async (text: string) => {
    const head = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\n'
    return await apply({
      ...named('ConfigMap', 'kubectl-crossplane-policy', SYSTEM),
      data: {'policy.yaml': head + text},
    })
  }
  return {kube, apply, read, remove, settled, exists, gone, policy}
}
