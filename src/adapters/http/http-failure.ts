import {isNativeError} from 'node:util/types'
import {CrossplaneError} from '../../errors.js'
import {listNames} from '../../text.js'
import type {SuggestedFailure, FailureTerms} from './failure-terms.js'

/** The host and proxy of a request, and the terms for its failures. */
export interface Peer {
  readonly url: URL
  readonly proxy?: URL
  readonly terms: FailureTerms
}

/**
 * Turns a failed exchange into an error of the port `Http`. Messages name only the host of a URL: paths and queries may
 * be signed, and a proxy's URL may have a password.
 */
export function httpFailure(peer: Peer, error: unknown): CrossplaneError {
  if (error instanceof CrossplaneError) return error
  const cause = firstOf(error)
  return (
    proxyFailure(peer, cause) ?? tlsFailure(peer, cause) ?? badAnswer(peer, cause) ?? unreachable(peer, cause)
  )
}

/** Turns a failure while a response is read into an error: the server was reached, so its name is right. */
export function brokenResponse(peer: Peer, error: unknown): CrossplaneError {
  if (error instanceof CrossplaneError) return error
  const cause = firstOf(error)
  const reason = cause.message === 'aborted' ? 'connection closed before its end' : reasonFor(cause)
  const message = `cannot read the response of ${named(peer)}: ${reason}`
  return new CrossplaneError(peer.terms.unreachable, message, {cause, ...advice(peer, 'silent')})
}

/** Creates the error for a peer that sent nothing for too long. */
export function timedOut(peer: Peer, milliseconds: number): CrossplaneError {
  const message = `no data from ${named(peer)} for ${milliseconds / 1000}s`
  return new CrossplaneError('timeout', message, advice(peer, 'silent'))
}

/** Creates the error for a proxy that answered with `status` instead of connecting. */
export function proxyError(peer: Peer, status: number): CrossplaneError {
  const {url, proxy, terms} = peer
  const name = proxy?.host ?? ''
  if (status === 407) {
    const message = `cannot connect to ${url.host}: the proxy ${name} requires authentication`
    return new CrossplaneError('access-denied', message, advice(peer, 'proxy-password'))
  }
  const code = status >= 500 ? terms.unreachable : 'access-denied'
  const message = `cannot connect to ${url.host}: the proxy ${name} answered with status ${status}`
  return new CrossplaneError(code, message, advice(peer, 'proxy-policy'))
}

/** The details of an error with the suggestion for it, if there is one. */
function advice({terms, url}: Peer, failure: SuggestedFailure): {suggestions: readonly string[]} {
  const suggestion = terms.suggestions[failure]?.replace('{host}', url.host)
  return {suggestions: suggestion === undefined ? [] : [suggestion]}
}

/** For a name with several addresses, Node reports the errors of all. By shape: see `systemCode`. */
function firstOf(error: unknown): NodeJS.ErrnoException {
  const {errors} = error as {readonly errors?: readonly unknown[]}
  const one = errors?.[0] ?? error
  return isNativeError(one) ? one : new Error(String(one))
}

function proxyFailure(peer: Peer, {message}: Error): CrossplaneError | undefined {
  const status = peer.proxy === undefined ? undefined : /^Bad response: (\d+)$/.exec(message)?.[1]
  return status === undefined ? undefined : proxyError(peer, Number(status))
}

function tlsFailure(peer: Peer, cause: NodeJS.ErrnoException): CrossplaneError | undefined {
  const {code = '', message} = cause
  const why = CERTIFICATE_ERRORS.get(code)
  if (why !== undefined) {
    const [reason, failure] = why
    const text = `TLS certificate of ${named(peer)} is not trusted: ${reason}${certifiedNames(cause)}`
    return new CrossplaneError('tls-refused', text, {cause, ...advice(peer, failure)})
  }
  if (code !== 'EPROTO' && !code.startsWith('ERR_SSL_')) return undefined
  if (/wrong.version.number|packet.length.too.long|http.request/i.test(message))
    return withoutTls(peer, cause)
  if (/alert.(?:certificate|bad.certificate|unknown.ca|unsupported.certificate)/i.test(message)) {
    return new CrossplaneError('access-denied', `${named(peer)} requires a trusted client certificate`, {
      cause,
      ...advice(peer, 'client-certificate'),
    })
  }
  return new CrossplaneError('tls-refused', `cannot establish a TLS connection to ${named(peer)}`, {
    cause,
  })
}

