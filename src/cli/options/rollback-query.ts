import {CrossplaneError} from '../../errors.js'
import type {RollbackQuery} from '../../pipeline/cluster/rollback.js'
import {quoted} from '../../text.js'
import type {applyFlags} from '../flags/change.js'
import type {FlagValues} from '../flags/flag-values.js'
import type {rollbackFlags} from '../flags/render.js'
import {type InstallContext, installOptions, rejectCrossplaneVersion} from './install-query.js'
import {installId} from './install-id.js'
import {resolutionSettings} from './resolution/resolution-settings.js'

type RollbackFlags = FlagValues<typeof rollbackFlags & typeof applyFlags> & {readonly namespace?: string}

/** The query of `package rollback`. Throws `usage`. */
export function rollbackQuery(
  {name, revision}: {readonly name?: string; readonly revision?: string},
  flags: RollbackFlags,
  {toolVersion, flagNames, namespace}: InstallContext,
): RollbackQuery {
  rejectCrossplaneVersion(flagNames)
  return {
    id: installId(name, flags.namespace ?? namespace),
    ...(revision === undefined ? {} : {revision: revisionNumber(revision)}),
    settings: resolutionSettings(flags, flagNames),
    options: installOptions(flags, toolVersion),
  }
}

function revisionNumber(text: string): number {
  const number = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
  if (number > 0) return number
  throw new CrossplaneError('usage', `invalid REVISION ${quoted(text)}: not a number above 0`)
}
