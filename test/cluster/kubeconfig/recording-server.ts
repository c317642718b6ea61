import type {IncomingMessage, ServerResponse} from 'node:http'
import type {TLSSocket} from 'node:tls'

/** What an API server sees of a connection and of who sends a request. */
export interface Recorded {
  readonly method: string
  readonly path: string
  readonly authorization: readonly string[]
  /** By name, each value sent on its own. */
  readonly impersonation: Readonly<Record<string, readonly string[]>>
  /** The common name of the client certificate. */
  readonly client?: string
  /** The name that the client expects (SNI). */
  readonly serverName?: string
}

/** Answers every request with a version of Kubernetes, and records it. */
export function recorder(recorded: Recorded[]): (incoming: IncomingMessage, answer: ServerResponse) => void {
  return (incoming, answer) => {
    recorded.push(recordOf(incoming))
    answer.setHeader('content-type', 'application/json')
    answer.end(JSON.stringify({major: '1', minor: '32', gitVersion: 'v1.32.4'}))
  }
}

function recordOf({method = '', url = '', headersDistinct, socket}: IncomingMessage): Recorded {
  const {getPeerCertificate, servername} = socket as Partial<TLSSocket> & {servername?: string | false}
  const client = getPeerCertificate?.call(socket) as {subject?: {CN?: string}} | undefined
  const impersonation = Object.entries(headersDistinct).filter(([name]) => name.startsWith('impersonate-'))
  return {
    method,
    path: url.replace(/[?].*/, ''),
    authorization: headersDistinct['authorization'] ?? [],
    impersonation: Object.fromEntries(impersonation.map(([name, values]) => [name, values ?? []])),
    ...(client?.subject?.CN === undefined ? {} : {client: client.subject.CN}),
    ...(typeof servername === 'string' && servername !== '' ? {serverName: servername} : {}),
  }
}
