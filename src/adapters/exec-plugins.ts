import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {isatty} from 'node:tty'
import type {ExecCommand, ExecPlugins, ExecResult} from '../cluster/kubeconfig/ports.js'
import {reasonOf, systemCode} from './file-system.js'

/** Credentials with a chain of certificates have a few kilobytes. */
const MAX_OUTPUT = 1024 * 1024
/** The status of a program that a signal ended, as in a shell. */
const KILLED = 128

/** Runs exec plugins without a shell; their standard error is that of this program. */
export const execPlugins: ExecPlugins = {isTerminal: () => isatty(0), run}

async function run({command, args, env, interactive}: ExecCommand): Promise<ExecResult> {
  const child = spawn(command, args, {
    env: {...process.env, ...Object.fromEntries(env.map(({name, value}) => [name, value]))},
    shell: false,
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
  })
  try {
    const closed = once(child, 'close') as Promise<[status: number | null]>
    const [output, [status]] = await Promise.all([outputOf(child.stdout), closed])
    return {kind: 'exited', status: status ?? KILLED, output}
  } catch (error) {
    child.kill('SIGKILL')
    if (error instanceof TooMuchOutput) return {kind: 'failed', reason: 'its output is larger than 1 MiB'}
    const code = systemCode(error)
    if (code === undefined) throw error
    return code === 'ENOENT' ? {kind: 'absent'} : {kind: 'failed', reason: reasonOf(code)}
  }
}

class TooMuchOutput extends Error {}

async function outputOf(stdout: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stdout) {
    size += chunk.length
    if (size > MAX_OUTPUT) throw new TooMuchOutput()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
