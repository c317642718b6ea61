import type {ApiServerOptions} from '../../http/api-server-options.js'
import type {Http} from '../../http/http.js'
import {apiServerTls} from './api-server-tls.js'
import {API_SERVER} from './failure-terms.js'
import {httpClient} from './http-client.js'
import {routes} from './routes.js'

const CONNECT_MS = 30_000
const IDLE_MS = 70_000

/** Creates an HTTP/1.1 client for one API server, based on that of Node.js; connections are kept alive. */
export function apiServerHttp(options: ApiServerOptions): Http {
  const {connectMs = CONNECT_MS, idleMs = IDLE_MS, proxyFor} = options
  return httpClient({routes: routes(apiServerTls(options), proxyFor), terms: API_SERVER, connectMs, idleMs})
}
