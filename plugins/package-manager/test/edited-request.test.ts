import {expect, it} from '@jest/globals'
import {
  asText,
  type ClusterApi,
  CrossplaneError,
  type JsonObject,
  type KubernetesObject,
  type PackageInstaller,
  type RequestObjects,
  type SetInstall,
} from 'kubectl-crossplane/plugin'
import {conflictError} from '../../../test/cluster/api/conflict-error.js'
import {manualClock, settled} from '../../../test/reconcile/manual-clock.js'
import {PushedEvents} from '../../../test/reconcile/pushed-events.js'
import {textOf} from '../src/run/dependencies.js'
import {requestManager} from '../src/run/run-manager.js'
import {idOf} from '../src/run/written-records.js'

const API = 'packages.crossplane.io/v1alpha1'
const KIND = 'PackageInstall'
const NAMESPACE = 'crossplane-system'

function request(name: string): KubernetesObject {
  const metadata = {name, namespace: NAMESPACE, uid: name, generation: 1, resourceVersion: '1'}
  return {apiVersion: API, kind: KIND, metadata, spec: {package: `example/${name}:v1.0.0`}}
}

/** The requests of a cluster and what is installed for them, in memory. Something can happen at each step of the manager. */
class MemoryCluster {
  readonly clock = manualClock()
  readonly #requests = new Map<string, KubernetesObject>()
  readonly #installed = new Map<string, SetInstall>()
  #steps = 0
  #version = 1
  readonly #namesFields: boolean
  #happens: {readonly at: number; readonly what: () => void} | undefined
  readonly #events = new PushedEvents()

  /** @param namesFields - whether it can be read which fields a change takes back. */
  constructor(requests: readonly KubernetesObject[], namesFields = true) {
    this.#namesFields = namesFields
    for (const each of requests) this.#requests.set(each.metadata.name, each)
  }

  get steps(): number {
    return this.#steps
  }

  /** Returns the version that is installed for a request. */
  installed(name: string): string | undefined {
    return this.#installed.get(`${NAMESPACE}/${name}`)?.package?.tag
  }

  /** Lets something happen at a step from now on. */
  at(step: number, what: () => void): void {
    this.#happens = {at: this.#steps + step, what}
  }

  /** Requests another version. */
  edit(name: string): void {
    const {metadata, ...object} = this.#requests.get(name) as KubernetesObject
    const spec = {package: `example/${name}:v2.0.0`}
    this.#store({...object, spec, metadata: {...metadata, generation: 2}})
  }

  readonly api = {
    discover: async () => Promise.resolve({}),
    resource: async ({kind}: {readonly kind: string}) => {
      await this.#step()
      return kind === KIND ? {hasStatus: true} : undefined
    },
    get: async ({kind, name}: {readonly kind: string; readonly name: string}) => {
      await this.#step()
      const found = kind === KIND ? this.#requests.get(name) : undefined
      await this.#step()
      return found
    },
    create: async (object: KubernetesObject) => {
      await this.#step()
      return {object}
    },
    mergePatch: async ({name}: {readonly name: string}, {metadata = {}, ...patch}: JsonObject) => {
      await this.#step()
      const before = this.#requests.get(name) as KubernetesObject
      const {resourceVersion, ...changed} = metadata as JsonObject
      if (resourceVersion !== before.metadata.resourceVersion) throw conflictError('it changed')
      const object = this.#store({...before, ...patch, metadata: {...before.metadata, ...changed}})
      await this.#step()
      return {object}
    },
    watch: ({kind}: {readonly kind: string}, options: Parameters<ClusterApi['watch']>[1]) =>
      kind === KIND
        ? this.#events.watch(this.#requests.values(), options)
        : new PushedEvents().watch([], options),
    now: () => this.clock.now(),
  } as unknown as ClusterApi

