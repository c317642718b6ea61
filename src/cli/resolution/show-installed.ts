import {CrossplaneError} from '../../errors.js'
import type {OutdatedReport} from '../../package/reports.js'
import {clusterOutdated, clusterTrees, clusterWhy} from '../../pipeline/cluster/cluster-graph.js'
import {withClusterMirrors} from '../../pipeline/cluster/core/cluster-mirrors.js'
import {present} from '../../present.js'
import {type ClusterFlags} from '../cluster/cluster-connection.js'
import {type ResolutionFlags, resolutionSettings} from '../declaration/resolution-settings.js'
import {clusterFlags} from '../cluster/cluster-flags.js'
import {openCluster} from '../cluster/cluster-ports.js'
import {requestPorts} from '../packages/package-ports.js'
import {commonFlags} from '../shell/flags/common-flags.js'
import {progress} from '../shell/progress/progress.js'
import {pullFlags} from '../sources/pull-flags.js'
import {painter} from '../shell/text/paint.js'
import {showNotes} from '../shell/document/show.js'
import {type Drawing, showTrees} from './show-tree.js'
import {showWhy} from './show-why.js'

/** The parts of a command line with `--installed`. */
interface InstalledQuery {
  /** What is drawn instead of all that was requested. */
  readonly name: string | undefined
  readonly argv: readonly string[]
  readonly version: string
}

/** Prints the dependency tree of the installed packages. Throws `usage`, `not-found` and the errors of the API. */
export async function showInstalledTree(
  flags: ClusterFlags & {
    readonly namespace?: string
    readonly depth?: number
    readonly 'default-source'?: string
    readonly output: Drawing['format']
  },
  {name, argv, version}: InstalledQuery,
): Promise<void> {
  const shown = progress(argv)
  const {api} = await openCluster(flags, version, shown)
  const {depth, namespace} = flags
  const named =
    name === undefined ? undefined : {text: name, action: 'show', defaultSource: flags['default-source']}
  const trees = await clusterTrees(present({depth, namespace, named}), api).finally(shown.end)
  const drawing = {format: flags.output, paint: painter(argv, 'stdout'), ...present({depth})}
  await showTrees(trees, drawing, ({notes}) => {
    showNotes(notes, argv)
  })
}

/** Explains why a package is installed. Throws `not-found` and the errors of the API. */
export async function showInstalledWhy(
  what: string,
  flags: ClusterFlags & {readonly output: Drawing['format']; readonly 'default-source'?: string},
  {argv, version}: Omit<InstalledQuery, 'name'>,
): Promise<void> {
  const shown = progress(argv)
  const {api} = await openCluster(flags, version, shown)
  const query = {text: what, action: 'explain', defaultSource: flags['default-source']}
  const report = await clusterWhy(query, api).finally(shown.end)
  await showWhy(report, {format: flags.output, paint: painter(argv, 'stdout'), verb: 'is installed'})
}

/** Compares the packages of a cluster, or what a name means, with the newest versions. Throws the errors of resolution and the API. */
export async function installedOutdated(
  flags: ClusterFlags & Parameters<typeof requestPorts>[0] & ResolutionFlags,
  {name, flagNames, version}: Omit<InstalledQuery, 'argv'> & {readonly flagNames: ReadonlySet<string>},
  shown: ReturnType<typeof progress>,
): Promise<OutdatedReport> {
  const {api} = await openCluster(flags, version, shown)
  const requests = withClusterMirrors(requestPorts(flags, shown), api)
  const settings = resolutionSettings(flags, flagNames)
  const named =
    name === undefined ? undefined : {text: name, action: 'compare', defaultSource: settings.defaultSource}
  return await clusterOutdated({settings, ...present({named})}, {api, requests})
}

/** Flags of the connection to a cluster and of the output; those of registries say how packages would be read. */
const OF_CLUSTER = [...Object.keys({...clusterFlags, ...pullFlags, ...commonFlags}), 'installed', 'output']

/**
 * Rejects flags that decide which packages would be selected: the cluster has decided that. Throws `usage`.
 * @param used - the other flags that the command uses with --installed.
 */
export function expectOfCluster(flagNames: ReadonlySet<string>, used: readonly string[] = []): void {
  const other = [...flagNames].find(name => !OF_CLUSTER.includes(name) && !used.includes(name))
  if (other !== undefined) throw notWithInstalled(other)
}

/**
 * Rejects flags of a request, which the comparison of a cluster has none of; where dependencies are installed decides about versions. Throws
 * `usage`.
 */
export function expectNoRequestFlags(flagNames: ReadonlySet<string>): void {
  const other = ['namespace', 'as-package'].find(name => flagNames.has(name))
  if (other !== undefined) throw notWithInstalled(other)
}

function notWithInstalled(flag: string): CrossplaneError {
  return new CrossplaneError('usage', `--${flag} has no effect with --installed`, {
    suggestions: [`Omit --installed to resolve a request, or omit --${flag}.`],
  })
}

/** Rejects the name of a request, which is not installed. Throws `usage`. */
export function expectNoReference(name: string | undefined): void {
  if (name === undefined) return
  throw new CrossplaneError('usage', 'NAME after REF and --installed are mutually exclusive', {
    suggestions: ['Omit --installed to resolve a request.'],
  })
}
