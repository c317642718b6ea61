import {CrossplaneError} from '../../errors.js'
import type {Http} from '../../http/http.js'
import {present} from '../../present.js'
import {listNames} from '../../text.js'
import type {Connection} from '../connection.js'
import {
  hasImpersonatedDetails,
  type ImpersonationFlags,
  impersonationHeaders,
  impersonationOf,
  isSendable,
} from './impersonation.js'
import {inClusterContext, type PodEnvironment} from './in-cluster.js'
import type {Impersonation, Kubeconfig} from './kubeconfig.js'
import {type KubeconfigPlaces, loadKubeconfig} from './load-kubeconfig.js'
import type {KeyPair} from '../../pem.js'
import {selectContext, type SelectedContext} from './select-context.js'
import {type OpenHttp, serverTransport} from './server-transport.js'
import {type CredentialPorts, userCredentials} from './user-credentials.js'
import type {CredentialSource} from './credentials.js'

/** The flags and environment that select a connection. */
export interface ConnectionQuery extends ImpersonationFlags, KubeconfigPlaces {
  /** The flag `--context`. */
  readonly context?: string
  readonly env: PodEnvironment
}

export interface ConnectionPorts extends CredentialPorts {
  readonly openHttp: OpenHttp
}

/**
 * Opens the connection of a context as kubectl does, else that of the Pod the program runs in. No request is sent.
 * Throws `not-found`, `read-failed`, `usage` for an unknown context, `input-invalid` and `credentials-failed`.
 */
export async function connect(query: ConnectionQuery, ports: ConnectionPorts): Promise<Connection> {
  const {selected, pod} = await selectedContext(query, ports)
  const transport = await serverTransport(selected.cluster, ports.files)
  const identity = identityOf(query, selected)
  const credentials = await userCredentials(selected.user, {entry: selected.cluster.entry, transport}, ports)
  return {
    context: selected.name,
    ...userOf(identity, selected),
    server: transport.server,
    namespace: [selected.namespace, pod?.namespace ?? ''].find(name => name !== '') ?? 'default',
    http: certifiedHttp(credentials, shown => ports.openHttp(transport, shown)),
    async headers(renew) {
      const {authorization} = await credentials.current(renew)
      return {...present({authorization}), ...impersonationHeaders(identity)}
    },
  }
}

/** Throws `usage` for a requested context where there is no kubeconfig. */
function expectDefault(query: ConnectionQuery): undefined {
  if ((query.context ?? '') !== '') throw withoutKubeconfig('usage', query)
  return undefined
}

/** The context of the kubeconfig, or the Pod, whose namespace also counts for a context without one. */
async function selectedContext(query: ConnectionQuery, {files}: ConnectionPorts) {
  const config = await loadKubeconfig(query, files)
  const requested = query.context === '' ? undefined : query.context
  const named = config === undefined ? expectDefault(query) : selectContext(config, requested)
  // As kubectl: the namespace of a Pod is also that of a context which names none.
  const pod = (named?.namespace ?? '') !== '' ? undefined : await inClusterContext(query.env, files)
  const selected = named ?? pod
  if (selected !== undefined) return {selected, pod}
  throw config === undefined ? withoutKubeconfig('not-found', query) : notConfigured(config, query)
}

function userOf({user: impersonated}: Impersonation, {user}: SelectedContext): Pick<Connection, 'user'> {
  if (impersonated !== '') return {user: impersonated}
  return user === undefined ? {} : {user: user.name}
}

function identityOf(query: ConnectionQuery, {user}: SelectedContext): Impersonation {
  const identity = impersonationOf(query, user?.entry.impersonate)
  if (!isSendable(identity)) {
    const message = 'the user to impersonate, its UID, groups or extra values have a control character'
    throw new CrossplaneError('usage', message, {
      suggestions: ['Check --as, --as-uid and --as-group, and as-user-extra in the kubeconfig.'],
    })
  }
  if (identity.user !== '' || !hasImpersonatedDetails(identity)) return identity
  throw new CrossplaneError('usage', 'a group or UID can be impersonated only together with a user', {
    suggestions: ['Pass --as USER.'],
  })
}

/** A client that sends the certificate of the credentials, also after they were renewed. */
function certifiedHttp(
  credentials: CredentialSource,
  open: (shown: KeyPair | undefined) => Promise<Http>,
): Http {
  let last: {readonly shown: KeyPair | undefined; readonly http: Promise<Http>} | undefined
  return {
    async send(request) {
      const {clientCertificate: shown} = await credentials.current(false)
      if (last?.shown?.cert !== shown?.cert || last === undefined) last = {shown, http: open(shown)}
      return await (await last.http).send(request)
    },
  }
}

function withoutKubeconfig(code: 'not-found' | 'usage', places: KubeconfigPlaces): CrossplaneError {
  const message = `cannot connect to a cluster: ${namesOf(places)}: no such file or directory`
  return new CrossplaneError(code, message, {
    suggestions: ['Pass --kubeconfig FILE, or set KUBECONFIG to an existing file.'],
  })
}

function namesOf({explicit, listed}: KubeconfigPlaces): string {
  return listNames(explicit === '' ? listed.filter(path => path !== '') : [explicit])
}

function notConfigured({contexts}: Kubeconfig, places: KubeconfigPlaces): CrossplaneError {
  const names = [...contexts.keys()]
  const file = namesOf(places)
  return names.length === 0
    ? new CrossplaneError('not-found', `cannot connect to a cluster: no context in ${file}`, {
        suggestions: ['Pass --kubeconfig FILE, or set KUBECONFIG.'],
      })
    : new CrossplaneError('usage', `no context is selected: ${file} has no current-context`, {
        suggestions: [`Pass --context NAME, with one of ${listNames(names)}.`],
      })
}
