import {failureOf} from '../../../cluster/api/cluster-failure.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {CrossplaneError} from '../../../errors.js'
import type {PackagePorts} from '../../../locate/located-package.js'
import {withTrust} from '../../../locate/with-trust.js'
import {readCore} from '../../../observe/core/read-core.js'
import {readCoreVersion} from '../../../observe/objects/read-core-version.js'
import type {CoreRequest, CoreState} from '../../../plan/cluster/state/core-state.js'
import {isOurs, requestedAs} from '../../../plan/cluster/core/requested-as.js'
import {coreReference} from '../../../plan/cluster/core/read-core-object.js'
import {present} from '../../../present.js'
import {isDigest} from '../../../reference/image-name.js'
import {namedIn} from '../../../reference/named.js'
import {readPolicy} from '../../request/read-request.js'
import type {RequestedXpkg} from '../../../package/xpkg/requested-xpkg.js'
import type {InstallPorts} from '../install.js'
import {pinnedNote} from '../../resolution/pinned-note.js'
import type {InstalledUpgrade, UpgradedPart} from '../installed-format.js'
import type {PackagesChange} from '../joined-changes.js'
import {changePackages} from './change-packages.js'
import {type ResolvedPackages} from './resolved-packages.js'
import {closureInCluster} from './closure-in-cluster.js'
import {installedActivation, withActivation} from './installed-activation.js'
import {installedVersion} from './cluster-lock.js'

interface XpkgUpgrade extends Omit<InstalledUpgrade, 'choices'> {
  /** Whether what the cluster activates stays, whatever it is. */
  readonly keepsPolicies?: boolean
}

/**
 * Plans the upgrade of those of the named packages that a core has, or of all that this program installed. Throws as
 * `changePackages` does.
 */
export async function upgradeXpkgs(query: XpkgUpgrade, ports: InstallPorts): Promise<UpgradedPart> {
  const {names, settings} = query
  const core = await readCore(ports.api).catch((error: unknown) => deniedBy(error))
  if (core instanceof CrossplaneError) return {others: names, denied: core}
  const {requests} = core ?? {requests: []}
  const isXpkg = (text: string) => namedRequest(text, requests, settings.defaultSource) !== undefined
  const others = names.filter(text => !isXpkg(text))
  const hasAny =
    names.length === 0 ? requests.some(({object}) => isOurs(object)) : others.length < names.length
  if (!hasAny) return {others}
  return {others, change: await upgradeNamed({...query, names: names.filter(isXpkg)}, ports)}
}

/** Users of namespaces may not read what is in none. */
function deniedBy(error: unknown): CrossplaneError {
  if (error instanceof CrossplaneError && failureOf(error)?.status === 403) return error
  throw error
}

/** The request of a NAME or NAME:TAG; of several for a repository, the first. */
function namedRequest(
  text: string,
  requests: readonly CoreRequest[],
  defaultSource: string | undefined,
): CoreRequest | undefined {
  const {repository: name} = coreReference(text)
  return namedIn({text: name, action: 'upgrade', defaultSource}, requests)[0]
}

/** Without names, packages that users requested without a version; what others require stays if it fits. */
async function upgradeNamed(
  {names, settings: asked, options, xpkgs, keepsPolicies}: XpkgUpgrade,
  {api, requests}: InstallPorts,
): Promise<PackagesChange> {
  const {budget, trust, judge, teams, ...policy} = await readPolicy(asked, requests)
  const coreVersion = policy.coreVersion ?? (await readCoreVersion(api))
  const packages = withTrust(await requests.packages(), trust)
  const resolve = async (core: CoreState) => {
    const context = {packages, budget, teams, ...present({coreVersion, defaultSource: asked.defaultSource})}
    const resolved = await resolvedUpgrade(names, core, context)
    if (xpkgs.activation !== undefined) return resolved
    const upgraded = {packages: resolved.closure.packages, coreVersion, keepsPolicies}
    return withActivation(resolved, await installedActivation(upgraded, core, api))
  }
  const settings = {...xpkgs, ...present({coreVersion})}
  return await changePackages(
    {settings, options, packages, loadJudge: requests.usage.judge, ...present({judge})},
    resolve,
    api,
  )
}

