import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync, writeFileSync} from 'node:fs'
import type {TestCluster} from '../../../../test/cluster/api-server.js'
import {smallEnvironment} from '../../../../test/run-program.js'

const MAIN = 'examples/services/redis/src/main.ts'

/** The process of a provider. */
export interface ProviderProcess {
  kill(signal: NodeJS.Signals): void
  /** Its log so far. */
  log(): string
  /** Its exit status. */
  readonly ended: Promise<number | null>
}

/** Starts the provider as its image does. It ends with this process. */
export function startProvider(kubeconfig: string): ProviderProcess {
  const command = ['node', '--import', './test/cluster/typescript.mjs', MAIN]
  const env = {...smallEnvironment(), KUBECONFIG: kubeconfig}
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  return {
    log: () => log,
    kill: signal => child.kill(signal),
    ended: once(child, 'exit').then(([status]) => status as number | null),
  }
}

/** Writes a kubeconfig with another token; returns its path. */
export function kubeconfigWith({kubeconfig, tokens}: TestCluster, token: string, path: string): string {
  writeFileSync(path, readFileSync(kubeconfig, 'utf8').replaceAll(tokens.admin, token), {mode: 0o600})
  return path
}
