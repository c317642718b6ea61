/** What a controller serves about itself. */
export interface Served {
  /** Returns why the controller is not ready; undefined if it is. */
  notReady(): string | undefined
  /** The metrics, and the type of their text. */
  metrics(): Promise<{readonly type: string; readonly text: string}>
}

/** A server of `/healthz`, `/readyz` and `/metrics`. */
export interface HealthServer {
  /** Such as `127.0.0.1:8080`. */
  readonly address: string
  close(): Promise<void>
}

/** Port: starts the server; rejects with the error of the system, such as for an address that is in use. */
export type ServeHealth = (
  address: {readonly host: string; readonly port: number},
  served: Served,
) => Promise<HealthServer>
