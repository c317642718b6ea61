import type {JsonValue} from '../../yaml/json-value.js'

/**
 * One kubeconfig, or several merged: https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/. A text that is not
 * set is empty; paths of files are absolute.
 */
export interface Kubeconfig {
  readonly currentContext: string
  readonly contexts: ReadonlyMap<string, ContextEntry>
  readonly clusters: ReadonlyMap<string, ClusterEntry>
  readonly users: ReadonlyMap<string, UserEntry>
}

/** The origin of an entry, for messages. */
export interface Origin {
  readonly file: string
  readonly line?: number
}

export interface ContextEntry {
  readonly origin: Origin
  readonly cluster: string
  readonly user: string
  readonly namespace: string
}

export interface ClusterEntry {
  readonly origin: Origin
  readonly server: string
  readonly tlsServerName: string
  readonly insecureSkipTlsVerify: boolean
  /** A file of PEM certificates. */
  readonly certificateAuthority: string
  /** Bytes that should be PEM certificates. */
  readonly certificateAuthorityData: string
  readonly proxyUrl: string
  readonly disableCompression: boolean
  /** The data that exec plugins get with `provideClusterInfo`. */
  readonly execConfig: JsonValue
}

export interface UserEntry {
  readonly origin: Origin
  readonly clientCertificate: string
  readonly clientCertificateData: string
  readonly clientKey: string
  readonly clientKeyData: string
  readonly token: string
  readonly tokenFile: string
  readonly username: string
  readonly password: string
  readonly impersonate: Impersonation
  readonly authProvider?: AuthProvider
  readonly exec?: ExecPlugin
}

/** The user to impersonate, if the server permits it. */
export interface Impersonation {
  readonly user: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: readonly (readonly [key: string, values: readonly string[]])[]
}

/** A login that clients implement themselves, such as `oidc`. */
export interface AuthProvider {
  readonly name: string
  readonly config: Readonly<Record<string, string>>
}

/** A program that prints credentials. */
export interface ExecPlugin {
  /** A name on PATH, or an absolute path. */
  readonly command: string
  readonly args: readonly string[]
  readonly env: readonly {readonly name: string; readonly value: string}[]
  readonly apiVersion: string
  readonly installHint: string
  readonly provideClusterInfo: boolean
  /** `Never`, `IfAvailable` or `Always`; anything else is rejected when the user is selected. */
  readonly interactiveMode: string
}
