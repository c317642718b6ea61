import type {ClusterEntry, Origin, UserEntry} from './kubeconfig.js'
import type {ConnectionFiles} from './ports.js'
import type {SelectedContext} from './select-context.js'

/** The variables with the address of the API server in a Pod. */
export interface PodEnvironment {
  readonly KUBERNETES_SERVICE_HOST?: string | undefined
  readonly KUBERNETES_SERVICE_PORT?: string | undefined
  readonly POD_NAMESPACE?: string | undefined
}

/** The folder with the service account files of a Pod. */
const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount'
const TOKEN = `${FOLDER}/token`
const CA = `${FOLDER}/ca.crt`

/** The context of the service account of a Pod; undefined outside of a cluster. */
export async function inClusterContext(
  env: PodEnvironment,
  files: ConnectionFiles,
): Promise<SelectedContext | undefined> {
  const {KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = ''} = env
  if (host === '' || port === '' || (await files.read(TOKEN)) === undefined) return undefined
  const hasAuthority = (await files.read(CA)) !== undefined
  return {
    name: '',
    namespace: await podNamespace(env, files),
    cluster: {name: 'in-cluster', entry: clusterAt(host, port, hasAuthority ? CA : '')},
    user: {name: 'service account', entry: SERVICE_ACCOUNT},
  }
}

/** The namespace of a Pod: of its environment, else of its service account. */
async function podNamespace({POD_NAMESPACE = ''}: PodEnvironment, files: ConnectionFiles): Promise<string> {
  if (POD_NAMESPACE !== '') return POD_NAMESPACE
  return Buffer.from((await files.read(`${FOLDER}/namespace`)) ?? [])
    .toString()
    .trim()
}

const ORIGIN: Origin = {file: FOLDER}

function clusterAt(host: string, port: string, certificateAuthority: string): ClusterEntry {
  return {
    origin: ORIGIN,
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    tlsServerName: '',
    insecureSkipTlsVerify: false,
    certificateAuthority,
    certificateAuthorityData: '',
    proxyUrl: '',
    disableCompression: false,
    execConfig: null,
  }
}

const SERVICE_ACCOUNT: UserEntry = {
  origin: ORIGIN,
  clientCertificate: '',
  clientCertificateData: '',
  clientKey: '',
  clientKeyData: '',
  token: '',
  tokenFile: TOKEN,
  username: '',
  password: '',
  impersonate: {user: '', uid: '', groups: [], extra: []},
}