/** The names of a certificate for other hosts. For an IP address, the message of Node lists none but addresses. */
function certifiedNames(cause: Error): string {
  const {cert} = cause as {readonly cert?: {readonly subjectaltname?: unknown}}
  const text = typeof cert?.subjectaltname === 'string' ? cert.subjectaltname : ''
  const names = text.split(', ').flatMap(part => /^(?:DNS|IP Address):(.+)$/.exec(part)?.[1] ?? [])
  return names.length === 0 ? '' : `: ${listNames(names)}`
}

function withoutTls(peer: Peer, original: Error): CrossplaneError {
  const cause = Object.assign(new Error('the answer to the TLS handshake is not TLS', {cause: original}), {
    code: 'NO_TLS',
  })
  return new CrossplaneError('tls-refused', `${named(peer)} does not support TLS`, {
    cause,
    ...advice(peer, 'no-tls'),
  })
}

/**
 * https://nodejs.org/docs/latest-v20.x/api/tls.html#x509-certificate-error-codes with a cause and a suggestion for
 * each.
 */
const CERTIFICATE_ERRORS: ReadonlyMap<string, readonly [reason: string, failure: SuggestedFailure]> = new Map(
  [
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', ['signed by an unknown authority', 'unknown-authority']],
    ['UNABLE_TO_GET_ISSUER_CERT', ['signed by an unknown authority', 'unknown-authority']],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', ['signed by an unknown authority', 'unknown-authority']],
    ['SELF_SIGNED_CERT_IN_CHAIN', ['signed by an unknown authority', 'unknown-authority']],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', ['self-signed', 'unknown-authority']],
    ['CERT_UNTRUSTED', ['rejected', 'unknown-authority']],
    ['CERT_REJECTED', ['rejected', 'unknown-authority']],
    ['INVALID_CA', ['the certificate that signed it is not a CA', 'bad-certificate']],
    ['CERT_SIGNATURE_FAILURE', ['its signature is invalid', 'bad-certificate']],
    ['CERT_HAS_EXPIRED', ['it has expired', 'bad-certificate']],
    ['CERT_NOT_YET_VALID', ['it is not valid yet', 'clock']],
    ['CERT_REVOKED', ['it was revoked', 'bad-certificate']],
    ['ERR_TLS_CERT_ALTNAME_INVALID', ['it is for another host', 'other-host']],
  ],
)

/** Node's parser rejects responses that are not HTTP, and too many headers. */
function badAnswer(peer: Peer, cause: NodeJS.ErrnoException): CrossplaneError | undefined {
  if (cause.code?.startsWith('HPE_') !== true) return undefined
  const what = cause.code === 'HPE_HEADER_OVERFLOW' ? 'too many headers' : 'not HTTP'
  return new CrossplaneError(peer.terms.failed, `cannot read the response of ${named(peer)}: ${what}`, {
    cause,
  })
}

function unreachable(peer: Peer, cause: NodeJS.ErrnoException): CrossplaneError {
  const reason = reasonFor(cause)
  return new CrossplaneError(peer.terms.unreachable, `cannot connect to ${named(peer)}: ${reason}`, {
    cause,
    ...advice(peer, 'unreachable'),
  })
}

function reasonFor({code = ''}: NodeJS.ErrnoException): string {
  return REASONS.get(code) ?? 'connection failed'
}

function named({url, proxy}: Peer): string {
  return proxy === undefined ? url.host : `${url.host} (through the proxy ${proxy.host})`
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EAI_AGAIN', 'temporary failure in name resolution'],
  ['EAI_NODATA', 'no address for this host'],
  ['ECONNABORTED', 'connection closed'],
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection reset by peer'],
  ['EHOSTUNREACH', 'no route to host'],
  ['ENETUNREACH', 'network is unreachable'],
  ['ENOTFOUND', 'no such host'],
  ['EMFILE', 'too many open files; raise the limit with ulimit -n'],
  ['EPIPE', 'connection closed'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'connection closed'],
  ['ETIMEDOUT', 'connection timed out'],
])
