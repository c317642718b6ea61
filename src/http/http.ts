/**
 * Port: one HTTP exchange. No redirect is followed, no request is repeated, and no header is added but those that HTTP
 * itself requires. Rejects with `registry-unreachable` when there was no answer (can be retried), `tls-refused` when the
 * TLS certificate is not trusted (cannot), `timeout` when there was no data for too long, `access-denied` when the peer
 * requires a client certificate or the proxy authentication, `registry-failed` when the answer is not HTTP. The body
 * throws the same. For an API server, the codes are `cluster-unreachable` and `cluster-failed`. For a peer without TLS,
 * the cause has the `code` `NO_TLS`.
 */
export interface Http {
  send(request: HttpRequest): Promise<HttpResponse>
}

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: URL
  readonly headers: HttpHeaders
  readonly body?: HttpBody
  /**
   * Milliseconds without any data, once the request is sent, after which it fails: for a response that is quiet for long,
   * such as a watch. The client has a default.
   */
  readonly idleMs?: number
  /** Ends the request, or the body of its response: both reject with the reason of the signal. */
  readonly signal?: AbortSignal
}

/** What is sent. A list of values is sent as one header for each. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[]>>

/** What is sent. `size` is in bytes; opened anew at each attempt. */
export interface HttpBody {
  readonly size: number
  open(): AsyncIterable<Uint8Array>
}

/**
 * `headers` have names in lower case; values given several times are joined with `, `. The body is read to its end, or
 * left by ending its iteration early, which closes the connection. One that is not even begun holds the connection, and
 * with it the process, for as long as the server likes.
 */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array>
}
