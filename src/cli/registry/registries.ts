import {present} from '../../present.js'
import {encryptedAbroad, settleScheme} from '../../registry/scheme.js'
import {endpointHost, expectHost} from '../../registry/endpoint.js'
import type {Keychain} from '../../registry/credentials/keychain.js'
import type {Registry} from '../../registry/registry.js'
import type {RegistryPorts} from '../../registry/session.js'
import type {Patience} from '../../http/patience.js'
import {tracedHttp, type Trace} from '../../http/trace.js'
import {httpOptions, type RegistryFlags} from './http-options.js'
import {clock, http, keychain} from '../wire.js'
import type {ReportSteps} from '../shell/progress/step-event.js'
import {reportedHttp, reportedKeychain} from '../shell/progress/reported-waits.js'

/** Receives reports of registry access: requests, warnings and, if `trace` is present, a line for each exchange. */
export interface RegistryReporter {
  readonly warn: (message: string) => void
  readonly trace?: Trace
  readonly report: ReportSteps
  /** Puts other credentials before those of the user. */
  readonly credentials?: (own: Keychain) => Keychain
}

/** Returns the registry at a host, with the options of the flags; the scheme of each host is determined once. */
export function registries(
  flags: RegistryFlags,
  {warn, trace, report, credentials = own => own}: RegistryReporter,
  patience?: Patience,
): (host: string) => Promise<Registry> {
  const byHost = new Map<string, Promise<Registry>>()
  const open = async (host: string) => {
    const [ports, {ociRegistry}] = await Promise.all([
      registryPorts(flags, host, {trace, report}, patience),
      import('../../registry/oci-registry.js'),
    ])
    return ociRegistry({
      ...ports,
      keychain: reportedKeychain(credentials(await keychain(warn, patience?.timeoutMs)), report),
    })
  }
  return host => {
    const registry = byHost.get(host) ?? open(host)
    byHost.set(host, registry)
    return registry
  }
}

/**
 * Creates all but the credentials, for one host, whose scheme is determined now; `trace` receives that, too. Throws
 * `usage` for an invalid host.
 */
export async function registryPorts(
  flags: RegistryFlags,
  host: string,
  {trace, report}: Pick<RegistryReporter, 'trace' | 'report'> = {report: () => undefined},
  patience?: Patience,
): Promise<Omit<RegistryPorts, 'keychain'>> {
  expectHost(host)
  const {attempts, timeoutMs} = patience ?? {}
  const options = {
    ...httpOptions(flags, process.env, [host]),
    ...present({timeoutMs}),
  }
  const [plain, time] = await Promise.all([http(options), clock()])
  const reported = reportedHttp(plain, report)
  const traced = trace === undefined ? reported : tracedHttp(reported, time, trace)
  const transport = flags['plain-http'] ? traced : encryptedAbroad(traced)
  const scheme = await settleScheme(transport, endpointHost(host), flags['plain-http'])
  return {http: transport, clock: time, schemeOf: () => `${scheme}:`, attempts}
}