interface UpgradeContext extends Pick<
  Parameters<typeof closureInCluster>[0],
  'budget' | 'coreVersion' | 'teams'
> {
  readonly packages: PackagePorts
  readonly defaultSource?: string
}

async function resolvedUpgrade(
  names: readonly string[],
  core: CoreState,
  {packages, defaultSource, ...context}: UpgradeContext,
): Promise<ResolvedPackages> {
  const ours = core.requests.filter(request => isOurs(request.object) && requestedAs(request) !== undefined)
  const moves = new Map(
    names.flatMap(text => {
      const request = namedRequest(text, core.requests, defaultSource)
      return request === undefined ? [] : [[request.repository, coreReference(text)] as const]
    }),
  )
  const isNamed = ({repository}: Pick<CoreRequest, 'repository'>) =>
    names.length === 0 || moves.has(repository)
  const named = core.requests.filter(({repository}) => moves.has(repository))
  const roots = [...new Set([...ours, ...named])].map(request => rootOf(request, moves, isNamed(request)))
  const closure = await closureInCluster(
    {
      roots: roots.map(({root}) => root),
      named: roots.flatMap(({root}) => (isNamed(root) ? [root] : [])),
      upgraded: names.length === 0 ? 'all' : [...moves.keys()],
      awaited: [...moves.keys()],
      ...context,
    },
    core,
    packages,
  )
  return {
    closure,
    requestedAs: new Map(roots.flatMap(({root, as}) => (as === undefined ? [] : [[root.repository, as]]))),
    notes: pinNotes(ours.filter(request => isNamed(request) && !isMoved(request, moves))),
  }
}

type Moves = ReadonlyMap<string, Pick<CoreRequest, 'tag' | 'digest'>>

function isMoved({repository}: CoreRequest, moves: Moves): boolean {
  const {tag, digest} = moves.get(repository) ?? {}
  return tag !== undefined || digest !== undefined
}

interface UpgradeRoot {
  readonly root: RequestedXpkg
  /** What the user requests from now on; absent for a dependency. */
  readonly as?: string | undefined
}

/** Returns a request in any version that the user allowed. */
export function unrestrictedRoot(request: CoreRequest): RequestedXpkg {
  return {...rootOf(request, new Map(), true).root, name: request.name}
}

function rootOf(request: CoreRequest, moves: Moves, isUpgraded: boolean): UpgradeRoot {
  const as = requestedAs(request)
  const to = moves.get(request.repository)
  const version = to?.tag ?? to?.digest
  if (to !== undefined && version !== undefined) return movedRoot(request, {...to, version}, as !== undefined)
  const {repository} = request
  if (!isUpgraded) return {root: {repository, version: installedVersion(request)}, as}
  if (as !== undefined && isPinned(request)) return {root: {repository, version: as}, as}
  return {root: as ? {repository, constraint: as} : {repository}, as}
}

function movedRoot(
  {repository}: CoreRequest,
  {version, tag, digest}: Pick<CoreRequest, 'tag' | 'digest'> & {readonly version: string},
  isRequested: boolean,
): UpgradeRoot {
  const root = {repository, version, ...(tag === undefined ? {} : present({digest}))}
  return isRequested ? {root, as: version} : {root}
}

/** The tag that a user requested is the installed one; a constraint is none. */
function isPinned(request: CoreRequest): boolean {
  const as = requestedAs(request)
  return as !== undefined && (isDigest(as) || as === request.tag)
}

function pinNotes(requests: readonly CoreRequest[]): readonly Diagnostic[] {
  const pinned = requests.filter(isPinned)
  return pinnedNote(pinned.map(request => `${request.repository} (${requestedAs(request) ?? ''})`))
}
