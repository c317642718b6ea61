import type {Http, HttpHeaders} from '../http/http.js'

/** A connection to an API server: one context of a kubeconfig. */
export interface Connection {
  /** The name of the context; empty within a cluster. */
  readonly context: string
  /** The name of the user in the kubeconfig; absent within a cluster. */
  readonly user?: string
  /** The root of the API; its path may be that of a proxy in front of the server. */
  readonly server: URL
  /** The namespace of the context; `default` if it has none. */
  readonly namespace: string
  /** Trusts only the CA certificates of the kubeconfig, and has its client certificate, proxy and server name. */
  readonly http: Http
  /** Returns the headers that authenticate a request. With `renew`, credentials are read again: after a 401. */
  headers(renew: boolean): Promise<HttpHeaders>
}
