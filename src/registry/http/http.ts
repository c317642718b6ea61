/**
 * Port: one HTTP exchange. No redirect is followed, nothing is tried again, no header is added but what HTTP itself
 * needs. Rejects with `registry-unreachable` when there was no answer (worth another try), `tls-refused` when the peer
 * could not prove who it is (not worth one), `timeout` when nothing came for too long, `access-denied` when the peer
 * wants a client certificate or the proxy a name, `registry-failed` when the answer is no HTTP. The body throws the
 * same. A peer that does not speak TLS at all is refused with a cause whose `code` is `NO_TLS`.
 */
export interface Http {
  send(request: HttpRequest): Promise<HttpResponse>
}

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: HttpBody
}

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
