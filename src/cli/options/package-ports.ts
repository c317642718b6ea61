import {parsePlatform} from '../../fetch/platform.js'
import type {PackagePorts} from '../../pipeline/locate/located-package.js'
import type {RemotePackages} from '../../pipeline/locate/pull-package.js'
import {checkedSource} from './registry/default-source.js'
import {packageCache} from './cache/cache-query.js'
import type {PullFlagValues} from './registry/pull-values.js'
import type {Progress} from '../output/progress.js'
import type {DeclaredSources} from './resolution/wanted.js'
import {type IndexFlagValues, indexNames, indexOpener} from './index/indexes.js'
import {registries} from './registry/registries.js'
import {packageFolder, packageSources} from '../wire.js'

/** Where a command finds packages. Nothing is opened before it is asked of. */
export async function packagePorts(
  flags: PullFlagValues & IndexFlagValues & {readonly packages?: string},
  progress: Progress,
  declared?: DeclaredSources,
): Promise<PackagePorts> {
  const source = flags['default-source']
  const remote = remotePackages(flags, progress, declared)
  return {
    ...(await folderPorts(flags)),
    remote,
    ...indexPorts(flags, remote, declared),
    ...(source === undefined ? {} : {defaultSource: checkedSource(source)}),
  }
}

/** Where a command finds packages that asks no registry. */
export async function folderPorts({
  packages,
  platform,
}: {
  readonly packages?: string
  readonly platform?: string
}): Promise<PackagePorts> {
  return {
    sources: packageSources,
    remote: {},
    ...(packages === undefined ? {} : {folder: await packageFolder(packages)}),
    ...(platform === undefined ? {} : {platform: parsePlatform(platform)}),
  }
}

/** Indexes of the command line before those of a declaration, each once. */
function indexPorts(
  flags: PullFlagValues & IndexFlagValues,
  remote: RemotePackages,
  declared: DeclaredSources | undefined,
): Pick<PackagePorts, 'indexes'> {
  const names = [...new Set([...indexNames(flags), ...(declared?.indexes ?? [])])]
  if (names.length === 0) return {}
  const open = indexOpener(remote, flags['default-source'] ?? declared?.defaultSource)
  return {indexes: () => Promise.all(names.map(open))}
}

/** How registries are asked, and what was asked of them before. */
export function remotePackages(
  flags: PullFlagValues,
  progress: Progress,
  declared?: DeclaredSources,
): RemotePackages {
  const {report, warn, pulled} = progress
  return {
    ...(flags.offline ? {} : {registry: registries(flags, progress)}),
    ...(declared === undefined ? {} : {mirrors: declared.registries}),
    ...(flags['no-cache'] ? {} : {cache: () => packageCache(flags, warn)}),
    report,
    onPulled: pulled,
  }
}
