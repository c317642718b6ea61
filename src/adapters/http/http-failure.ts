import {isNativeError} from 'node:util/types'
import {CrossplaneError} from '../../errors.js'

/** Who was asked, and through whom. */
export interface Peer {
  readonly url: URL
  readonly proxy?: URL
}

/**
 * What a failed exchange means to a person, as the port `Http` has it. A URL is named by its host alone: paths and
 * queries may be signed, and proxies hold passwords.
 */
export function httpFailure(peer: Peer, error: unknown): CrossplaneError {
  if (error instanceof CrossplaneError) return error
  const cause = firstOf(error)
  return (
    proxyRefusal(peer, cause) ?? tlsRefusal(peer, cause) ?? badAnswer(peer, cause) ?? unreachable(peer, cause)
  )
}

/** Nothing came for too long. */
export function timedOut(peer: Peer, milliseconds: number): CrossplaneError {
  const seconds = milliseconds / 1000
  const message = `${named(peer)} did not answer: nothing came for ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return new CrossplaneError('timeout', message, {
    suggestions: ['Run the same again; if that does not help, look at the network and at HTTPS_PROXY.'],
  })
}

/** A proxy that will not lead on; `status` is its answer. */
export function refusedByProxy({url, proxy}: Peer, status: number): CrossplaneError {
  const name = proxy?.host ?? 'on the way'
  if (status === 407) {
    const message = `the proxy ${name} does not lead to ${url.host} without a name and password that it accepts`
    return new CrossplaneError('access-denied', message, {
      suggestions: ['Set HTTPS_PROXY to http://NAME:PASSWORD@HOST:PORT, with odd characters as %XX.'],
    })
  }
  const code = status >= 500 ? 'registry-unreachable' : 'access-denied'
  return new CrossplaneError(code, `the proxy ${name} does not lead to ${url.host}: it answered ${status}`, {
    suggestions: [`If ${url.host} needs no proxy, name it in NO_PROXY.`],
  })
}

/** Where a name has several addresses, Node fails with all of their errors at once. By shape: see `systemCode`. */
function firstOf(error: unknown): NodeJS.ErrnoException {
  const {errors} = error as {readonly errors?: readonly unknown[]}
  const one = errors?.[0] ?? error
  return isNativeError(one) ? one : new Error(String(one))
}

function proxyRefusal(peer: Peer, {message}: Error): CrossplaneError | undefined {
  const status = peer.proxy === undefined ? undefined : /^Bad response: (\d+)$/.exec(message)?.[1]
  return status === undefined ? undefined : refusedByProxy(peer, Number(status))
}

function tlsRefusal(peer: Peer, cause: NodeJS.ErrnoException): CrossplaneError | undefined {
  const {code = '', message} = cause
  const why = CERTIFICATE_PROBLEMS.get(code)
  if (why !== undefined) {
    const [problem, suggestion] = why
    const said = `${named(peer)} could not prove who it is: ${problem}`
    return new CrossplaneError('tls-refused', said, {cause, suggestions: [suggestion]})
  }
  if (code !== 'EPROTO' && !code.startsWith('ERR_SSL_')) return undefined
  if (/wrong.version.number|packet.length.too.long|http.request/i.test(message))
    return withoutTls(peer, cause)
  if (/alert.(?:certificate|bad.certificate|unknown.ca|unsupported.certificate)/i.test(message)) {
    return new CrossplaneError('access-denied', `${named(peer)} wants a client certificate that it trusts`, {
      cause,
      suggestions: ['Give one with --client-cert FILE and --client-key FILE.'],
    })
  }
  return new CrossplaneError('tls-refused', `${named(peer)} and this program found no way to speak TLS`, {
    cause,
  })
}

function withoutTls(peer: Peer, original: Error): CrossplaneError {
  const cause = Object.assign(
    new Error('the TLS hello was answered with something else', {cause: original}),
    {
      code: 'NO_TLS',
    },
  )
  return new CrossplaneError('tls-refused', `${named(peer)} does not speak TLS but, it seems, plain HTTP`, {
    cause,
    suggestions: [
      'If that is meant to be, pass --plain-http: nothing is encrypted then, passwords included.',
    ],
  })
}

const CA_FILE = 'If you know its authority, give that certificate with --ca-file FILE or in SSL_CERT_FILE.'
const ASK = 'Ask who runs it for a certificate that is valid now.'

/** https://nodejs.org/docs/latest-v20.x/api/tls.html#x509-certificate-error-codes: what each means, and what next. */
const CERTIFICATE_PROBLEMS: ReadonlyMap<string, readonly [problem: string, suggestion: string]> = new Map([
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', ['no authority that is trusted here signed its certificate', CA_FILE]],
  ['UNABLE_TO_GET_ISSUER_CERT', ['no authority that is trusted here signed its certificate', CA_FILE]],
  [
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    ['no authority that is trusted here signed its certificate', CA_FILE],
  ],
  ['SELF_SIGNED_CERT_IN_CHAIN', ['no authority that is trusted here signed its certificate', CA_FILE]],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', ['it signed its certificate itself', CA_FILE]],
  ['CERT_UNTRUSTED', ['its certificate is not trusted here', CA_FILE]],
  ['CERT_REJECTED', ['its certificate is not trusted here', CA_FILE]],
  ['INVALID_CA', ['what signed its certificate is no authority', ASK]],
  ['CERT_SIGNATURE_FAILURE', ['the signature of its certificate is wrong', ASK]],
  ['CERT_HAS_EXPIRED', ['its certificate has expired', ASK]],
  [
    'CERT_NOT_YET_VALID',
    ['its certificate is not valid yet', 'Look whether the clock of this machine is right.'],
  ],
  ['CERT_REVOKED', ['its certificate was revoked', ASK]],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    ['its certificate is for other names', 'Use a name that the certificate is for, listed above.'],
  ],
])

/** Node's parser refuses what is no HTTP, and more headers than it was told to take. */
function badAnswer(peer: Peer, cause: NodeJS.ErrnoException): CrossplaneError | undefined {
  if (cause.code?.startsWith('HPE_') !== true) return undefined
  const what =
    cause.code === 'HPE_HEADER_OVERFLOW' ? 'with far too many headers' : 'with something that is not HTTP'
  return new CrossplaneError('registry-failed', `${named(peer)} answered ${what}`, {cause})
}

function unreachable(peer: Peer, cause: NodeJS.ErrnoException): CrossplaneError {
  const reason = REASONS.get(cause.code ?? '') ?? 'the connection failed'
  return new CrossplaneError('registry-unreachable', `${named(peer)} could not be reached: ${reason}`, {
    cause,
  })
}

function named({url, proxy}: Peer): string {
  return proxy === undefined ? url.host : `${url.host} (through the proxy ${proxy.host})`
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EAI_AGAIN', 'its name could not be looked up, because no name server answered'],
  ['EAI_NODATA', 'its name has no address'],
  ['ECONNABORTED', 'the connection broke'],
  ['ECONNREFUSED', 'nothing listens there'],
  ['ECONNRESET', 'the connection broke'],
  ['EHOSTUNREACH', 'no way leads to its address'],
  ['ENETUNREACH', 'no way leads to its network'],
  ['ENOTFOUND', 'there is no host of that name'],
  ['EPIPE', 'the connection broke'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'the connection broke'],
  ['ETIMEDOUT', 'its address does not answer'],
])
