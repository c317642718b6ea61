import type {ImportQuery} from '../../pipeline/import/import-packages.js'
import {present} from '../../present.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {newTreeFlags} from '../render/tree-flags.js'
import {resolutionSettings} from '../declaration/resolution-settings.js'

type ImportFlags = Parameters<typeof resolutionSettings>[0] &
  FlagValues<typeof newTreeFlags> & {readonly declaration: string}

/**
 * Returns what `package import` reads and writes.
 * @param files - the files of `--objects`.
 */
export function importQuery(
  flags: ImportFlags,
  settings: Parameters<typeof resolutionSettings>[1],
  files: ImportQuery['files'],
): ImportQuery {
  const {declaration, layout, 'repo-url': repoURL} = flags
  return {
    file: declaration,
    settings: resolutionSettings(flags, settings),
    ...present({tree: layout && {layout, ...present({repoURL})}, files}),
  }
}
