import {gitApplier} from '../../../cluster/git-applier.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {CrossplaneError} from '../../../errors.js'
import {grouped} from '../../../grouped.js'
import {withTrust} from '../../../locate/with-trust.js'
import {readCore} from '../../../observe/core/read-core.js'
import {readCoreVersion} from '../../../observe/objects/read-core-version.js'
import type {OutdatedReport} from '../../../package/reports.js'
import {type XpkgClosure, xpkgClosure} from '../../../package/xpkg/closure.js'
import {xpkgOutdated} from '../../../package/xpkg/outdated.js'
import type {RequestedXpkg} from '../../../package/xpkg/requested-xpkg.js'
import type {CoreRequest, CoreState} from '../../../plan/cluster/state/core-state.js'
import {isOurs} from '../../../plan/cluster/core/requested-as.js'
import {present} from '../../../present.js'
import {isDigest} from '../../../reference/image-name.js'
import {namedToRead, type NameText, requestName} from '../../../reference/named.js'
import {commandLine, escaped, listNames, plural} from '../../../text.js'
import {readPolicy} from '../../request/read-request.js'
import type {InstallPorts} from '../install.js'
import type {OutdatedQuery} from '../installed-format.js'
import {clusterLock, installedVersion, lockedRequest} from './cluster-lock.js'
import {installedOnes} from './installed-xpkgs.js'
import {unrestrictedRoot} from './upgrade-packages.js'

/**
 * Compares the packages for a current Crossplane of a cluster with the newest versions that fit together; undefined without any.
 * A tag or digest that a user requested is a pin, as in a declaration, whichever program applied the request. Throws as
 * `xpkgClosure` does, and the errors of the API.
 */
export async function outdatedXpkgs(
  {settings, named}: OutdatedQuery,
  {api, requests}: InstallPorts,
): Promise<OutdatedReport | undefined> {
  const core = await readCore(api)
  const all = core === undefined ? [] : installedOnes(core)
  const installed = all.filter(isRead)
  const shown = named === undefined ? all : namedOnes(named, core, all)
  const unread = unreadWarnings(shown)
  if (shown.length === 0) return undefined
  if (unread.length === shown.length) return {packages: [], current: 0, notes: unread}
  const {budget, trust, teams, ...policy} = await readPolicy(settings, requests)
  const coreVersion = policy.coreVersion ?? (await readCoreVersion(api))
  const lock = clusterLock({requests: installed}, 'all')
  const packages = withTrust(await requests.packages(), trust)
  const resolve = async (roots: readonly RequestedXpkg[]) =>
    await xpkgClosure(
      {
        ...{roots, sources: {teams}, listsPinned: true, isInstalled: true},
        ...{budget, lock},
        ...present({coreVersion}),
      },
      packages,
    )
  const closure = await resolve(installed.map(requestedRoot))
  const compared = shown.filter(isRead)
  const isShown = ({package: repository}: {readonly package: string}) =>
    compared.some(request => request.repository === repository)
  const outdated = xpkgOutdated(installed.map(lockedRequest), closure, coreVersion).filter(isShown)
  const isPinned = outdated.some(({status}) => status === 'pinned')
  const fitting = isPinned ? await resolve(installed.map(unrestrictedRoot)).catch(noneFits) : closure
  const others = fitting === undefined ? [] : othersNotes(fitting, compared)
  return {packages: outdated, current: compared.length - outdated.length, notes: [...unread, ...others]}
}

/** Of several requests for a repository, one is compared. */
function namedOnes(
  named: NameText,
  core: CoreState | undefined,
  all: readonly CoreRequest[],
): readonly CoreRequest[] {
  const {requests} = core ?? {requests: []}
  const repositories = new Set(namedToRead(named, requests).map(({repository}) => repository))
  return all.filter(({repository}) => repositories.has(repository))
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

/** Without the pins, there can be no solution: that is no error of a comparison that has them. */
function noneFits(error: unknown): undefined {
  if (error instanceof CrossplaneError && error.code === 'unresolvable') return undefined
  throw error
}

/** Others can request only versions. */
function requestedRoot(request: CoreRequest): RequestedXpkg {
  if (!isOfOthers(request)) return unrestrictedRoot(request)
  const {repository, name} = request
  return {repository, version: installedVersion(request), name}
}

function isOfOthers({object, isByCore}: CoreRequest): boolean {
  return !isOurs(object) && !isByCore
}

/**
 * Without names, `upgrade` leaves alone what other programs requested, of which newer versions fit. What is applied from Git is
 * changed there.
 */
export function othersNotes(
  {packages}: Pick<XpkgClosure, 'packages'>,
  requests: readonly CoreRequest[],
): readonly Diagnostic[] {
  const fits = new Map(packages.map(({repository, version}) => [repository, version]))
  const newer = requests.filter(isOfOthers).flatMap(request => {
    const version = fits.get(request.repository)
    if (version === undefined || isDigest(version) || version === installedVersion(request)) return []
    return [
      {...request, upgraded: `${request.repository}:${version}`, applier: gitApplier(request.object) ?? ''},
    ]
  })
  return [...grouped(newer, ({applier}) => applier)].map(([applier, left]) => othersNote(applier, left))
}

function othersNote(
  applier: string,
  left: readonly {readonly repository: string; readonly upgraded: string}[],
): Diagnostic {
  const names = listNames(left.map(one => one.repository))
  const upgrade = ['package', 'upgrade', ...left.map(one => one.upgraded)]
  const requests = plural(left.length, 'its request', 'their requests')
  const them = plural(left.length, 'it', 'them')
  if (applier !== '') {
    const message = `${applier} applies ${names} from Git, and would undo an upgrade in the cluster: upgrade ${them} in the repository`
    return noteOf('xpkg-from-git', message, [...upgrade, '--git', '.'])
  }
  const message = `other programs requested ${names}: change ${requests} there, or take ${them} over by name, since upgrade leaves ${them} alone otherwise`
  return noteOf('xpkg-of-others', message, [...upgrade, '--adopt'])
}

function noteOf(rule: string, message: string, command: readonly string[]): Diagnostic {
  return {severity: 'note', rule, message, suggestions: [commandLine(command)]}
}
