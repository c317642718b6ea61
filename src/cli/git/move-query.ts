import {CrossplaneError} from '../../errors.js'
import {gitFlags} from './git-flags.js'
import {commonFlags} from '../shell/flags/common-flags.js'
import {folderFlags} from '../sources/package-flags.js'

/** Throws `usage` for packages and flags that a move of files has no use for. */
export function expectOnlyMove(names: readonly string[], flagNames: ReadonlySet<string>): void {
  const other = names[0] ?? [...flagNames].filter(flag => !WITH_MOVE.has(flag)).map(flag => `--${flag}`)[0]
  if (other === undefined) return
  throw new CrossplaneError('usage', `${other} and --move-files are mutually exclusive`, {
    suggestions: ['Move the files first: nothing else changes with them.'],
  })
}

const WITH_MOVE: ReadonlySet<string> = new Set([
  ...Object.keys({...commonFlags, ...gitFlags, ...folderFlags}).filter(
    flag => !['accept-impact', 'assume-no-instances', 'change-settings', 'allow-pruning'].includes(flag),
  ),
  ...['move-files', 'declaration', 'yes', 'dry-run', 'output', 'show-objects', 'show-files'],
])
