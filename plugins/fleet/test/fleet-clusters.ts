import {createServer} from 'node:http'
import type {ServedObject} from '../../../test/fakes/core-answers.js'
import {coreServer} from '../../../test/fakes/core-server.js'
import {listener} from '../../../test/listening.js'

const listen = listener()

/** Starts an API server that accepts requests and never answers; returns its kubeconfig. */
async function silentServer(): Promise<string> {
  const address = `http://127.0.0.1:${await listen(createServer(() => undefined))}`
  return JSON.stringify({clusters: [{cluster: {server: address}}]})
}

/** Returns a kubeconfig with a context for each cluster. */
export async function kubeconfigOf(
  clusters: Readonly<Record<string, readonly ServedObject[] | 'silent'>>,
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
