import {generateKeyPairSync, randomUUID} from 'node:crypto'
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {auditFlags} from './audit.js'
import {findServer} from './find-server.js'
import {freePort} from './free-port.js'
import {connect, until} from './kube.js'
import type {Access, Kube} from './kube.js'
import {startPodServers} from './pod-servers.js'
import {openServerGroup} from './server-group.js'
import type {ServerGroup} from './server-group.js'
import {serversOf} from './servers.js'
import type {ClusterOptions, KubernetesVersion} from './servers.js'

/** A cluster of its own on loopback, empty but for what Kubernetes itself puts there; RBAC is on. */
export interface TestCluster {
  readonly version: KubernetesVersion
  /** Where everything of it lies; gone after `stop`. */
  readonly folder: string
  /** The path of a kubeconfig for the administrator. */
  readonly kubeconfig: string
  readonly url: string
  /** PEM. */
  readonly ca: string
  /** Bearer tokens: of the administrator, and of a user `nobody` who may do what any authenticated user may. */
  readonly tokens: Tokens
  /** A client of the administrator; `connect` makes others. */
  readonly kube: Kube
  /** The ids of its processes. */
  readonly pids: readonly number[]
  /** The id of a process, by the name of its program. */
  pidOf(name: string): number
  /** Kills the API server, does something, and starts it again; resolves when it serves. */
  withoutApiServer(work: () => Promise<void>): Promise<void>
  /** Ends all its processes and removes its folder; a second call changes nothing. */
  stop(): Promise<void>
}

interface Tokens {
  readonly admin: string
  readonly nobody: string
}

/** Slow machines under load have needed 20 s for what takes 4. */
const patience = 120

/**
 * Starts the programs of a cluster and waits until it serves, and with `pods` until a node is ready for them. It ends
 * with this process at the latest.
 *
 * @throws Error with the last lines of every log, when a program is missing, ends, or takes too long
 */
export async function startCluster(options: ClusterOptions): Promise<TestCluster> {
  const programs = findPrograms(options)
  const group = await openServerGroup('kubectl-crossplane-cluster-')
  try {
    const tokens = {admin: randomUUID(), nobody: randomUUID()}
    const access = await startApiServer(group, programs, options, tokens)
    const kubeconfig = join(group.folder, 'kubeconfig')
    writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(access)))
    const kube = connect(access)
    await untilServing(kube, group)
    if (options.pods === true) await startPodServers({group, programs, kubeconfig, kube}, options.stages)
    const {url, ca} = access
    const stop = async () => {
      kube.close()
      await group.stop()
    }
    return {
      version: options.version,
      folder: group.folder,
      kubeconfig,
      url,
      ca,
      tokens,
      kube,
      pids: group.pids(),
      pidOf: name => group.pidOf(name),
      withoutApiServer: async work => {
        const start = await group.kill('kube-apiserver')
        await work()
        await start()
        await untilServing(kube, group)
      },
      stop,
    }
  } catch (error) {
    const message = `Kubernetes ${options.version} did not start\n${group.lastLines(15)}`
    await group.stop()
    throw new Error(message, {cause: error})
  }
}

/** The paths of the programs, by their names. */
function findPrograms(options: ClusterOptions): ReadonlyMap<string, string> {
  return new Map(
    serversOf(options).map(server => {
      const program = findServer(server)
      if (program === undefined) throw new Error(`no ${server.name} ${server.version}: npm run cluster:setup`)
      return [server.name, program]
    }),
  )
}

async function startApiServer(
  group: ServerGroup,
  programs: ReadonlyMap<string, string>,
  options: ClusterOptions,
  tokens: Tokens,
): Promise<Access> {
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()]
  await group.start('etcd', programs.get('etcd')!, etcdFlags(group.folder, client, peer))
  writeSecrets(group.folder, tokens)
  const flags = [...apiServerFlags(group.folder, client, port), ...admissionFlags(options)]
  await group.start('kube-apiserver', programs.get('kube-apiserver')!, flags)
  // The server signs for itself when it has no certificate, and puts its own authority beside it.
  const certificate = join(group.folder, 'apiserver.crt')
  await until(
    () => {
      group.assertRunning()
      return Promise.resolve(existsSync(certificate) && readFileSync(certificate, 'utf8'))
    },
    pem => pem !== false && pem.endsWith('-----END CERTIFICATE-----\n'),
    patience,
  )
  return {url: `https://127.0.0.1:${port}`, ca: readFileSync(certificate, 'utf8'), token: tokens.admin}
}

function etcdFlags(folder: string, client: number, peer: number): readonly string[] {
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
  return [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${clientUrl}`,
    `--advertise-client-urls=${clientUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--unsafe-no-fsync',
  ]
}

function apiServerFlags(folder: string, etcd: number, port: number): readonly string[] {
  const key = join(folder, 'service-account.key')
  return [
    `--etcd-servers=http://127.0.0.1:${etcd}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--cert-dir=${folder}`,
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    // As everywhere; without it, privileged Pods are rejected before admission is asked.
    '--allow-privileged=true',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--endpoint-reconciler-type=none',
    ...auditFlags(folder),
  ]
}

/** Without the controllers nobody makes the accounts without which Pods are refused. */
function admissionFlags({pods}: ClusterOptions): readonly string[] {
  return pods === true ? [] : ['--disable-admission-plugins=ServiceAccount']
}

function writeSecrets(folder: string, {admin, nobody}: Tokens): void {
  const {privateKey} = generateKeyPairSync('rsa', {modulusLength: 2048})
  const pem = privateKey.export({type: 'pkcs1', format: 'pem'})
  writeFileSync(join(folder, 'service-account.key'), pem, {mode: 0o600})
  const users = `${admin},admin,admin,"system:masters"\n${nobody},nobody,nobody\n`
  writeFileSync(join(folder, 'tokens.csv'), users, {mode: 0o600})
}

function kubeconfigOf({url, ca, token}: Access) {
  const authority = Buffer.from(ca).toString('base64')
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{name: 'test', cluster: {server: url, 'certificate-authority-data': authority}}],
    users: [{name: 'admin', user: {token}}],
    contexts: [{name: 'test', context: {cluster: 'test', user: 'admin'}}],
  }
}

/** Ready, RBAC's own roles included, and with the namespace that everybody counts on, which comes a moment later. */
async function untilServing(kube: Kube, group: ServerGroup): Promise<void> {
  const ask = (path: string) => async () => {
    group.assertRunning()
    return kube.send('GET', path).catch((error: unknown) => ({code: 0, body: {message: String(error)}}))
  }
  for (const path of ['/readyz', '/api/v1/namespaces/default']) {
    await until(ask(path), ({code}) => code === 200, patience)
  }
}
