import {createServer} from 'node:http'
import {coreServer, installedPackage} from '../../../test/fakes/core-server.js'
import {listener} from '../../../test/listening.js'

const listen = listener()

interface Conditions {
  /** When its conditions and its revision came to be. */
  readonly since?: string
  readonly isHealthy?: boolean
}

/** The objects of a provider that is installed, with the times of its conditions. */
export function provider(
  repository: string,
  tag: string,
  {since = '2020-01-01T00:00:00Z', isHealthy = true}: Conditions = {},
): ReturnType<typeof installedPackage> {
  return installedPackage('Provider', repository, tag).map(object => {
    const {conditions} = object.status as {readonly conditions: readonly Readonly<Record<string, unknown>>[]}
    return {
      ...object,
      metadata: {
        ...object.metadata,
        creationTimestamp: since,
        managedFields: [{manager: 'crossplane', operation: 'Update', time: since, fieldsV1: {'f:spec': {}}}],
      },
      status: {
        ...(object.status as object),
        conditions: conditions.map(condition => ({
          ...condition,
          lastTransitionTime: since,
          ...(isHealthy || condition.type !== 'Healthy' ? {} : {status: 'False', message: 'no Pod runs'}),
        })),
      },
    }
  })
}

/** Starts an API server that accepts requests and never answers; returns its kubeconfig. */
async function silentServer(): Promise<string> {
  const address = `http://127.0.0.1:${await listen(createServer(() => undefined))}`
  return JSON.stringify({clusters: [{cluster: {server: address}}]})
}

/** Returns a kubeconfig with a context for each cluster. */
export async function kubeconfigOf(
  clusters: Readonly<Record<string, ReturnType<typeof installedPackage> | 'silent'>>,
): Promise<string> {
  const servers: Record<string, string> = {}
  for (const [name, objects] of Object.entries(clusters)) {
    const config = JSON.parse(objects === 'silent' ? await silentServer() : await coreServer(objects)) as {
      readonly clusters: readonly {readonly cluster: {readonly server: string}}[]
    }
    servers[name] = config.clusters[0]?.cluster.server ?? ''
  }
  const names = Object.keys(servers)
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    contexts: names.map(name => ({name, context: {cluster: name, user: 'a'}})),
    clusters: names.map(name => ({name, cluster: {server: servers[name]}})),
    users: [{name: 'a', user: {}}],
  })
}
