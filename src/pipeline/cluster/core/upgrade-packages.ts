import type {Diagnostic} from '../../../diagnostic.js'
import type {PackagePorts} from '../../../locate/located-package.js'
import {withTrust} from '../../../locate/with-trust.js'
import {readCoreVersion} from '../../../observe/core/read-core-version.js'
import type {CoreRequest, CoreState} from '../../../plan/cluster/core/core-state.js'
import {isOurs, requestedAs} from '../../../plan/cluster/core/requested-as.js'
import {coreReference} from '../../../plan/cluster/core/read-core-object.js'
import {present} from '../../../present.js'
import {isDigest, parseImageName} from '../../../reference/image-name.js'
import {readPolicy} from '../../request/read-request.js'
import {repositoryName} from '../../../reference/repository-name.js'
import type {RequestedXpkg} from '../../../package/xpkg/closure.js'
import type {InstallPorts} from '../install.js'
import {pinnedNote} from '../pinned-note.js'
import type {UpgradeQuery} from '../upgrade.js'
import {changePackages, existingCore, type PackagesChange, type ResolvedPackages} from './change-packages.js'
import {closureInCluster} from './closure-in-cluster.js'
import {installedVersion} from './cluster-lock.js'
import type {GivenXpkgSettings} from '../../../package/rendered-sets.js'

/** The names of an upgrade, by the format of what they name. */
export interface NamedPackages {
  readonly xpkgs: readonly string[]
  readonly others: readonly string[]
}

/** Reports which of the packages that an upgrade names, as REPOSITORY or REPOSITORY:TAG, a core has. */
export function namedPackages(
  names: readonly string[],
  {requests}: Pick<CoreState, 'requests'>,
  defaultSource: string | undefined,
): NamedPackages {
  const isXpkg = (text: string) =>
    requests.some(({repository}) => repository === repositoryIn(text, defaultSource))
  return {xpkgs: names.filter(isXpkg), others: names.filter(text => !isXpkg(text))}
}

function repositoryIn(text: string, defaultSource: string | undefined): string {
  const name = parseImageName(text)
  return name === undefined ? coreReference(text).repository : repositoryName(name, defaultSource)
}

/**
 * Plans the upgrade of packages of a core: those that are named, or all that users requested without a version. What others
 * require stays if it fits. Throws as `changePackages` does.
 */
export async function prepareUpgradePackages(
  {names, settings: asked, options}: UpgradeQuery,
  choices: GivenXpkgSettings,
  {api, requests}: InstallPorts,
): Promise<PackagesChange> {
  await existingCore(api)
  const {budget, trust, judge, teams, ...policy} = await readPolicy(asked, requests)
  const coreVersion = policy.coreVersion ?? (await readCoreVersion(api))
  const packages = withTrust(await requests.packages(), trust)
  const resolve = (core: CoreState) =>
    resolvedUpgrade(names, core, {
      packages,
      budget,
      teams,
      ...present({coreVersion, defaultSource: asked.defaultSource}),
    })
  const settings = {...choices, ...present({coreVersion})}
  return await changePackages({settings, options, packages, ...present({judge})}, resolve, api)
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
  const moves = new Map(names.map(text => [repositoryIn(text, defaultSource), coreReference(text)] as const))
  const isNamed = ({repository}: Pick<CoreRequest, 'repository'>) =>
    names.length === 0 || moves.has(repository)
  const named = core.requests.filter(({repository}) => moves.has(repository))
  const roots = [...new Set([...ours, ...named])].map(request => rootOf(request, moves, isNamed(request)))
  const closure = await closureInCluster(
    {
      roots: roots.map(({root}) => root),
      named: roots.flatMap(({root}) => (isNamed(root) ? [root] : [])),
      upgraded: names.length === 0 ? 'all' : [...moves.keys()],
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
