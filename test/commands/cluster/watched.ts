import {spawn} from 'node:child_process'
import {createInterface} from 'node:readline'
import {programCommand} from '../../built-program.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {smallEnvironment} from '../../run-program.js'

/** Runs the program until its first line of output, then interrupts it; its status and all lines of output. */
export async function watchedIn(
  {kubeconfig}: TestCluster,
  ...args: string[]
): Promise<{readonly status: number | null; readonly lines: readonly string[]}> {
  const child = spawn(...programCommand(...args), {
    env: {...smallEnvironment(), KUBECONFIG: kubeconfig},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  const lines: string[] = []
  for await (const line of createInterface({input: child.stdout})) {
    lines.push(line)
    // A second signal would end it at once.
    if (lines.length === 1) child.kill('SIGINT')
  }
  return {status: await ended, lines}
}
