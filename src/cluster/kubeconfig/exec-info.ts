import type {ClusterEntry, ExecPlugin} from './kubeconfig.js'
import type {ServerTransport} from './server-transport.js'

/** A cluster with the settings that were read for it. */
export interface ExecCluster {
  readonly entry: ClusterEntry
  readonly transport: ServerTransport
}

/**
 * Writes the document that an exec plugin is passed in KUBERNETES_EXEC_INFO:
 * https://kubernetes.io/docs/reference/config-api/client-authentication.v1/. `interactive` states that it can use
 * standard input.
 */
export function execInfo(
  {apiVersion, provideClusterInfo}: ExecPlugin,
  cluster: ExecCluster,
  interactive: boolean,
): string {
  const spec = provideClusterInfo ? {cluster: clusterInfo(cluster), interactive} : {interactive}
  return JSON.stringify({kind: 'ExecCredential', apiVersion, spec})
}

function clusterInfo({entry, transport: {ca, proxy}}: ExecCluster): object {
  return {
    server: entry.server,
    ...(entry.tlsServerName === '' ? {} : {'tls-server-name': entry.tlsServerName}),
    ...(entry.insecureSkipTlsVerify ? {'insecure-skip-tls-verify': true} : {}),
    ...(ca === undefined ? {} : {'certificate-authority-data': Buffer.from(ca, 'latin1').toString('base64')}),
    ...(proxy === undefined ? {} : {'proxy-url': entry.proxyUrl}),
    ...(entry.disableCompression ? {'disable-compression': true} : {}),
    config: entry.execConfig,
  }
}
