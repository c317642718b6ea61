import {quoted} from '../../text.js'
import type {UserEntry} from './kubeconfig.js'

const API_VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']
const MODES = ['Never', 'IfAvailable', 'Always']

/** Returns the errors in the exec plugin of a user. */
export function execErrors({exec, authProvider}: UserEntry): readonly string[] {
  if (exec === undefined) return []
  const {apiVersion, command, env, interactiveMode: mode} = exec
  const checks: readonly (readonly [boolean, string])[] = [
    [authProvider !== undefined, 'exec and auth-provider are mutually exclusive'],
    [command === '', 'exec.command is not set'],
    [!API_VERSIONS.includes(apiVersion), `exec.apiVersion must be one of ${API_VERSIONS.join(', ')}`],
    [env.some(({name}) => name === ''), 'exec.env has an entry without a name'],
    [!MODES.includes(mode), `exec.interactiveMode must be one of ${MODES.join(', ')}, not ${quoted(mode)}`],
  ]
  return checks.flatMap(([isWrong, message]) => (isWrong ? [message] : []))
}
