import type {Diagnostic} from '../../../diagnostic.js'
import {withTrust} from '../../../locate/with-trust.js'
import {readCore} from '../../../observe/core/read-core.js'
import {readCoreVersion} from '../../../observe/objects/read-core-version.js'
import type {OutdatedPackage, OutdatedReport} from '../../../package/reports.js'
import {xpkgClosure} from '../../../package/xpkg/closure.js'
import {xpkgOutdated} from '../../../package/xpkg/outdated.js'
import type {CoreRequest} from '../../../plan/cluster/state/core-state.js'
import {isOurs} from '../../../plan/cluster/core/requested-as.js'
import {present} from '../../../present.js'
import {isDigest} from '../../../reference/image-name.js'
import {requestName} from '../../../reference/named.js'
import {commandLine, escaped, listNames, plural} from '../../../text.js'
import {readPolicy} from '../../request/read-request.js'
import type {ResolutionSettings} from '../../request/request-query.js'
import type {InstallPorts} from '../install.js'
import {clusterLock, lockedRequest} from './cluster-lock.js'
import {installedOnes} from './installed-xpkgs.js'
import {unrestrictedRoot} from './upgrade-packages.js'

/**
 * Compares the packages for a current Crossplane of a cluster with the newest versions that fit together; undefined without any.
 * A tag in a request that this program did not make is not a pin. Throws as `xpkgClosure` does, and the errors of the API.
 */
export async function outdatedXpkgs(
  settings: ResolutionSettings,
  {api, requests}: InstallPorts,
): Promise<OutdatedReport | undefined> {
  const core = await readCore(api)
  const all = core === undefined ? [] : installedOnes(core)
  const installed = all.filter(isRead)
  if (installed.length === 0) return undefined
  const {budget, trust, teams, ...policy} = await readPolicy(settings, requests)
  const coreVersion = policy.coreVersion ?? (await readCoreVersion(api))
  const lock = clusterLock({requests: installed}, 'all')
  const closure = await xpkgClosure(
    {
      roots: installed.map(unrestrictedRoot),
      sources: {teams},
      listsPinned: true,
      isInstalled: true,
      ...{budget, lock},
      ...present({coreVersion}),
    },
    withTrust(await requests.packages(), trust),
  )
  const packages = xpkgOutdated(installed.map(lockedRequest), closure, coreVersion)
  const notes = [...unreadWarnings(all), ...othersNotes(packages, installed)]
  return {packages, current: installed.length - packages.length, notes}
}

/** Crossplane makes a revision once it has read the package: until then, nothing is installed. */
function isRead({revision}: CoreRequest): boolean {
  return revision !== undefined
}

/** Names the requests that are not compared, because Crossplane has not read their packages. */
export function unreadWarnings(requests: readonly CoreRequest[]): readonly Diagnostic[] {
  return requests
    .filter(request => !isRead(request))
    .map(request => ({
      severity: 'warning',
      rule: 'xpkg-request-unread',
      message: `${escaped(requestName(request))} is not installed yet, and is not compared`,
      subject: {package: request.repository},
      suggestions: [commandLine(['package', 'status', requestName(request)])],
    }))
}

/** Without names, `upgrade` leaves alone what other programs requested. */
export function othersNotes(
  packages: readonly OutdatedPackage[],
  requests: readonly CoreRequest[],
): readonly Diagnostic[] {
  const others = new Set(
    requests.filter(({object, isByCore}) => !isOurs(object) && !isByCore).map(({repository}) => repository),
  )
  const left = packages.filter(
    one => one.status === 'outdated' && one.fits !== undefined && others.has(one.package),
  )
  if (left.length === 0) return []
  const references = left.map(one => `${one.package}${isDigest(one.fits ?? '') ? '@' : ':'}${one.fits ?? ''}`)
  const message = `other programs requested ${listNames(left.map(one => one.package))}: change ${plural(left.length, 'its request', 'their requests')} there, or take ${plural(left.length, 'it', 'them')} over by name, since upgrade leaves ${plural(left.length, 'it', 'them')} alone otherwise`
  const suggestions = [commandLine(['package', 'upgrade', ...references, '--adopt'])]
  return [{severity: 'note', rule: 'xpkg-of-others', message, suggestions}]
}
