import {CrossplaneError} from '../../../errors.js'
import type {AddPorts} from '../../../pipeline/index/add-to-index.js'
import type {IndexTarget, IndexTargetPorts} from '../../../pipeline/index/index-target.js'
import type {Progress} from '../../output/progress.js'
import {registryAt} from '../author/build-query.js'
import type {RegistryFlagValues} from '../registry/http-options.js'
import {parseIndexName} from './indexes.js'
import {packagePorts} from '../package-ports.js'
import type {PullFlagValues} from '../registry/pull-values.js'

/** The values of `indexTargetFlags`, as oclif parses them. */
export interface IndexTargetFlagValues {
  readonly index: string
  readonly 'single-repository'?: boolean
  readonly 'default-source'?: string
}

/** The index that a command line writes to. Throws `usage` for a file: nobody adds to one. */
export function indexTarget(flags: IndexTargetFlagValues): IndexTarget {
  const name = parseIndexName(flags.index, flags['default-source'])
  if (name.kind === 'repository') {
    return {
      root: name.root,
      layout: flags['single-repository'] === true ? 'single-repository' : 'repositories',
    }
  }
  throw new CrossplaneError('usage', `${name.path} is a file, and only an index in a registry is added to`, {
    suggestions: [
      'registry index export writes an index to a file, registry index import adds one to another.',
    ],
  })
}

/** How such a command speaks to the registry of the index. */
export function targetPorts(
  flags: RegistryFlagValues & {readonly offline: boolean},
  progress: Progress,
): IndexTargetPorts {
  return {registry: registryAt(flags, progress), report: progress.report}
}

/** The same for one that pulls packages, too. Each is told on stdout, and not when it was pulled. */
export async function addPorts(flags: PullFlagValues, progress: Progress): Promise<AddPorts> {
  const {remote, ...ports} = await packagePorts(flags, {...progress, pulled: () => undefined})
  return {
    ...ports,
    remote,
    ...targetPorts(flags, progress),
    ...(remote.registry && {registry: remote.registry}),
  }
}
