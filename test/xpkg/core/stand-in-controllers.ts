import {setTimeout as sleep} from 'node:timers/promises'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {accepted, until} from '../../cluster/kube.js'
import {openApi} from '../../cluster/open-api.js'

const PODS = '/api/v1/namespaces/crossplane-system/pods'
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const GROUP = 'core.example.org'
const NAME = 'crossplane.io/external-name'
const PENDING = 'crossplane.io/external-create-pending'
const FINALIZER = 'finalizer.managedresource.crossplane.io'
/** Milliseconds between two looks at the Pods. */
const LOOK = 150

/** The programs in the Pods of providers. */
export interface StandInControllers {
  /** Waits until each custom resource has its external object. Throws if one has two, or lost one or its name. */
  expectOneEach(): Promise<void>
  /** Deletes all custom resources, and resolves when they are gone: each waits for the finalizer of its controller. */
  stop(): Promise<void>
}

/** What is outside of the cluster, and what controllers have seen. */
interface World {
  /** The external objects that were created for a custom resource, by its kind and name: also for one of another UID. */
  readonly created: Map<string, string[]>
  /** The external name that a custom resource had first. */
  readonly names: Map<string, string>
  /** The revisions whose controllers saw custom resources, in order. */
  readonly revisions: string[]
  readonly faults: string[]
  /** Whether custom resources may be deleted. */
  isEnding: boolean
}

interface Controller {
  readonly cluster: TestCluster
  readonly kind: string
  readonly revision: string
  readonly world: World
  readonly signal: AbortSignal
}

/**
 * Runs what is in the Pods of providers: of each Pod, a controller for the kinds of its revision that watches custom resources, creates an
 * external object for each that has no external name, and removes the finalizer of one that is deleted, as crossplane-runtime does. Whenever
 * these controllers change, a user creates another custom resource.
 */
export function standInControllers(cluster: TestCluster, kinds: readonly string[]): StandInControllers {
  const world: World = {created: new Map(), names: new Map(), revisions: [], faults: [], isEnding: false}
  const running = new Map<string, AbortController>()
  const tasks: Promise<void>[] = []
  let changes = 0
  const look = async () => {
    const wanted = await controllersIn(cluster, kinds)
    const gone = [...running].filter(([key]) => !wanted.has(key))
    const begun = [...wanted].filter(([key]) => !running.has(key))
    for (const [key, ending] of gone) {
      ending.abort()
      running.delete(key)
    }
    for (const [key, one] of begun) {
      const ending = new AbortController()
      running.set(key, ending)
      tasks.push(control({cluster, world, signal: ending.signal, ...one}))
    }
    if (gone.length + begun.length === 0 || world.isEnding) return
    const metadata = {name: `made-${(changes += 1)}`}
    for (const kind of kinds) await cluster.kube.create({...typeOf(kind), metadata})
  }
  const ended = new AbortController()
  const looking = (async () => {
    for (; !ended.signal.aborted; await sleep(LOOK)) await look().catch(() => undefined)
  })()
  const all = async () => (await Promise.all(kinds.map(kind => list(cluster, kind)))).flat()
  return {
    async expectOneEach() {
      // The controller of a Pod that just began comes to its first resource a moment later.
      const haveSeen = (each: readonly JsonObject[]) => each.length > 1 && world.revisions.length > 1
      const haveNames = (each: readonly JsonObject[]) =>
        each.every(({annotations}) => NAME in asObject(annotations))
      const found = await until(all, each => haveSeen(each) && haveNames(each), 60)
      const problems = problemsOf(world)
      if (problems.length > 0) throw new Error(problems.join('\n'))
      const [resources, objects, seen] = [found.length, world.created.size, world.revisions.length]
      const counts = `${resources} custom resources, ${objects} external objects created, ${seen} controllers`
      if (resources < 2 || objects < resources - 1 || seen < 2) throw new Error(`too few: ${counts}`)
      process.stderr.write(`${counts}\n`)
    },
    async stop() {
      world.isEnding = true
      try {
        for (const kind of kinds)
          for (const {name} of await list(cluster, kind))
            await cluster.kube.send('DELETE', `${pathOf(kind)}/${asText(name)}`)
        await until(all, left => left.length === 0, 60)
      } finally {
        ended.abort()
        await looking
        for (const ending of running.values()) ending.abort()
        await Promise.all(tasks)
      }
    },
  }
}

