/** Port: the file in which docker and its like keep what they know of registries. Throws `credentials-failed`. */
export interface CredentialsFile {
  readonly path: string
  /** Its text; undefined where there is no such file. */
  read(): Promise<string | undefined>
  /** Replaces it at once, or makes it, readable by its owner alone. */
  write(text: string): Promise<void>
}

export type HelperAction = 'get' | 'store' | 'erase'

/** How a helper ended and what it printed, which may be a secret. */
export interface HelperAnswer {
  readonly status: number
  readonly output: string
}

/**
 * Port: programs named `docker-credential-<name>`, which keep secrets elsewhere
 * (https://github.com/docker/docker-credential-helpers#development). Throws `credentials-failed` for one that cannot be
 * started, does not end, or prints without end.
 */
export interface CredentialHelpers {
  run(name: string, action: HelperAction, input: string): Promise<HelperAnswer>
}
