import {CrossplaneError} from '../../errors.js'
import type {UpdateQuery} from '../../pipeline/git/update-plan.js'
import {present} from '../../present.js'
import {DEFAULT_RELEASE} from '../../reference/crossplane-release.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import {parseDuration} from '../shell/flags/duration.js'
import type {packageUpdateFlags} from './update-branch-flags.js'
import {commitStyle} from '../git/git-query.js'

type Flags = FlagValues<typeof packageUpdateFlags>

/** The query of `package update`. Throws `usage`. @param now - in milliseconds since the epoch. */
export function updateQuery(names: readonly string[], flags: Flags, now: number): UpdateQuery {
  const {explain, by, within, limit} = flags
  if (explain !== undefined && names.length > 0) {
    throw new CrossplaneError('usage', '--explain and PACKAGE are mutually exclusive', {
      suggestions: ['Pass the package with --explain alone.'],
    })
  }
  return {
    ...{by, within},
    names: explain === undefined ? names : [explain],
    style: commitStyle(flags),
    ...present({
      limit,
      minAge: flags['min-age'] === undefined ? undefined : parseDuration(flags['min-age'], '--min-age'),
    }),
    now,
    isDryRun: flags['dry-run'] === 'client',
    opensMergeRequests: flags.pr === 'gitlab',
    isForOne: flags['body-file'] !== undefined,
    change: {...plainChange(flags), assumeNoInstances: false},
  }
}

/** The parts of a commit by a command that takes all settings from the declaration. */
export function plainChange(
  flags: Pick<Flags, 'solve-timeout'>,
): Omit<UpdateQuery['change'], 'assumeNoInstances'> {
  return {
    declared: {render: {}, assume: [], owners: []},
    settings: {
      owners: [],
      assume: {crds: [], files: []},
      crossplane: {release: DEFAULT_RELEASE, isGiven: false},
      allowVersionMismatch: false,
      solveTimeout: parseDuration(flags['solve-timeout'], '--solve-timeout'),
    },
    keepsInstances: false,
    migratesVersions: false,
    settingFlags: {changeSettings: false, allowPruning: false},
  }
}
