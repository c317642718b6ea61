import {CrossplaneError} from '../../errors.js'
import type {Clock} from '../../http/clock.js'
import {escaped} from '../../text.js'
import type {Credentials, CredentialSource} from './credentials.js'
import {headerText, isHeaderText} from './header-text.js'
import type {ConnectionFiles} from './ports.js'

/** As client-go: a kubelet replaces tokens well before they expire. */
const VALID_MS = 50_000

/** A file with a token, and the other credentials of the user. */
export interface TokenFile {
  readonly path: string
  /** Used where the file cannot be read. */
  readonly token: string
  /** Sent besides the token. */
  readonly others: Omit<Credentials, 'authorization'>
}

/** Reads a token from its file once in 50 seconds. While it cannot be read, the last token stays. */
export function tokenFileCredentials(
  {path, token, others}: TokenFile,
  files: ConnectionFiles,
  clock: Pick<Clock, 'now'>,
): CredentialSource {
  let cached = token
  let readAt = -Infinity
  return {
    async current(renew) {
      if (renew || clock.now() - readAt >= VALID_MS) {
        cached = await tokenIn(path, cached, files)
        readAt = clock.now()
      }
      return {...others, authorization: `Bearer ${headerText(cached)}`}
    },
  }
}

async function tokenIn(path: string, cached: string, files: ConnectionFiles): Promise<string> {
  const read = await files.read(path).catch((error: unknown) => {
    if (error instanceof CrossplaneError) return error
    throw error
  })
  const text =
    read instanceof CrossplaneError
      ? ''
      : Buffer.from(read ?? [])
          .toString()
          .trim()
  if (text !== '' && isHeaderText(text)) return text
  if (cached !== '') return cached
  const why =
    read === undefined ? 'no such file or directory' : text === '' ? 'it is empty' : 'it is not a token'
  const message =
    read instanceof CrossplaneError ? read.message : `cannot read the token file ${escaped(path)}: ${why}`
  throw new CrossplaneError('credentials-failed', message, {
    suggestions: ['Write a token to that file, or select another user of the kubeconfig.'],
  })
}
