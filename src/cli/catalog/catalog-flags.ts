import {integer, string} from '@oclif/core/flags'
import {setFlags} from '../compare/compare-flags.js'

/** Flags that select the packages of a catalog. */
export const catalogFlags = {
  declaration: string({
    helpGroup: 'PACKAGE',
    helpValue: 'FILE',
    summary: 'Declaration whose packages to show, with their dependencies',
  }),
  versions: integer({
    min: 1,
    helpGroup: 'PACKAGE',
    helpValue: 'N',
    summary: 'Show at most N versions of each package, newest first (default: all)',
  }),
  ...setFlags,
}
