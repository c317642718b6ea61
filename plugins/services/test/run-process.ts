import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {resolve} from 'node:path'
import {smallEnvironment} from '../../../test/run-program.js'

const PROGRAM = resolve('bin/run.js')

/** The kinds of a `services run`, as its flags have them. */
export interface RunKinds {
  readonly claim: string
  readonly class: string
  readonly managed: string
}

/** A process of `services run`. */
export class ServicesRun {
  readonly #child: ChildProcess
  #log = ''

  /** Starts it, by default without a Lease, which would outlive a killed process. It ends with this process. */
  constructor(
    kubeconfig: string,
    kinds: RunKinds,
    lease: '--leader-elect' | '--no-leader-elect' = '--no-leader-elect',
  ) {
    const flags = Object.entries(kinds).flatMap(([name, kind]) => [`--${name}`, kind as string])
    const command = ['node', PROGRAM, 'services', 'run', ...flags, lease]
    const env = {...smallEnvironment(), KUBECONFIG: kubeconfig}
    this.#child = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#log += text))
  }

  get log(): string {
    return this.#log
  }

  /** Sends a signal; returns the exit status when it has ended. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const {exitCode, signalCode} = this.#child
    if (exitCode !== null || signalCode !== null) return exitCode
    const exit = once(this.#child, 'exit')
    this.#child.kill(signal)
    const [status] = (await exit) as [number | null]
    return status
  }
}
