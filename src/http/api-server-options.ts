/**
 * The options for requests to one API server, which match those of kubectl. All settings come from the kubeconfig and
 * the environment.
 */
export interface ApiServerOptions {
  /** The only trusted CA certificates, as PEM text; without them, those of Node and the system are trusted. */
  readonly authorities?: string | undefined
  /** A certificate, with those that lead to its CA, and its key: both PEM text. */
  readonly clientCertificate?: {readonly cert: string; readonly key: string} | undefined
  /** The name to verify the server certificate for and to send as SNI, instead of the host. */
  readonly serverName?: string | undefined
  /** Skips TLS certificate verification. */
  readonly insecure?: boolean
  /** Returns the proxy, by HTTP or HTTPS, for a URL, if any. */
  readonly proxyFor?: ((url: URL) => URL | undefined) | undefined
  /** Milliseconds without progress until a connection is made and the request is sent; 30 s by default. */
  readonly connectMs?: number
  /** Milliseconds without any data after that; 70 s by default, because an API server ends its own requests after 60 s. */
  readonly idleMs?: number
}