function problemsOf({created, faults}: World): readonly string[] {
  const twice = [...created].filter(([, objects]) => objects.length > 1)
  return [...twice.map(([key, objects]) => `${key} has ${objects.join(' and ')}`), ...faults]
}

/** The controllers that run, by Pod and kind: a revision has the kinds of which it is an owner. */
async function controllersIn(
  {kube}: TestCluster,
  kinds: readonly string[],
): Promise<ReadonlyMap<string, Pick<Controller, 'revision' | 'kind'>>> {
  const [pods, crds] = await Promise.all([kube.send('GET', PODS), kube.send('GET', CRDS)])
  const owners = new Map(
    asObjects(accepted(crds).items).map(({metadata}) => {
      const {name, ownerReferences} = asObject(metadata)
      return [asText(name), asObjects(ownerReferences).map(owner => asText(owner.name))]
    }),
  )
  const alive = asObjects(accepted(pods).items).filter(
    ({metadata, status}) =>
      asObject(status).phase === 'Running' && asObject(metadata).deletionTimestamp === undefined,
  )
  const controllers = alive.flatMap(({metadata}) => {
    const {uid, labels} = asObject(metadata)
    const revision = asText(asObject(labels)['pkg.crossplane.io/revision'])
    const own = kinds.filter(kind => owners.get(`${pluralOf(kind)}.${GROUP}`)?.includes(revision) === true)
    return own.map(kind => [`${asText(uid)} ${kind}`, {revision, kind}] as const)
  })
  return new Map(controllers)
}

/** Runs one controller until its Pod ends: what it has begun, it completes. */
async function control(controller: Controller): Promise<void> {
  const {cluster, kind, revision, world, signal} = controller
  let isFirst = true
  const handle = async (object: KubernetesObject) => {
    if (isFirst) world.revisions.push(revision)
    isFirst = false
    await reconcile(object, controller)
  }
  const hasEnded = () => signal.aborted
  for (; !hasEnded(); await sleep(LOOK)) {
    try {
      for await (const {type, object} of openApi(cluster).watch(typeOf(kind), {signal})) {
        if (hasEnded()) return
        if (type !== 'DELETED') await handle(object)
      }
    } catch {
      // The kind is not served for a moment, or the Pod ended.
    }
  }
}

async function reconcile({metadata}: KubernetesObject, {cluster, kind, world}: Controller): Promise<void> {
  const patch = async (content: JsonObject) =>
    await cluster.kube.send(
      ...(['PATCH', `${pathOf(kind)}/${metadata.name}`] as const),
      ...([{metadata: content}, 'application/merge-patch+json'] as const),
    )
  const key = `${kind} ${metadata.name}`
  if (metadata.deletionTimestamp !== undefined) {
    if (!world.isEnding) world.faults.push(`${key} was deleted`)
    await patch({finalizers: null})
    return
  }
  const {[NAME]: name, [PENDING]: pending} = metadata.annotations ?? {}
  if (name !== undefined) {
    const first = world.names.get(key) ?? name
    world.names.set(key, first)
    if (first !== name) world.faults.push(`${key} was ${first}, and is ${name}`)
    return
  }
  // Another controller creates it, or did before this event came.
  if (pending !== undefined) return
  const own = {resourceVersion: asText(metadata.resourceVersion), finalizers: [FINALIZER]}
  const {code} = await patch({...own, annotations: {[PENDING]: new Date().toISOString()}})
  if (code !== 200) return
  const objects = world.created.get(key) ?? []
  const external = `${metadata.name}-${objects.length + 1}`
  world.created.set(key, [...objects, external])
  accepted(await patch({annotations: {[NAME]: external, [PENDING]: null}}))
}

async function list({kube}: TestCluster, kind: string): Promise<readonly JsonObject[]> {
  return asObjects(accepted(await kube.send('GET', pathOf(kind))).items).map(({metadata}) =>
    asObject(metadata),
  )
}

function typeOf(kind: string) {
  return {apiVersion: `${GROUP}/v1`, kind}
}

function pathOf(kind: string): string {
  return `/apis/${GROUP}/v1/${pluralOf(kind)}`
}

function pluralOf(kind: string): string {
  return `${kind.toLowerCase()}s`
}
