import type {ErrorCode} from '../../errors.js'

/** A failure with a suggestion. */
export type SuggestedFailure =
  | 'unreachable'
  | 'silent' // no data for too long
  | 'unknown-authority'
  | 'bad-certificate' // an untrusted server certificate
  | 'other-host' // the certificate is for other names
  | 'clock'
  | 'client-certificate' // missing or rejected
  | 'no-tls'
  | 'proxy-password'
  | 'proxy-policy' // the proxy rejects the connection

/** The codes and suggestions of failures for one kind of server; the messages are the same for all. */
export interface FailureTerms {
  readonly unreachable: ErrorCode
  readonly failed: ErrorCode
  /** In a suggestion, `{host}` is replaced by the host of the request. */
  readonly suggestions: Readonly<Partial<Record<SuggestedFailure, string>>>
}

const clock = 'Check the system clock.'

/** Options for registries are flags and variables. */
export const REGISTRY: FailureTerms = {
  unreachable: 'registry-unreachable',
  failed: 'registry-failed',
  suggestions: {
    unreachable: 'Check the name of the registry, the network connection and HTTPS_PROXY.',
    silent: 'Check the network connection and HTTPS_PROXY, and run the command again.',
    'unknown-authority': 'Pass --ca-file FILE with the certificate of the CA that signed it.',
    'bad-certificate': 'Ask the administrator of the registry for a valid certificate.',
    'other-host': 'Use a host name of the certificate, listed above.',
    clock,
    'client-certificate': 'Pass --client-cert FILE and --client-key FILE.',
    'no-tls': 'Pass --plain-http if the registry uses plain HTTP; then passwords are sent unencrypted.',
    'proxy-password': 'Set HTTPS_PROXY to http://NAME:PASSWORD@HOST:PORT, with special characters as %XX.',
    'proxy-policy': 'Add {host} to NO_PROXY if it can be reached without a proxy.',
  },
}

/** Options for API servers are fields of a kubeconfig. */
export const API_SERVER: FailureTerms = {
  unreachable: 'cluster-unreachable',
  failed: 'cluster-failed',
  suggestions: {
    unreachable: 'Check the address of the API server: kubectl config view --minify',
    silent: 'Check the network connection and proxy-url in the kubeconfig, and run the command again.',
    'unknown-authority':
      'Set certificate-authority-data in the kubeconfig to the certificate of the CA that signed it.',
    'bad-certificate': 'Ask the administrator of the cluster for a valid certificate.',
    'other-host': 'Set tls-server-name in the kubeconfig to a name of the certificate, listed above.',
    clock,
    'client-certificate': 'Check client-certificate-data and client-key-data in the kubeconfig.',
    'no-tls': 'Check the port of server in the kubeconfig: kubectl config view --minify',
    'proxy-password':
      'Set proxy-url in the kubeconfig, or HTTPS_PROXY, to http://NAME:PASSWORD@HOST:PORT, with special characters as %XX.',
    'proxy-policy': 'Check proxy-url in the kubeconfig, or add {host} to NO_PROXY.',
  },
}
