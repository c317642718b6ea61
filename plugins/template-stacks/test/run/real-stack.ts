import type {TestCluster} from '../../../../test/cluster/api-server.js'
import {accepted, until} from '../../../../test/cluster/kube.js'
import {mortalApi} from '../../../../test/cluster/mortal-api.js'
import {openApiWith, realClock} from '../../../../test/cluster/open-api.js'
import {runCli} from '../../../../test/run-cli.js'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  type JsonObject,
  type LogEntry,
  readYaml,
} from 'kubectl-crossplane/plugin'
import type {Engine} from '../../src/engines/engine.js'
import {clusterFacts} from '../../src/run/cluster-facts.js'
import {type OnceResult, runOnce} from '../../src/run/run-once.js'
import {stackRunner} from '../../src/run/run-stack.js'
import {findDefinition} from '../../src/run/stack-definition.js'

/** Applies the objects of a package as `package render` prints them, with the base; returns the token of its runner. */
export async function installStack(
  cluster: TestCluster,
  folder: string,
  {namespace, name}: {readonly namespace: string; readonly name: string},
): Promise<string> {
  const {stdout, stderr, status} = await runCli(
    ...['package', 'render', folder, '-n', namespace, '--as-package', `example.org/${name}:v0.1.0`],
    ...['--templates-from', 'inline', '--controller-image', 'example.org/run:v1', '--with-package-api'],
    ...['--assume', 'bigs.demo.example.org/v1'],
  )
  if (status !== 0) throw new Error(stderr)
  await applyAll(cluster, Buffer.from(stdout))
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`
  const request = {apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {}}
  const {status: token} = accepted(await cluster.kube.send('POST', path, request))
  return asText(asObject(token).token)
}

/** Applies objects, those of new kinds once these are served. */
export async function applyAll({kube}: TestCluster, bytes: Uint8Array): Promise<void> {
  for (const {value} of readYaml(bytes, 'objects')) {
    const object = asObject(value)
    await until(
      () => kube.apply(object, {force: true}),
      ({code}) => code < 400,
      20,
    )
  }
}

/** A runner of a stack in this process, with the rights of its service account. */
export interface RealRunner {
  readonly log: readonly LogEntry[]
  notReady(): string | undefined
  stop(): Promise<void>
  /** Settles when it has ended. */
  readonly ended: Promise<void>
}

/** Starts the runner of a stack; after `maxWrites` writes it ends as a process that is killed. */
export async function startRunner(
  cluster: TestCluster,
  engine: Engine,
  stack: {readonly namespace: string; readonly name: string; readonly token: string},
  maxWrites = Infinity,
): Promise<RealRunner> {
  const stop = new AbortController()
  const api = mortalApi(openApiWith(cluster, stack.token), maxWrites, stop)
  const log: LogEntry[] = []
  const metrics = {reconciled: () => undefined, queued: () => undefined}
  const process = {api, clock: realClock, log: (entry: LogEntry) => log.push(entry), metrics}
  const definition = await findDefinition(stack, api)
  const facts = await clusterFacts(api, () => realClock.elapsed())
  const runner = stackRunner({process, engine, facts, definition, folder: () => Promise.resolve(undefined)})
  const ended = runner.run(stop.signal)
  return {
    log,
    notReady: () => runner.notReady(),
    ended,
    stop: async () => {
      stop.abort()
      await ended
    },
  }
}

/** Makes a dry run of a stack. */
export async function dryRun(
  cluster: TestCluster,
  engine: Engine,
  stack: {readonly namespace: string; readonly name: string; readonly token: string},
): Promise<OnceResult> {
  const api = openApiWith(cluster, stack.token)
  const process = {api, clock: realClock, log: () => undefined}
  const definition = await findDefinition(stack, api)
  const facts = await clusterFacts(api, () => realClock.elapsed())
  return await runOnce({process, engine, facts, definition, folder: undefined, isDryRun: true})
}

/** Does what the garbage collector does for a deletion in the foreground, of objects that own nothing. */
export function collectGarbage({kube}: TestCluster): () => Promise<void> {
  let isOver = false
  const paths = ['/api/v1/configmaps', '/apis/demo.example.org/v1/bigs', '/apis/demo.example.org/v1/extras']
  const collect = async () => {
    while (!isOver) {
      for (const path of paths) {
        // A connection that the server closed meanwhile is no reason to stop.
        const listed = await kube.send('GET', path).catch(() => undefined)
        for (const {metadata} of asObjects(listed?.body.items)) {
          const {name, namespace, finalizers} = asObject(metadata)
          const kept = asTexts(finalizers).filter(each => each !== 'foregroundDeletion')
          if (kept.length === asTexts(finalizers).length) continue
          const place =
            namespace === undefined ? path : path.replace(/\/(?=[^/]+$)/, `/namespaces/${asText(namespace)}/`)
          const patch = {metadata: {finalizers: kept}}
          await kube.send('PATCH', `${place}/${asText(name)}`, patch, 'application/merge-patch+json')
        }
      }
      await new Promise(resolve => setTimeout(resolve, 200))
    }
  }
  const ended = collect()
  return async () => {
    isOver = true
    await ended
  }
}

/** The condition of a custom resource. */
export function conditionIn(object: JsonObject): {
  readonly status: string
  readonly reason: string
  readonly message: string
} {
  const condition = asObjects(asObject(object.status).conditions).find(({type}) => type === 'Synced') ?? {}
  return {
    status: asText(condition.status),
    reason: asText(condition.reason),
    message: asText(condition.message),
  }
}
