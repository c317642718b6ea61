import type {HttpOptions} from '../../http/http-options.js'
import type {Http} from '../../http/http.js'
import {REGISTRY} from './failure-terms.js'
import {httpClient} from './http-client.js'
import {registryTls} from './registry-tls.js'
import {routes} from './routes.js'

const TIMEOUT_MS = 30_000

/** Creates an HTTP/1.1 client for registries, based on that of Node.js; connections are kept alive. */
export function nodeHttp(options: HttpOptions = {}): Http {
  const {timeoutMs = TIMEOUT_MS, proxyFor} = options
  return httpClient({
    routes: routes(registryTls(options), proxyFor),
    terms: REGISTRY,
    connectMs: timeoutMs,
    idleMs: timeoutMs,
  })
}
