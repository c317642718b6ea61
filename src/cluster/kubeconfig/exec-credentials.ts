import {CrossplaneError} from '../../errors.js'
import type {Clock} from '../../http/clock.js'
import {escaped, quoted} from '../../text.js'
import type {Credentials, CredentialSource} from './credentials.js'
import {readExecCredential} from './exec-credential.js'
import {type ExecCluster, execInfo} from './exec-info.js'
import type {ExecPlugin} from './kubeconfig.js'
import type {ExecPlugins, ExecResult} from './ports.js'

/** An exec plugin of a user, by its name. */
export interface UserPlugin {
  readonly user: string
  readonly plugin: ExecPlugin
  readonly cluster: ExecCluster
}

/**
 * Runs an exec plugin when credentials are first needed, when they have expired, and to renew them. Requests that wait
 * for it share one run.
 */
export function execCredentials(
  {user, plugin, cluster}: UserPlugin,
  {plugins, clock}: {readonly plugins: ExecPlugins; readonly clock: Pick<Clock, 'now'>},
): CredentialSource {
  let cached: {readonly credentials: Credentials; readonly expires: number} | undefined
  let running: Promise<Credentials> | undefined
  const run = async () => {
    const interactive = isInteractive(user, plugin, plugins.isTerminal())
    const info = {name: 'KUBERNETES_EXEC_INFO', value: execInfo(plugin, cluster, interactive)}
    const {command, args, env} = plugin
    const output = outputOf(
      user,
      plugin,
      await plugins.run({command, args, env: [...env, info], interactive}),
    )
    const answer = readExecCredential(output, plugin.apiVersion)
    if ('reason' in answer) throw failed(user, plugin, answer.reason, OTHER_USER)
    cached = answer
    return answer.credentials
  }
  return {
    async current(renew) {
      if (running !== undefined) return await running
      if (cached !== undefined && !renew && clock.now() <= cached.expires) return cached.credentials
      running = run().finally(() => {
        running = undefined
      })
      return await running
    },
  }
}

const OTHER_USER = 'Update the plugin, or select another user with --context NAME.'

function isInteractive(user: string, plugin: ExecPlugin, isTerminal: boolean): boolean {
  if (plugin.interactiveMode !== 'Always') return plugin.interactiveMode === 'IfAvailable' && isTerminal
  if (isTerminal) return true
  throw failed(user, plugin, 'it requires a terminal', 'Run the command in a terminal.')
}

function outputOf(user: string, plugin: ExecPlugin, result: ExecResult): Uint8Array {
  switch (result.kind) {
    case 'absent':
      throw failed(user, plugin, 'not found', installation(plugin))
    case 'failed':
      throw failed(user, plugin, result.reason, 'Check the command of the user in the kubeconfig.')
    case 'exited':
      if (result.status === 0) return result.output
      throw failed(user, plugin, `it exited with ${result.status}`, 'Follow its messages above.')
  }
}

/** The text of the kubeconfig's author, as one line. */
function installation({installHint}: ExecPlugin): string {
  const hint = installHint.trim().replace(/\s+/g, ' ').slice(0, MAX_HINT)
  // eslint-disable-next-line no-control-regex -- they could move the cursor of a terminal
  const plain = hint.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
  return plain === '' ? 'Install it, or select another user with --context NAME.' : plain
}

const MAX_HINT = 1000

function failed(user: string, {command}: ExecPlugin, why: string, next: string): CrossplaneError {
  const message = `cannot run the exec plugin ${escaped(command)} of the user ${quoted(user)}: ${why}`
  return new CrossplaneError('credentials-failed', message, {suggestions: [next]})
}
