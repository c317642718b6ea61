/** The options for requests to registries. All settings come from the user, none from a registry. */
export interface HttpOptions {
  /** Milliseconds without any data after which a request fails; 30 s by default. */
  readonly timeoutMs?: number
  /** Additional trusted CA certificates. */
  readonly authorities?: readonly AuthorityFile[]
  readonly clientCertificate?: ClientCertificate
  /** Folders with a folder `HOST[:PORT]` of certificates for each host, in the order in which they are searched. */
  readonly certificateFolders?: readonly string[]
  /** Skips TLS certificate verification. */
  readonly insecure?: boolean
  /** Returns the proxy for a URL, if any. Throws `usage` for an invalid proxy URL. */
  readonly proxyFor?: (url: URL) => URL | undefined
}

/** A PEM file with CA certificates; `source` is the flag or variable that named it. */
export interface AuthorityFile {
  readonly path: string
  readonly source: string
  /** Skipped if it cannot be read: Node has reported that already. */
  readonly optional?: boolean
}

/**
 * PEM files, and the registries, as `host[:port]`, that the certificate is sent to; it is not sent after redirects,
 * nor to token servers.
 */
export interface ClientCertificate {
  readonly certFile: string
  readonly keyFile: string
  readonly hosts: readonly string[]
}
