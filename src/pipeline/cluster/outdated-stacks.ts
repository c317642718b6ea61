import {withTrust} from '../../locate/with-trust.js'
import {installedState} from '../../observe/installs/installed-state.js'
import {observePackages} from '../../observe/installs/observe-packages.js'
import {renderChoices} from '../../package/given-choices.js'
import type {OutdatedReport} from '../../package/reports.js'
import {clusterPolicy} from '../../package/stack/cluster-policy.js'
import {comparedVersions} from '../../package/stack/outdated.js'
import {readPolicy} from '../request/read-request.js'
import {namedToRead} from '../../reference/named.js'
import type {InstallPorts} from './install.js'
import type {OutdatedQuery} from './installed-format.js'
import {requestPlaces, withOwnRequests} from './own-requests.js'
import {unrestricted} from './upgrade.js'

/**
 * Compares the installed packages of Crossplane v0.12 with the versions that an upgrade of all would select; undefined without any.
 * Throws as `resolvePackages` does, and the errors of the API.
 */
export async function outdatedStacks(
  {settings, named}: OutdatedQuery,
  {api, requests}: InstallPorts,
): Promise<OutdatedReport | undefined> {
  const observed = withOwnRequests(await observePackages(api), requestPlaces(settings))
  const state = installedState(observed, {adopt: false})
  const ours = state.packages.filter(({inventory}) => inventory !== undefined)
  const nameable = ours.map(one => ({...one, repository: one.identity}))
  const shown = named === undefined ? ours : namedToRead(named, nameable)
  if (shown.length === 0) return undefined
  const policy = await readPolicy(settings, requests)
  const upgradedBut = (kept: ReadonlySet<string>) =>
    new Set(ours.map(({identity}) => identity).filter(identity => !kept.has(identity)))
  const rendering = renderChoices({flags: {}, defaults: {}, tree: {}})
  const versions = new Map(
    ours.map(({identity, tag, digest}) => [`${identity}:${tag}`, {identity, tag, digest}]),
  )
  const report = await comparedVersions(
    [...versions.values()],
    unrestricted(ours),
    kept => clusterPolicy(policy, {...state, upgraded: upgradedBut(kept)}, rendering),
    withTrust(await requests.packages(), policy.trust),
  )
  if (named === undefined) return report
  const identities = new Set(shown.map(({identity}) => identity))
  const packages = report.packages.filter(one => identities.has(one.package))
  const all = [...versions.values()].filter(({identity}) => identities.has(identity))
  return {...report, packages, current: all.length - packages.length}
}
