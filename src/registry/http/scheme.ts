import {CrossplaneError} from '../../errors.js'
import type {Http} from './http.js'
import {isLoopback} from './loopback.js'

export type Scheme = 'https' | 'http'

/**
 * The scheme that a registry (`host[:port]`) is spoken to in: HTTPS, unless a person asks for plain HTTP. Only on
 * loopback is the registry itself asked, before anything is sent that needs protection: one that does not speak TLS at
 * all is spoken to in plain HTTP, as docker does (docs/decisions/0007). Throws what `http` does; a certificate that is
 * not believed is no reason to go without.
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
 * The same HTTP, which goes nowhere but to loopback unencrypted: a registry at home that is spoken to in plain HTTP may
 * name a place elsewhere for tokens or blobs, and the first would be handed a password. Rejects with `registry-failed`.
 */
export function encryptedAbroad(http: Http): Http {
  return {
    send: async request => {
      const {protocol, hostname, host} = request.url
      if (protocol === 'https:' || isLoopback(hostname)) return await http.send(request)
      throw new CrossplaneError(
        'registry-failed',
        `We are sent on to ${host} in plain HTTP, which only this machine is spoken to in.`,
        {
          suggestions: [
            'If that is meant to be, pass --plain-http: nothing is encrypted then, passwords included.',
          ],
        },
      )
    },
  }
}

/** Whether a request failed because its peer answered a TLS hello with something else; see the port `Http`. */
function speaksNoTls(error: unknown): boolean {
  if (!(error instanceof CrossplaneError) || error.code !== 'tls-refused') return false
  return (error.cause as {readonly code?: unknown} | undefined)?.code === 'NO_TLS'
}
