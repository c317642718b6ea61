import {spawn} from 'node:child_process'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {programWords} from '../../built-program.js'
import type {TestCluster} from '../../cluster/api-server.js'
import type {AuditEntry} from '../../cluster/audit.js'
import {openApi} from '../../cluster/open-api.js'
import type {WatchedServer} from '../../cluster/watched-server.js'
import {CORPUS_ROOT} from '../../corpus.js'
import {type CliResult, runCli} from '../../run-cli.js'
import {type ProgramResult, runBuilt, smallEnvironment} from '../../run-program.js'
import {objectText} from '../../../src/kubernetes/object-key.js'
import {PASSING} from './cluster-state.js'
import {setVariable} from '../../set-variable.js'

/** Runs a command line against a test cluster, as its administrator. */
export async function runIn(
  {kubeconfig}: Pick<TestCluster, 'kubeconfig'>,
  ...args: string[]
): Promise<CliResult> {
  const {KUBECONFIG} = process.env
  process.env.KUBECONFIG = kubeconfig
  try {
    return await runCli(...args)
  } finally {
    setVariable('KUBECONFIG', KUBECONFIG)
  }
}

/** The same with variables of the environment. */
export async function runWith(
  {kubeconfig}: TestCluster,
  env: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<ProgramResult> {
  return await runBuilt(args, {
    env: {KUBECONFIG: kubeconfig, ...env},
  })
}

/** Runs the program and sends it a signal when it prints the first line that matches. */
export async function signaledIn(
  cluster: TestCluster,
  {at, signal}: {readonly at: RegExp; readonly signal: NodeJS.Signals},
  ...args: string[]
): Promise<Omit<ProgramResult, 'stdout'>> {
  return await disturbedIn(cluster, {at, disturb: ({kill}) => Promise.resolve(kill(signal))}, ...args)
}

/** A process that runs the program. */
interface Running {
  readonly kill: (signal: NodeJS.Signals) => void
}

/** Runs the program, and disturbs it when it prints the first line that matches; rejects if the disturbance does. */
export async function disturbedIn(
  {kubeconfig}: TestCluster,
  {at, disturb}: {readonly at: RegExp; readonly disturb: (running: Running) => Promise<unknown>},
  ...args: string[]
): Promise<Omit<ProgramResult, 'stdout'>> {
  const running = startedWith(kubeconfig, args)
  const lines: string[] = []
  let disturbance: Promise<unknown> | undefined
  for await (const line of createInterface({input: running.stderr})) {
    if (at.test(line)) disturbance ??= disturb(running)
    lines.push(line)
  }
  await disturbance
  return {...(await running.ended), stderr: lines.join('\n')}
}

/** Kills the program when it sends the first request that matches, which the server never receives. */
export async function killedBefore(
  server: WatchedServer,
  line: RegExp,
  ...args: string[]
): Promise<Pick<ProgramResult, 'signal'>> {
  const running = startedWith(server.kubeconfig, args)
  running.stderr.resume()
  server.at(line, () => running.kill('SIGKILL'))
  const {signal} = await running.ended
  return {signal}
}

function startedWith(kubeconfig: string, args: readonly string[]) {
  const [command, ...words] = programWords()
  const child = spawn(command, [...words, ...args], {
    env: {...smallEnvironment(), KUBECONFIG: kubeconfig},
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<Pick<ProgramResult, 'status' | 'signal'>>(resolve => {
    child.once('exit', (status, endedBy) => resolve({status, signal: endedBy}))
  })
  return {stderr: child.stderr, ended, kill: (signal: NodeJS.Signals) => void child.kill(signal)}
}

/** Saves the plan of an install in a folder, and carries it out. */
export async function installPlanned(
  cluster: TestCluster,
  folder: string,
  ...args: string[]
): Promise<CliResult> {
  const file = join(folder, 'plan.json')
  const planned = await runIn(cluster, 'package', 'install', ...args, '--plan-out', file)
  if (planned.status !== 0) return planned
  return await runIn(cluster, 'package', 'install', '--plan', file, '--no-wait')
}

/** A package of the corpus as it is installed: its folder, the name of the install, and the image that it is. */
export function corpusPackage(name: string, version: string, install: string): string[] {
  const folder = join(CORPUS_ROOT, 'corpus', `${name}@${version}`)
  return [folder, install, '--as-package', `crossplane/${name}:${version}`, '--no-dependencies']
}

/** The requests of this program. */
export function ownEntries(entries: readonly AuditEntry[]): AuditEntry[] {
  return entries.filter(({userAgent}) => userAgent.startsWith('kubectl-crossplane'))
}

/** All objects of a cluster by kind, namespace and name, without those that come and go by themselves. */
export async function objectsIn(cluster: TestCluster): Promise<string[]> {
  const api = openApi(cluster)
  const {resources} = await api.discover()
  const found = new Set<string>()
  for (const {group, version, kind, verbs} of resources) {
    if (!verbs.includes('list') || PASSING.includes(kind)) continue
    const apiVersion = group === '' ? version : `${group}/${version}`
    for await (const {metadata} of api.list({apiVersion, kind}, {metadataOnly: true})) {
      // The controller manager creates one in each namespace, at its own time.
      if (metadata.name === 'kube-root-ca.crt') continue
      found.add(objectText({kind: `${kind}.${group}`, name: metadata.name, namespace: metadata.namespace}))
    }
  }
  return [...found].sort()
}
