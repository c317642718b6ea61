import type {Clock} from '../../http/clock.js'
import {escaped, listAll, quoted} from '../../text.js'
import {clientCertificate} from './client-certificate.js'
import {type Credentials, type CredentialSource, fixedCredentials} from './credentials.js'
import {basicAuthorization, headerText, isHeaderText} from './header-text.js'
import type {UserEntry} from './kubeconfig.js'
import {invalidKubeconfig} from './kubeconfig-error.js'
import type {ConnectionFiles, ExecPlugins, OidcClient} from './ports.js'
import {authProviderErrors, oidcCredentials} from './oidc-credentials.js'
import type {Named} from './select-context.js'
import {execCredentials} from './exec-credentials.js'
import type {ExecCluster} from './exec-info.js'
import {tokenFileCredentials} from './token-file.js'

/** The dependencies of reading credentials. */
export interface CredentialPorts {
  readonly files: ConnectionFiles
  readonly plugins: ExecPlugins
  readonly oidc: OidcClient
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Reads the credentials of a user by the rules of client-go. Over plain HTTP, none are sent. Throws `input-invalid` with
 * all errors.
 */
export async function userCredentials(
  user: Named<UserEntry> | undefined,
  cluster: ExecCluster,
  ports: CredentialPorts,
): Promise<CredentialSource> {
  const {server, account} = cluster.transport
  const ofServer = account === undefined ? {} : {authorization: basicAuthorization(account)}
  if (user === undefined) return fixedCredentials(ofServer)
  const messages = [...errorsOf(user.entry)]
  const isSecure = server.protocol === 'https:'
  const shown = isSecure ? await clientCertificate(user.entry, ports.files, messages) : undefined
  if (messages.length > 0) throw invalidUser(user, messages)
  const others = shown === undefined ? {} : {clientCertificate: shown}
  if (!isSecure || account !== undefined) return fixedCredentials({...others, ...ofServer})
  return sourceOf(user.entry, others, ports) ?? pluginOf(user, others, cluster, ports)
}

/** The messages quote no secret. */
function invalidUser({name, entry: {origin}}: Named<UserEntry>, messages: readonly string[]) {
  return invalidKubeconfig(
    messages.map(message => ({origin, message: `user ${quoted(name)}: ${message}`})),
    `Fix the user ${quoted(name)} in ${escaped(origin.file)}.`,
  )
}

function errorsOf(user: UserEntry): readonly string[] {
  const {token, tokenFile, username, password} = user
  const hasToken = token !== '' || tokenFile !== ''
  const hasAccount = username !== '' || password !== ''
  return [
    ...(hasToken && hasAccount ? ['a token and a user name with password are mutually exclusive'] : []),
    ...(isHeaderText(token) ? [] : ['token has a line break or another control character']),
    ...execErrors(user),
    ...authProviderErrors(user),
  ]
}

function sourceOf(
  {token, tokenFile: path, username, password}: UserEntry,
  others: Credentials,
  {files, clock}: CredentialPorts,
): CredentialSource | undefined {
  if (path !== '') return tokenFileCredentials({path, token, others}, files, clock)
  if (token !== '') return fixedCredentials({...others, authorization: `Bearer ${headerText(token)}`})
  if (username !== '') {
    return fixedCredentials({...others, authorization: basicAuthorization({username, password})})
  }
  return undefined
}

/** A client certificate takes precedence over an exec plugin, but is sent besides the token of an auth provider. */
function pluginOf(
  {name, entry: {exec, authProvider, origin}}: Named<UserEntry>,
  others: Credentials,
  cluster: ExecCluster,
  ports: CredentialPorts,
): CredentialSource {
  if (authProvider !== undefined)
    return oidcCredentials({name, origin, provider: authProvider, others}, ports)
  if (exec === undefined || others.clientCertificate !== undefined) return fixedCredentials(others)
  return execCredentials({user: name, plugin: exec, cluster}, ports)
}

const API_VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']
const MODES = ['Never', 'IfAvailable', 'Always']

/** Returns the errors in the exec plugin of a user. */
function execErrors({exec, authProvider}: UserEntry): readonly string[] {
  if (exec === undefined) return []
  const {apiVersion, command, env, interactiveMode: mode} = exec
  const checks: readonly (readonly [boolean, string])[] = [
    [authProvider !== undefined, 'exec and auth-provider are mutually exclusive'],
    [command === '', 'exec.command is not set'],
    [!API_VERSIONS.includes(apiVersion), `exec.apiVersion must be one of ${listAll(API_VERSIONS, 'or')}`],
    [env.some(({name}) => name === ''), 'exec.env has an entry without a name'],
    [
      !MODES.includes(mode),
      `exec.interactiveMode must be one of ${listAll(MODES, 'or')}, not ${quoted(mode)}`,
    ],
  ]
  return checks.flatMap(([isWrong, message]) => (isWrong ? [message] : []))
}
