import {boolean, string} from '@oclif/core/flags'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {withClusterMirrors} from '../../pipeline/cluster/core/cluster-mirrors.js'
import {expectApplicable} from '../../package/expect-applicable.js'
import {isMoveBegun, type MoveQuery, prepareMove} from '../../pipeline/cluster/core/move-packages.js'
import type {ClusterChange} from '../../pipeline/cluster/cluster-change.js'
import {withWayOn} from '../../plan/cluster/core/move-continuation.js'
import {present} from '../../present.js'
import {escaped, listNames, quoted} from '../../text.js'
import {changeFlags} from '../plan/change-flags.js'
import type {OpenCluster} from '../cluster/cluster-ports.js'
import {changePorts} from '../cluster/cluster-ports.js'
import {resolutionSettings} from '../declaration/resolution-settings.js'
import {requestPorts} from '../packages/package-ports.js'
import type {moveSourceFlags} from '../render/render-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import {type ChangeRun, toCluster} from './cluster-change.js'
import {showNotes} from '../shell/document/show.js'
import {showTarget} from './show-cluster-change.js'

/** Flags of `package move`. A move cannot be saved as a plan: each step is decided by what the one before led to. */
export const moveFlags = {
  name: string({
    helpGroup: 'REQUEST',
    helpValue: 'NAME',
    summary: 'Name of the package in the cluster, its request (default: the name that Crossplane derives)',
  }),
  family: boolean({
    helpGroup: 'REQUEST',
    summary: 'Move the members of the family with it: the packages beside it that require it',
  }),
  with: string({
    helpGroup: 'REQUEST',
    helpValue: 'NAME:TAG',
    multiple: true,
    multipleNonGreedy: true,
    summary:
      'Configuration that requires the package, in the version that requires its new repository; can be repeated',
  }),
  continue: boolean({
    exclusive: ['back', 'name', 'family', 'with'],
    helpGroup: 'REQUEST',
    summary: 'Complete a move that was interrupted',
  }),
  back: boolean({
    exclusive: ['name', 'family', 'with'],
    helpGroup: 'REQUEST',
    summary: 'Undo a move that was interrupted',
  }),
  yes: changeFlags.yes,
  'dry-run': changeFlags['dry-run'],
  'show-objects': changeFlags['show-objects'],
  timeout: changeFlags.timeout,
}

type MoveFlags = FlagValues<typeof moveFlags & typeof moveSourceFlags> &
  Pick<ChangeRun['flags'], 'output'> & {
    readonly quiet: boolean
  }

/** Reads what a command line moves. Throws `usage`. */
export function moveQuery(
  {old, new: to}: {readonly old?: string; readonly new?: string},
  flags: MoveFlags,
  flagNames: ReadonlySet<string>,
): MoveQuery {
  // Only Providers of a current Crossplane move.
  expectApplicable(['xpkg'], flagNames, ['owner'])
  if (flags.continue || flags.back) {
    if (old !== undefined)
      throw new CrossplaneError(
        'usage',
        `OLD and --${flags.back ? 'back' : 'continue'} are mutually exclusive`,
        {
          suggestions: ['Leave out OLD and NEW: the cluster has them.'],
        },
      )
    expectUsed(flags, flagNames)
    return {action: flags.back ? 'back' : 'continue'}
  }
  if (old === undefined || to === undefined)
    throw new CrossplaneError('usage', `missing argument ${old === undefined ? 'OLD' : 'NEW'}`, {
      suggestions: ['kubectl crossplane package move --help'],
    })
  return {
    ...{
      action: 'begin',
      from: old,
      to,
      family: flags.family,
      with: flags.with ?? [],
      ...present({name: flags.name}),
    },
    settings: resolutionSettings(flags, flagNames),
  }
}

/** Throws `usage` for a flag that decided what a move became when it began; a policy judges each commit. */
function expectUsed(
  flags: Pick<MoveFlags, 'back'> & {readonly git?: string},
  flagNames: ReadonlySet<string>,
): void {
  const unused = ['core-version', ...(flags.git === undefined ? ['policy', 'solve-timeout'] : [])]
  const flag = unused.find(name => flagNames.has(name))
  if (flag === undefined) return
  throw new CrossplaneError(
    'usage',
    `--${flag} has no effect with --${flags.back ? 'back' : 'continue'}: the move was judged when it began`,
    {suggestions: [`Leave out --${flag}.`]},
  )
}

/** Shows a move, or what is left of one, and applies it once it is confirmed. */
export async function toMoved(
  query: MoveQuery,
  flags: MoveFlags,
  cluster: OpenCluster,
  argv: readonly string[],
): Promise<void> {
  const {connection, api, progress} = cluster
  showTarget(connection, argv)
  const requests = withClusterMirrors(requestPorts(flags, progress), api)
  const change = await prepareMove(query, {api, requests}).finally(progress.end)
  if (query.action === 'begin') showNotes([declarationNote(query)], argv)
  // Each step relies on the one before.
  const all = {...flags, 'no-wait': false}
  const ports = await changePorts(cluster, all)
  const files = {origin: {command: 'package move', arguments: [], context: '', server: '', toolVersion: ''}}
  await toCluster(change, {flags: all, ports, argv, files, deletedAs: 'deleted', showsSteps: true}).catch(
    async (error: unknown) => {
      throw withWayOn(error, await isStopped(error, change, api))
    },
  )
}

/** A declaration that names the former package would request it again. */
export function declarationNote({
  from,
  to,
  with: changed,
}: Pick<Extract<MoveQuery, {readonly action: 'begin'}>, 'from' | 'to' | 'with'>): Diagnostic {
  const versions = changed.length === 0 ? '' : `, and request ${listNames(changed)},`
  const message = `replace the package of ${quoted(from)} with ${escaped(to)}${versions} in a declaration of this cluster, or its next install requests the former ${changed.length === 0 ? 'package' : 'packages'} again`
  return {severity: 'note', rule: 'declaration-move', message}
}

/** Reports whether a step failed after which the cluster has what is needed to go on, or back. */
async function isStopped(
  error: unknown,
  {decision: {plan}}: ClusterChange,
  api: OpenCluster['api'],
): Promise<boolean> {
  // What rejects a plan, or leaves it unconfirmed, has suggestions of its own.
  if (!(error instanceof CrossplaneError) || plan.rejections.length > 0 || UNCHANGED.has(error.code))
    return false
  // Without an answer, the commands find out: without a move, they change nothing.
  return await isMoveBegun(api).catch(() => true)
}

const UNCHANGED: ReadonlySet<string> = new Set(['declined', 'usage'])
