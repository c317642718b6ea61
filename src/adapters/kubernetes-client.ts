import type {Agent, RequestOptions} from 'node:http'
import type {ConnectionOptions} from 'node:tls'
import type {OidcClient} from '../cluster/kubeconfig/ports.js'
import {type Cluster, KubeConfig, type User} from '@kubernetes/client-node'

// The only file that loads @kubernetes/client-node, which takes most of a second: it is imported when a connection needs
// it. The client is imported by name, so that a bundle contains only what is used of it.

/** Creates an agent that reaches a server through a SOCKS 5 proxy, which looks up the host as it does for kubectl. */
export async function socksAgent(server: URL, proxy: URL, tls: ConnectionOptions): Promise<Agent> {
  const proxyUrl = proxy.href.replace(/^socks5:/, 'socks5h:')
  const cluster = {name: '', server: server.origin, skipTLSVerify: false, proxyUrl}
  const {agent} = await requestOptions(cluster, {name: ''})
  return Object.assign(agent as Agent & {options: object}, {
    options: {...tls, keepAlive: true},
    keepAlive: true,
  })
}

/** Renews tokens at their issuer. */
export const oidcClient: OidcClient = {
  async renew(config) {
    // The client passes the issuer on as it is, to a function that requires a URL.
    const renewed = {...config, 'idp-issuer-url': new URL(config['idp-issuer-url'] ?? '')} as Record<
      string,
      unknown
    >
    const cluster = {name: '', server: 'https://localhost', skipTLSVerify: false}
    await requestOptions(cluster, {name: '', authProvider: {name: 'oidc', config: renewed}})
    const {'id-token': idToken, 'refresh-token': refreshToken} = renewed
    return {
      idToken: typeof idToken === 'string' ? idToken : '',
      refreshToken: typeof refreshToken === 'string' ? refreshToken : (config['refresh-token'] ?? ''),
    }
  },
}

async function requestOptions(cluster: Cluster, user: User): Promise<RequestOptions> {
  const config = new KubeConfig()
  config.loadFromClusterAndUser(cluster, user)
  const options: RequestOptions = {}
  await config.applyToHTTPSOptions(options)
  return options
}
