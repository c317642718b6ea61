import type {Connection} from '../../cluster/connection.js'
import {
  type OpenHttp,
  PROXY_SCHEMES,
  type ServerTransport,
} from '../../cluster/kubeconfig/server-transport.js'
import type {Patience} from '../../http/patience.js'
import {proxyFor} from '../../http/proxy.js'
import type {clusterFlags} from './cluster-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import {kubeconfigPaths} from './kubeconfig-paths.js'
import {proxySettings} from '../shell/proxy-settings.js'
import {apiServerHttp, clock, connectionFiles, execPlugins, oidcClient} from '../wire.js'

/** The values of `clusterFlags`. */
export type ClusterFlags = FlagValues<typeof clusterFlags>

type Environment = Readonly<Record<string, string | undefined>>

/** Opens the connection that the flags and the environment select; throws as `connect` does. */
export async function clusterConnection(
  flags: ClusterFlags,
  env: Environment = process.env,
  patience?: Patience,
): Promise<Connection> {
  const [{connect}, files, plugins, time] = await Promise.all([
    import('../../cluster/kubeconfig/connect.js'),
    connectionFiles(),
    execPlugins(patience?.timeoutMs),
    clock(),
  ])
  const query = {
    explicit: flags.kubeconfig ?? '',
    listed: kubeconfigPaths(env),
    context: flags.context ?? '',
    as: flags.as ?? '',
    asGroups: flags['as-group'] ?? [],
    asUid: flags['as-uid'] ?? '',
    env,
  }
  return await connect(query, {
    files,
    plugins,
    oidc: oidcClient,
    clock: time,
    openHttp: opener(env, patience),
  })
}

function opener(env: Environment, patience: Patience | undefined): OpenHttp {
  const {timeoutMs} = patience ?? {}
  return async (transport, shown) =>
    await apiServerHttp({
      authorities: transport.ca,
      clientCertificate: shown,
      serverName: transport.tlsServerName,
      insecure: transport.insecure,
      proxyFor: proxyOf(transport, env),
      ...(timeoutMs === undefined ? {} : {connectMs: timeoutMs, idleMs: timeoutMs}),
    })
}

/** The proxy of a kubeconfig is used for any host, also those of NO_PROXY. */
function proxyOf({proxy}: ServerTransport, env: Environment): ((url: URL) => URL | undefined) | undefined {
  const settings = proxySettings(env)
  if (proxy !== undefined) return () => proxy
  return settings && (url => proxyFor(url, settings, PROXY_SCHEMES))
}
