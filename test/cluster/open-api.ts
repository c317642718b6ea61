import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {apiServerHttp} from '../../src/adapters/http/api-server-http.js'
import type {OpenCluster} from '../../src/cli/cluster/cluster-ports.js'
import {systemClock} from '../../src/adapters/system-clock.js'
import type {ClusterApi} from '../../src/cluster/api/cluster-api.js'
import {openClusterApi} from '../../src/cluster/api/open-cluster-api.js'
import type {Connection} from '../../src/cluster/connection.js'
import type {Http} from '../../src/http/http.js'
import type {TestCluster} from './api-server.js'

/** The connection of the user with a token to a test cluster. */
function connectionTo({url, folder}: TestCluster, token: string): Connection {
  return {
    context: 'test',
    server: new URL(url),
    namespace: 'default',
    http: apiServerHttp({authorities: readFileSync(join(folder, 'apiserver.crt'), 'utf8')}),
    headers: () => Promise.resolve({authorization: `Bearer ${token}`}),
  }
}

/** The program's own client of a test cluster. */
export function openApi(cluster: TestCluster, user: keyof TestCluster['tokens'] = 'admin'): ClusterApi {
  return openApiWith(cluster, cluster.tokens[user])
}

/** The same with the token of a service account; `http` changes what the server answers. */
export function openApiWith(
  cluster: TestCluster,
  token: string,
  http: (http: Http) => Http = same => same,
): ClusterApi {
  const connection = connectionTo(cluster, token)
  const options = {clock: systemClock, userAgent: 'suite'}
  return openClusterApi({...connection, http: http(connection.http)}, options)
}

/** The same as commands open it, which change the cluster and report nothing. */
export function openClusterWith(cluster: TestCluster, token: string): OpenCluster {
  const ignore = () => undefined
  return {
    connection: connectionTo(cluster, token),
    api: openApiWith(cluster, token),
    interruption: new AbortController(),
    progress: {report: ignore, print: ignore, end: ignore, warn: ignore, pulled: ignore},
  }
}

/** The clock of the machine, for what runs with such a client. */
export const realClock = systemClock
