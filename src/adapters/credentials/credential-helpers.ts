import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {CrossplaneError} from '../../errors.js'
import type {
  CredentialHelpers,
  HelperAction,
  HelperAnswer,
} from '../../registry/credentials/credential-ports.js'

export interface HelperOptions {
  /** The environment of the helper, which is searched on its PATH. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds; two minutes by default, since a helper may prompt for the password of a key ring. */
  readonly timeoutMs?: number
}

/** Credentials are short. */
const MAX_OUTPUT = 64 * 1024
/** The status of a program that a signal ended, as in a shell. */
const KILLED = 128

/**
 * Runs helpers without a shell. Secrets are passed only by standard input and output, since other users can see arguments.
 * Their stderr is dropped, because it may contain secrets.
 */
export function credentialHelpers({env, timeoutMs = 120_000}: HelperOptions): CredentialHelpers {
  return {
    run: (name, action, input) => run(`docker-credential-${name}`, action, input, {env, timeoutMs}),
  }
}

async function run(
  program: string,
  action: HelperAction,
  input: string,
  {env, timeoutMs}: Required<HelperOptions>,
): Promise<HelperAnswer> {
  const child = spawn(program, [action], {env, shell: false, stdio: ['pipe', 'pipe', 'ignore']})
  let stopped = ''
  const stop = (reason: string) => {
    stopped = reason
    child.kill('SIGKILL')
    // A process that the helper started may keep the pipe open.
    child.stdout.destroy()
  }
  const timer = setTimeout(() => stop('it did not exit'), timeoutMs)
  try {
    child.stdin.on('error', () => undefined) // the helper may exit without reading
    child.stdin.end(input)
    const ended = once(child, 'close') as Promise<[status: number | null]>
    const [output, [status]] = await Promise.all([bounded(child.stdout, stop), ended])
    return {status: status ?? KILLED, output}
  } catch (cause) {
    throw notRun(program, stopped, cause)
  } finally {
    clearTimeout(timer)
  }
}

async function bounded(stdout: AsyncIterable<Uint8Array>, stop: (reason: string) => void): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stdout) {
    size += chunk.length
    chunks.push(chunk)
    if (size > MAX_OUTPUT) stop('too much output')
  }
  return Buffer.concat(chunks).toString()
}

function notRun(program: string, stopped: string, cause: unknown): CrossplaneError {
  if (stopped !== '') {
    const message = `credential helper ${program} was stopped: ${stopped}`
    return new CrossplaneError('credentials-failed', message)
  }
  const absent = (cause as NodeJS.ErrnoException).code === 'ENOENT'
  const message = `cannot run the credential helper ${program}: ${absent ? 'not found on PATH' : 'cannot be started'}`
  return new CrossplaneError('credentials-failed', message, {
    cause,
    suggestions: ["Install it, or remove it from credsStore and credHelpers of Docker's config.json."],
  })
}
