import {CrossplaneError} from '../errors.js'
import type {Http} from '../http/http.js'
import {isLoopback} from '../http/loopback.js'

export type Scheme = 'https' | 'http'

/**
 * Decides on the scheme for a registry (`host[:port]`): HTTPS, unless the user chose plain HTTP. A registry on loopback
 * is tried before credentials are sent: if it does not support TLS, plain HTTP is used, as docker does
 * (docs/decisions/0007). Throws what `http` does: an untrusted certificate is an error on loopback, too.
 */
export async function settleScheme(http: Http, registry: string, plainHttp: boolean): Promise<Scheme> {
  if (plainHttp) return 'http'
  const url = new URL(`https://${registry}/v2/`)
  if (!isLoopback(url.hostname)) return 'https'
  try {
    const {body} = await http.send({method: 'HEAD', url, headers: {}})
    for await (const chunk of body) if (chunk.length > 0) break
    return 'https'
  } catch (error) {
    if (speaksNoTls(error)) return 'http'
    throw error
  }
}

/**
 * Restricts plain HTTP to loopback: a local registry that is used over plain HTTP can name another host for tokens or
 * blobs, and the token server would be sent a password. Rejects with `registry-failed`.
 */
export function encryptedAbroad(http: Http): Http {
  return {
    send: async request => {
      const {protocol, hostname, host} = request.url
      if (protocol === 'https:' || isLoopback(hostname)) return await http.send(request)
      throw new CrossplaneError(
        'registry-failed',
        `the registry redirects to ${host} over plain HTTP, which is allowed only for loopback addresses`,
        {
          suggestions: ['Pass --plain-http to allow it; then passwords are sent unencrypted.'],
        },
      )
    },
  }
}

/** Reports whether a request failed because its peer does not support TLS; see the port `Http`. */
function speaksNoTls(error: unknown): boolean {
  if (!(error instanceof CrossplaneError) || error.code !== 'tls-refused') return false
  return (error.cause as {readonly code?: unknown} | undefined)?.code === 'NO_TLS'
}
