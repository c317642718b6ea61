import {spawn} from 'node:child_process'
import {createInterface} from 'node:readline'
import {text} from 'node:stream/consumers'
import {programCommand} from '../../built-program.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {smallEnvironment} from '../../run-program.js'

interface Watched {
  readonly status: number | null
  readonly lines: readonly string[]
  readonly stderr: string
}

/** Runs the program until its first line of output, then interrupts it; its status and all that it printed. */
export async function watchedIn(cluster: TestCluster, ...args: string[]): Promise<Watched> {
  return await watchedWhile(cluster, args, [])
}

/** The same, but makes one change after each line of output, and interrupts it at the line after the last change. */
export async function watchedWhile(
  {kubeconfig}: TestCluster,
  args: readonly string[],
  changes: readonly (() => Promise<void> | void)[],
): Promise<Watched> {
  const child = spawn(...programCommand(...args), {
    env: {...smallEnvironment(), KUBECONFIG: kubeconfig},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  const stderr = text(child.stderr)
  const lines: string[] = []
  for await (const line of createInterface({input: child.stdout})) {
    lines.push(line)
    await changes[lines.length - 1]?.()
    // A second signal would end it at once.
    if (lines.length === changes.length + 1) child.kill('SIGINT')
  }
  return {status: await ended, lines, stderr: await stderr}
}
