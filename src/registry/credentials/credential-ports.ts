/** Port: a credentials file of docker or podman. Throws `credentials-failed`. */
export interface CredentialsFile {
  readonly path: string
  /** Its text; undefined for no file. */
  read(): Promise<string | undefined>
  /** Replaces or creates it atomically, readable by its owner alone. */
  write(text: string): Promise<void>
}

export type HelperAction = 'get' | 'store' | 'erase'

/** The exit status and the output of a helper; the output may be a secret. */
export interface HelperAnswer {
  readonly status: number
  readonly output: string
}

/**
 * Port: programs named `docker-credential-<name>`, which store secrets elsewhere
 * (https://github.com/docker/docker-credential-helpers#development). Throws `credentials-failed` for a helper that cannot
 * be started, does not exit, or has too much output.
 */
export interface CredentialHelpers {
  run(name: string, action: HelperAction, input: string): Promise<HelperAnswer>
}
