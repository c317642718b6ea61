import {readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {asObject, type JsonObject} from '../../src/yaml/json-value.js'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {findServer} from '../cluster/find-server.js'
import {type Kube, until} from '../cluster/kube.js'
import type {Server} from '../cluster/servers.js'

/** The path of a program that was built. */
export function programOf(server: Server): string {
  return findServer(server)!
}

/** The CRDs beside a program. */
export function crdsOf(server: Server): readonly JsonObject[] {
  return documentsIn(readFileSync(join(dirname(programOf(server)), 'crds.yaml'), 'utf8'))
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
