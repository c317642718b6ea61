import {CrossplaneError} from '../../errors.js'
import type {RollbackQuery} from '../../pipeline/cluster/installed-format.js'
import {present} from '../../present.js'
import {quoted} from '../../text.js'
import type {applyFlags} from '../plan/change-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {rollbackFlags} from '../render/render-flags.js'
import type {acceptImpactFlag} from '../declaration/lock-flags.js'
import {type InstallContext, installOptions, rejectCrossplaneVersion} from './install-query.js'
import {namedQuery} from '../cluster/install-id.js'
import {resolutionSettings} from '../declaration/resolution-settings.js'

type RollbackFlags = FlagValues<typeof rollbackFlags & typeof applyFlags & typeof acceptImpactFlag> & {
  readonly namespace?: string
}

/** The query of `package rollback`. Throws `usage`. */
export function rollbackQuery(
  {name, revision}: {readonly name?: string; readonly revision?: string},
  flags: RollbackFlags,
  {toolVersion, flagNames, namespace}: InstallContext,
): RollbackQuery {
  rejectCrossplaneVersion(flagNames)
  return {
    ...namedQuery(name, flags, namespace),
    ...present({revision: requestedRevision(revision, flags['to-revision'])}),
    settings: resolutionSettings(flags, flagNames),
    options: installOptions(flags, toolVersion),
  }
}

/** The number of a revision: an argument, or a flag as kubectl has it. */
function requestedRevision(text: string | undefined, flag: number | undefined): number | undefined {
  if (text === undefined) return flag
  if (flag === undefined) return revisionNumber(text)
  throw new CrossplaneError('usage', 'REVISION and --to-revision are mutually exclusive', {
    suggestions: ['Leave out one of them.'],
  })
}

function revisionNumber(text: string): number {
  const number = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
  if (number > 0) return number
  throw new CrossplaneError('usage', `invalid REVISION ${quoted(text)}: not a number above 0`)
}
