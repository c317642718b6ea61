import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'

/** A program that a test runs. */
export interface ServerProcess {
  /** Throws with the end of its log if it has ended. */
  assertRunning(): void
  stop(): Promise<void>
}

const MAX_LOG = 4000

/** Starts a program. It is killed when this process exits. */
export function startServer(program: string, args: readonly string[]): ServerProcess {
  const child = spawn(program, args, {stdio: ['ignore', 'ignore', 'pipe']})
  let log = ''
  let ended: string | undefined
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-MAX_LOG)))
  child.on('error', ({message}) => (ended = message))
  child.on('exit', status => (ended ??= `exit status ${status}`))
  const kill = () => child.kill('SIGKILL')
  process.on('exit', kill)
  return {
    assertRunning: () => {
      if (ended !== undefined) throw new Error(`${program} ended: ${ended}\n${log}`)
    },
    stop: async () => {
      process.off('exit', kill)
      await killed(child, ended !== undefined)
    },
  }
}

async function killed(child: ChildProcess, hasEnded: boolean): Promise<void> {
  if (hasEnded) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