  readonly installer = {
    original: async () => await this.#step(),
    installed: async () => {
      await this.#step()
      return [...this.#installed.values()]
    },
    planInstall: async (requests: RequestObjects) => {
      await this.#step()
      const installs = requests.map(each => this.#plan(each))
      const size = installs.filter(each => !this.#isInstalled(each)).length
      const overwritten = () =>
        this.#namesFields
          ? Promise.resolve([])
          : Promise.reject(new CrossplaneError('cluster-failed', 'the server has too many requests'))
      return {...this.#change(installs), size, rejections: [], changed: installs, overwritten}
    },
    renderInstalls: async (requests: RequestObjects) => {
      await this.#step()
      return this.#change(requests.map(each => this.#plan(each)))
    },
    healths: async (installs: readonly SetInstall[]) => {
      await this.#step()
      return installs.map(({namespace, name}) => ({namespace, name, state: 'healthy'}))
    },
    health: async () => {
      await this.#step()
      return {state: 'healthy'}
    },
    read: async () => await this.#step(),
    forPass: () => this.installer,
  } as unknown as PackageInstaller

  #plan(object: KubernetesObject): SetInstall {
    const identity = `example/${object.metadata.name}`
    const tag = asText((object.spec as JsonObject).package).replace(`${identity}:`, '')
    const version = {identity, tag, version: tag, digest: `sha256:${tag}`}
    return {...idOf(object), package: version, mode: 'requested', for: {}} as unknown as SetInstall
  }

  #isInstalled(install: SetInstall): boolean {
    return this.#installed.get(textOf(install))?.package?.tag === install.package?.tag
  }

  #change(installs: readonly SetInstall[]) {
    const apply = async (_signal: AbortSignal, gate: (packages: JsonObject) => void) => {
      await this.#step()
      gate({installs, objects: [], before: []} as unknown as JsonObject)
      for (const each of installs) this.#installed.set(textOf(each), each)
      await this.#step()
    }
    return {installs, objects: [], notes: [], apply}
  }

  #store(object: KubernetesObject): KubernetesObject {
    const metadata = {...object.metadata, resourceVersion: `${++this.#version}`}
    const stored = {...object, metadata}
    this.#requests.set(object.metadata.name, stored)
    this.#events.push(stored)
    return stored
  }

  /** What happens is seen by the watch before the step ends. */
  async #step(): Promise<undefined> {
    if (++this.#steps === this.#happens?.at) {
      this.#happens.what()
      await settled()
    }
    return undefined
  }
}

/** Runs a manager over requests of which one is edited at a step; returns what is installed for it then, and the number of steps. */
async function runWith(
  names: readonly string[],
  edited: string,
  from: 'start' | 'installed',
  step: number,
  namesFields = true,
) {
  const cluster = new MemoryCluster(names.map(request), namesFields)
  const {api, clock, installer} = cluster
  const stop = new AbortController()
  const none = () => undefined
  const metrics = {reconciled: none, queued: none}
  const manager = requestManager({
    process: {api, clock, log: none, metrics, requestMetrics: {requests: none}},
    installer,
    systemNamespace: NAMESPACE,
  })
  if (from === 'start') cluster.at(step, () => cluster.edit(edited))
  const ended = manager.run(stop.signal)
  await settled()
  await clock.pass(1000)
  const before = cluster.steps
  if (from === 'installed') {
    cluster.at(step, () => cluster.edit(edited))
    await clock.pass(3_700_000)
  }
  await clock.pass(9000)
  stop.abort()
  await ended
  return {installed: cluster.installed(edited), steps: cluster.steps - (from === 'start' ? 0 : before)}
}

it.each([
  {what: 'a new request', names: ['a'], edited: 'a', from: 'start'},
  {what: 'the first of requests that are installed together', names: ['a', 'b'], edited: 'a', from: 'start'},
  {what: 'another of them', names: ['a', 'b'], edited: 'b', from: 'start'},
  {what: 'a request that is looked at again', names: ['a'], edited: 'a', from: 'installed'},
  {
    what: 'the first of requests that are looked at together',
    names: ['a', 'b'],
    edited: 'a',
    from: 'installed',
  },
  {what: 'another of those', names: ['a', 'b'], edited: 'b', from: 'installed'},
] as const)('an edit of $what is noticed at each step of the manager', async ({names, edited, from}) => {
  const {steps} = await runWith(names, edited, from, Infinity)
  expect(steps).toBeGreaterThanOrEqual(10)
  const lost: number[] = []
  for (let step = 1; step <= steps; step++) {
    const {installed} = await runWith(names, edited, from, step)
    if (installed !== 'v2.0.0') lost.push(step)
  }
  expect(lost).toEqual([])
})

it('what a change takes back need not be known for it', async () => {
  const {installed} = await runWith(['a'], 'a', 'installed', 1, false)
  expect(installed).toBe('v2.0.0')
})
