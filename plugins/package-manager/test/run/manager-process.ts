import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync, writeFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import type {TestCluster} from '../../../../test/cluster/api-server.js'
import {podVariables, withPodFiles} from '../../../../test/cluster/pod-files.js'
import {smallEnvironment} from '../../../../test/run-program.js'

const PROGRAM = resolve('bin/run.js')

/** A process of `manager run`. It ends with this process. */
export class ManagerProcess {
  readonly #child: ChildProcess
  #log = ''

  /** @param pod - runs it with these files of a service account and the address of the API server. */
  constructor(flags: readonly string[], pod?: {readonly files: string; readonly url: string}) {
    const command = ['setpriv', '--pdeathsig', 'KILL', 'node', PROGRAM, 'manager', 'run', ...flags]
    const [program, ...args] = pod === undefined ? command : withPodFiles(command)
    const variables = pod === undefined ? {} : podVariables(pod.files, pod.url)
    const env = {...smallEnvironment(), ...variables}
    this.#child = spawn(program, args, {env, stdio: ['ignore', 'ignore', 'pipe']})
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

/** Writes a kubeconfig of the manager beside that of the administrator; returns its path. */
export function managerKubeconfig({folder, kubeconfig, tokens}: TestCluster, token: string): string {
  const path = join(folder, 'manager.kubeconfig')
  writeFileSync(path, readFileSync(kubeconfig, 'utf8').replace(tokens.admin, token))
  return path
}
