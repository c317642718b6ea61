import type {BuildQuery} from '../../../pipeline/author/build-package.js'
import {ERAS} from '../../../render/era.js'
import type {buildFlags} from '../../flags/build.js'
import type {FlagValues} from '../../flags/flag-values.js'
import {sourceDateEpoch} from './source-date-epoch.js'

/** The query of `package build` and `package push`. Throws `usage` for an invalid SOURCE_DATE_EPOCH. */
export function buildQuery(
  path: string,
  flags: FlagValues<typeof buildFlags>,
): BuildQuery & {readonly from?: string} {
  const epoch = sourceDateEpoch()
  return {
    path,
    lint: !flags['no-lint'],
    ...(flags['bake-metadata'] ? {bake: ERAS[flags.api]} : {}),
    epoch,
    from: flags.from,
  }
}
