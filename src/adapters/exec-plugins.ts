import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {isatty} from 'node:tty'
import type {ExecCommand, ExecPlugins, ExecResult} from '../cluster/kubeconfig/ports.js'
import {reasonOf, systemCode} from './file-system.js'

/** Credentials with a chain of certificates have a few kilobytes. */
const MAX_OUTPUT = 1024 * 1024
/** The status of a program that a signal ended, as in a shell. */
const KILLED = 128

/**
 * Runs exec plugins without a shell; their standard error is that of this program. One that does not exit within
 * `timeoutMs` milliseconds is stopped; without it, there is no limit, since a plugin can open a browser and wait.
 */
export function execPlugins(timeoutMs?: number): ExecPlugins {
  return {isTerminal: () => isatty(0), run: command => run(command, timeoutMs)}
}

async function run(
  {command, args, env, interactive}: ExecCommand,
  timeoutMs: number | undefined,
): Promise<ExecResult> {
  const child = spawn(command, args, {
    env: {...process.env, ...Object.fromEntries(env.map(({name, value}) => [name, value]))},
    shell: false,
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
  })
  const stop = () => {
    child.kill('SIGKILL')
    // A process that the plugin started may keep the pipe open.
    child.stdout.destroy(new TooLong())
  }
  const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs)
  try {
    const closed = once(child, 'close') as Promise<[status: number | null]>
    const [output, [status]] = await Promise.all([outputOf(child.stdout), closed])
    return {kind: 'exited', status: status ?? KILLED, output}
  } catch (error) {
    child.kill('SIGKILL')
    if (error instanceof TooMuchOutput) return {kind: 'failed', reason: 'its output is larger than 1 MiB'}
    if (error instanceof TooLong) {
      return {kind: 'failed', reason: `it did not exit within ${(timeoutMs ?? 0) / 1000}s`}
    }
    const code = systemCode(error)
    if (code === undefined) throw error
    return code === 'ENOENT' ? {kind: 'absent'} : {kind: 'failed', reason: reasonOf(code)}
  } finally {
    clearTimeout(timer)
  }
}

class TooMuchOutput extends Error {}
class TooLong extends Error {}

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
