import {type ClusterApi, type KubernetesObject, openController} from 'kubectl-crossplane/plugin'
import {generateKeyPairSync, randomUUID} from 'node:crypto'
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {messageOf} from '../model/message-of.js'
import {apiServerFlags, etcdFlags, kubeconfigOf} from './server-flags.js'
import {startServer} from './server-process.js'
import {until} from './until.js'

/** An API server of its own on loopback, without controllers and Pods. */
export interface ApiServer {
  /** The path of a kubeconfig for the administrator. */
  readonly kubeconfig: string
  /** A client of the administrator. */
  readonly api: ClusterApi
  /** Creates objects in their order; waits for the kinds of CRDs before them. */
  create(...objects: readonly KubernetesObject[]): Promise<void>
  /** Ends its processes, and removes its files. */
  stop(): Promise<void>
}

const PROGRAMS = ['etcd', 'kube-apiserver']

/** Says why no API server can be started; undefined if one can. */
export function missingApiServer(): string | undefined {
  const {KUBEBUILDER_ASSETS: folder} = process.env
  if (folder === undefined)
    return 'KUBEBUILDER_ASSETS is not set: it names the folder of etcd and kube-apiserver, which setup-envtest downloads'
  const missing = PROGRAMS.filter(name => !existsSync(join(folder, name)))
  return missing.length === 0 ? undefined : `KUBEBUILDER_ASSETS has no ${missing.join(' and no ')}`
}

/** Starts the API server in the folder that KUBEBUILDER_ASSETS names, and waits until it serves. */
export async function startApiServer(): Promise<ApiServer> {
  const missing = missingApiServer()
  if (missing !== undefined) throw new Error(`cannot start an API server: ${missing}`)
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-crossplane-services-'))
  const [client, peer, port] = await freePorts()
  const programAt = (name: string) => join(process.env.KUBEBUILDER_ASSETS ?? '', name)
  const token = writeSecrets(folder)
  const servers = [
    startServer(programAt('etcd'), etcdFlags(folder, client, peer)),
    startServer(programAt('kube-apiserver'), apiServerFlags(folder, client, port)),
  ]
  const stop = async () => {
    await Promise.all(servers.map(async server => await server.stop()))
    rmSync(folder, {recursive: true, force: true})
  }
  const attempt = async <Result>(work: () => Promise<Result>) => {
    for (const server of servers) server.assertRunning()
    return await work().catch((error: unknown) => messageOf(error))
  }
  try {
    const ca = await until(async () => await attempt(async () => await certificateIn(folder)), isCertificate)
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(`https://127.0.0.1:${port}`, ca, token)), {
      mode: 0o600,
    })
    const {api} = await openController({kubeconfig, 'log-format': 'text', 'leader-elect': false}, 'test')
    const defaultNamespace = {apiVersion: 'v1', kind: 'Namespace', name: 'default'}
    await until(async () => await attempt(async () => await api.get(defaultNamespace)), isObject)
    return {kubeconfig, api, create: async (...objects) => await createAll(objects, api), stop}
  } catch (error) {
    await stop()
    throw error
  }
}

function isObject(result: KubernetesObject | string | undefined): boolean {
  return typeof result === 'object'
}

/** The server signs for itself, and writes its own authority beside its certificate. */
function certificateIn(folder: string): Promise<string> {
  return Promise.resolve(readFileSync(join(folder, 'apiserver.crt'), 'utf8'))
}

function isCertificate(text: string): boolean {
  return text.endsWith('-----END CERTIFICATE-----\n')
}

async function createAll(objects: readonly KubernetesObject[], api: ClusterApi): Promise<void> {
  for (const object of objects) {
    await until(
      async () => {
        try {
          await api.create(object, {manager: 'test'})
          return 'created'
        } catch (error) {
          if ((await api.resource(object, true)) !== undefined) throw error
          return messageOf(error)
        }
      },
      result => result === 'created',
    )
  }
}

function writeSecrets(folder: string): string {
  const token = randomUUID()
  const {privateKey} = generateKeyPairSync('rsa', {modulusLength: 2048})
  const pem = privateKey.export({type: 'pkcs1', format: 'pem'})
  writeFileSync(join(folder, 'service-account.key'), pem, {mode: 0o600})
  writeFileSync(join(folder, 'tokens.csv'), `${token},admin,admin,"system:masters"\n`, {mode: 0o600})
  return token
}

async function freePorts(): Promise<readonly [number, number, number]> {
  const servers = [createServer(), createServer(), createServer()]
  const ports = await Promise.all(
    servers.map(
      async server =>
        await new Promise<number>(resolve =>
          server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
        ),
    ),
  )
  for (const server of servers) server.close()
  const [first = 0, second = 0, third = 0] = ports
  return [first, second, third]
}
