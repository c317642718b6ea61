import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {CrossplaneError} from '../../errors.js'
import type {
  CredentialHelpers,
  HelperAction,
  HelperAnswer,
} from '../../registry/credentials/credential-ports.js'

export interface HelperOptions {
  /** Of the helper; its PATH is where the helper is looked for. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds; two minutes by default, because it may have to ask for the password of a key ring. */
  readonly timeoutMs?: number
}

/** Credentials are short; what prints more is something else. */
const MAX_OUTPUT = 64 * 1024
/** What a shell says of a program that a signal ended. */
const KILLED = 128

/**
 * Runs helpers without a shell. Secrets go through standard input and output alone: arguments can be seen by everybody
 * on the machine. What they say on stderr is not passed on, because it may hold anything.
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
    // What it has started itself may live on and hold the other end.
    child.stdout.destroy()
  }
  const timer = setTimeout(() => stop('it did not end'), timeoutMs)
  try {
    child.stdin.on('error', () => undefined) // it may end without reading
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
    if (size > MAX_OUTPUT) stop('it printed without end')
  }
  return Buffer.concat(chunks).toString()
}

function notRun(program: string, stopped: string, cause: unknown): CrossplaneError {
  if (stopped !== '') {
    const message = `the credential helper ${program} had to be stopped: ${stopped}`
    return new CrossplaneError('credentials-failed', message)
  }
  const absent = (cause as NodeJS.ErrnoException).code === 'ENOENT'
  const message = `the credential helper ${program} ${absent ? 'is not on the PATH' : 'cannot be started'}`
  return new CrossplaneError('credentials-failed', message, {
    cause,
    suggestions: ["Install it, or take its name out of docker's config.json."],
  })
}
