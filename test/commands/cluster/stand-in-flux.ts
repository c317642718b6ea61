import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {execFileSync} from 'node:child_process'
import {setTimeout as sleep} from 'node:timers/promises'
import {repeated} from '../../cluster/repeated.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {accepted} from '../../cluster/kube.js'
import {documentsIn} from '../../gitops/programs.js'
import {asObject, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {serveAnything} from './stand-in-core.js'

const GROUP = 'kustomize.toolkit.fluxcd.io'
const TREE = {
  apiVersion: `${GROUP}/v1`,
  kind: 'Kustomization',
  metadata: {name: 'tree', namespace: 'default'},
}
const PATH = `/apis/${GROUP}/v1/namespaces/default/kustomizations/tree`

/** Stands in for a Kustomization with pruning: it applies a folder of a branch again and again, and deletes what left it and is not protected. */
export class StandInFlux {
  readonly #cluster: TestCluster
  readonly #clone: string
  readonly #folder: string
  /** Whether the objects of a commit are applied last first, with time in between. */
  isBackwards = false
  /** Whether no sync begins: as long as a controller is slow, or has not seen a commit. */
  isPaused = false
  #applied: readonly JsonObject[] = []
  #end: (() => Promise<void>) | undefined

  constructor(cluster: TestCluster, clone: string, folder: string) {
    this.#cluster = cluster
    this.#clone = clone
    this.#folder = folder
  }

  async start(): Promise<void> {
    await serveAnything(this.#cluster, [[GROUP, 'Kustomization', 'v1', 'Namespaced']])
    await sleep(3000)
    accepted(await this.#cluster.kube.create({...TREE, spec: {prune: true}}))
    this.#end = repeated(() => this.#pass(), 1000)
  }

  async stop(): Promise<void> {
    await this.#end?.()
  }

  async #pass(): Promise<void> {
    if (this.isPaused) return
    const git = (...args: readonly string[]) =>
      execFileSync('git', args, {cwd: this.#clone, encoding: 'utf8'})
    git('fetch', '--quiet', 'origin')
    git('reset', '--quiet', '--hard', 'origin/main')
    const paths = git('ls-files', this.#folder).trim().split('\n')
    const files = paths.filter(path => path.endsWith('.yaml') && !path.endsWith('kustomization.yaml'))
    const objects = files.flatMap(path => documentsIn(readFileSync(join(this.#clone, path), 'utf8')))
    for (const object of this.isBackwards ? [...objects].reverse() : objects) {
      const metadata = asObject(object.metadata)
      const labels = {[`${GROUP}/name`]: 'tree', [`${GROUP}/namespace`]: 'default'}
      const labeled = {...object, metadata: {...metadata, labels}}
      accepted(await this.#cluster.kube.apply(labeled, {manager: 'kustomize-controller', force: true}))
      await sleep(300)
    }
    const keys = new Set(objects.map(keyOf))
    for (const object of this.#applied.filter(one => !keys.has(keyOf(one)))) await this.#prune(object)
    this.#applied = objects
    const entries = objects.map(object => ({id: keyOf(object), v: 'v1'}))
    await this.#cluster.kube.send(
      'PATCH',
      `${PATH}/status`,
      {status: {inventory: {entries}}},
      'application/merge-patch+json',
    )
  }

  async #prune(object: JsonObject): Promise<void> {
    const {code, body} = await this.#cluster.kube.get(object)
    if (code !== 200) return
    const annotations = asObject(asObject(body.metadata).annotations)
    if (annotations[`${GROUP}/prune`] !== 'disabled') await this.#cluster.kube.delete(object)
  }
}

function keyOf({apiVersion, kind, metadata}: JsonObject): string {
  const [group = ''] = asText(apiVersion).split('/')
  return `_${asText(asObject(metadata).name)}_${group}_${asText(kind)}`
}
