/**
 * Port: one HTTP exchange. No redirect is followed, no request is repeated, and only headers that HTTP requires are
 * added. Rejects with `registry-unreachable` if there was no response (can be retried), `tls-refused` if the TLS
 * certificate is not trusted (cannot), `timeout` if there was no data for too long, `access-denied` if the peer
 * requires a client certificate or the proxy authentication, `registry-failed` if the response is not HTTP. The body
 * throws the same. For an API server, the codes are `cluster-unreachable` and `cluster-failed`. For a peer without
 * TLS, the cause has the `code` `NO_TLS`.
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
   * Milliseconds without any data, once the request is sent, after which it fails: for a response that can be idle
   * for long, such as a watch. The client has a default.
   */
  readonly idleMs?: number
  /** Ends the request, or the body of its response: both reject with the reason of the signal. */
  readonly signal?: AbortSignal
}

/** A request. A list of values is sent as one header for each. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[]>>

/** The body of a request. `size` is in bytes; opened again for each attempt. */
export interface HttpBody {
  readonly size: number
  open(): AsyncIterable<Uint8Array>
}

/**
 * `headers` have names in lowercase; repeated headers are joined with `, `. Read the body to its end, or end its
 * iteration early, which closes the connection. A body that is never read keeps the connection, and with it the
 * process, for as long as the server likes.
 */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array>
}
