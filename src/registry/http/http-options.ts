/** How requests leave this machine. All of it comes from a person; nothing of it from a registry. */
export interface HttpOptions {
  /** Milliseconds in which nothing at all comes, until a request is given up; 30 s by default. */
  readonly timeoutMs?: number
  /** Authorities to trust besides those that Node and the system do. */
  readonly authorities?: readonly AuthorityFile[]
  readonly clientCertificate?: ClientCertificate
  /** Believes every certificate. */
  readonly insecure?: boolean
  /** The proxy that leads to a URL; undefined where none is wanted. Throws `usage` for one that is no URL. */
  readonly proxyFor?: (url: URL) => URL | undefined
}

/** A PEM file with certificates of authorities; `given` is the flag or variable that named it. */
export interface AuthorityFile {
  readonly path: string
  readonly given: string
  /** Passed over where it cannot be read: others have said so already. */
  readonly optional?: boolean
}

/**
 * PEM files, and whom the certificate is shown to: registries as `host[:port]`. Where a registry redirects to, or
 * where it has its tokens made, is somebody else's business.
 */
export interface ClientCertificate {
  readonly certFile: string
  readonly keyFile: string
  readonly hosts: readonly string[]
}
