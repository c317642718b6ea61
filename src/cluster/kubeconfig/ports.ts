/** Port: kubeconfig files, and the files that they name. */
export interface ConnectionFiles {
  /** Undefined if nothing exists. Throws `read-failed` and `limit-exceeded`. */
  read(path: string): Promise<Uint8Array | undefined>
  /** Returns the absolute path for a path in a file, which can be relative to its folder. */
  resolve(file: string, path: string): string
  /**
   * Replaces texts of a file, each of which it must contain, and keeps the rest. Throws `credentials-failed`, and
   * then the file is unchanged.
   */
  replaceTexts(path: string, changes: readonly (readonly [before: string, after: string])[]): Promise<void>
}

/** Port: renews the tokens of OpenID Connect, by the fields of an `auth-provider`. Rejects with any error. */
export interface OidcClient {
  renew(config: Readonly<Record<string, string>>): Promise<OidcTokens>
}

interface OidcTokens {
  readonly idToken: string
  readonly refreshToken: string
}

/** Port: runs exec plugins of users; their standard error is passed through. */
export interface ExecPlugins {
  /** Whether standard input is a terminal. */
  isTerminal(): boolean
  run(command: ExecCommand): Promise<ExecResult>
}

/** A program with its arguments, and additions to the environment. */
export interface ExecCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: readonly {readonly name: string; readonly value: string}[]
  /** Whether standard input is passed through; otherwise it is empty. */
  readonly interactive: boolean
}

/** The outcome of a program: `output` is its standard output. A `reason` completes "cannot run it". */
export type ExecResult =
  | {readonly kind: 'exited'; readonly status: number; readonly output: Uint8Array}
  | {readonly kind: 'absent'}
  | {readonly kind: 'failed'; readonly reason: string}
