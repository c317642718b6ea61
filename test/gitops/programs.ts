import {existsSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {asObject, asObjects, asText, type JsonObject} from '../../src/yaml/json-value.js'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {findServer} from '../cluster/find-server.js'
import {accepted, type Kube, until} from '../cluster/kube.js'
import type {Server} from '../cluster/servers.js'

/** The path of a program that was built. */
export function programOf(server: Server): string {
  return findServer(server)!
}

/** Creates the CRDs beside programs, and waits until all are served: a controller that starts before that ends. */
export async function serveCrds(kube: Kube, servers: readonly Server[]): Promise<void> {
  const crds = servers.flatMap(crdsOf)
  await createAll(kube, crds)
  for (const {spec} of crds) {
    const {group, versions} = asObject(spec)
    for (const {name} of asObjects(versions)) {
      await until(
        () => kube.send('GET', `/apis/${asText(group)}/${asText(name)}`),
        ({code}) => code === 200,
      )
    }
  }
}

function crdsOf(server: Server): readonly JsonObject[] {
  const path = join(dirname(programOf(server)), 'crds.yaml')
  return existsSync(path) ? documentsIn(readFileSync(path, 'utf8')) : []
}

/** The objects of a YAML stream. */
export function documentsIn(text: string): readonly JsonObject[] {
  return readYaml(Buffer.from(text), 'a stream').map(({value}) => asObject(value))
}

/** Creates objects, each as soon as its kind is served. */
export async function createAll(kube: Kube, objects: readonly JsonObject[]): Promise<void> {
  for (const object of objects) {
    await until(
      () => kube.create(object),
      ({code}) => code < 300 || code === 409,
    )
  }
}

/** Adds the health checks of a tree to the settings of Argo CD, as their comment says, before the tree is started. */
export async function addHealthChecks(
  kube: Kube,
  {read, has}: {readonly read: (path: string) => string; readonly has: (path: string) => boolean},
): Promise<void> {
  const path = 'packages/argocd/health.yaml'
  const settings = '/api/v1/namespaces/argocd/configmaps/argocd-cm'
  for (const object of has(path) ? documentsIn(read(path)) : [])
    accepted(await kube.send('PATCH', settings, object, 'application/merge-patch+json'))
}
