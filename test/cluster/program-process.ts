import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {resolve} from 'node:path'
import {smallEnvironment} from '../run-program.js'
import {podVariables, withPodFiles} from './pod-files.js'

const PROGRAM = resolve('bin/run.js')

/** A process of the built program. It ends with this process. */
export class ProgramProcess {
  readonly #child: ChildProcess
  #log = ''

  /** @param pod - runs it with these files of a service account and the address of the API server. */
  constructor(args: readonly string[], pod?: {readonly files: string; readonly url: string}) {
    const command = ['setpriv', '--pdeathsig', 'KILL', 'node', PROGRAM, ...args]
    const [program, ...rest] = pod === undefined ? command : withPodFiles(command)
    const variables = pod === undefined ? {} : podVariables(pod.files, pod.url)
    const env = {...smallEnvironment(), ...variables}
    this.#child = spawn(program, rest, {env, stdio: ['ignore', 'ignore', 'pipe']})
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#log += text))
  }

  /** `unshare`, `sh` and `setpriv` become the program itself. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  get log(): string {
    return this.#log
  }

  /** Resolves with the exit status when it has ended; null if a signal ended it. */
  async ended(): Promise<number | null> {
    const {exitCode, signalCode} = this.#child
    if (exitCode !== null || signalCode !== null) return exitCode
    const [status] = (await once(this.#child, 'exit')) as [number | null]
    return status
  }

  /** Sends a signal; returns the exit status when it has ended. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal)
    return await this.ended()
  }
}
