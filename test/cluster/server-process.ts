import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {closeSync, openSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

/** A server that runs until it is killed, or until this process ends in whatever way. */
export interface ServerProcess {
  readonly name: string
  readonly pid: number
  /** The last lines that it printed. */
  lastLines(count: number): string
  /** Whether it has ended, which a server does not do by itself. */
  ended(): boolean
  /** Kills it, and resolves when it is gone. What it holds is thrown away, so it is not asked. */
  kill(): Promise<void>
}

/** Servers live for minutes on busy cores: collecting garbage seldom saves a quarter of their time, for more memory. */
const GOGC = '300'

/** Starts a server; all it prints goes to `<name>.log` in the folder. `env` is added to its environment. */
export async function startServer(
  name: string,
  program: string,
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const path = join(folder, `${name}.log`)
  const log = openSync(path, 'w')
  // The kernel kills it when this process dies, even by SIGKILL. A group of its own keeps Ctrl-C from it, which would
  // end the servers in any order.
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', program, ...args], {
    cwd: folder,
    detached: true,
    env: {PATH: process.env.PATH, HOME: folder, TMPDIR: folder, GOGC, ...env},
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  await once(child, 'spawn')
  const exit = once(child, 'exit')
  const ended = () => child.exitCode !== null || child.signalCode !== null
  return {
    name,
    pid: child.pid!,
    lastLines: count => readFileSync(path, 'utf8').trimEnd().split('\n').slice(-count).join('\n'),
    ended,
    async kill() {
      child.kill('SIGKILL')
      if (!ended()) await exit
    },
  }
}
