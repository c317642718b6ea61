import {CrossplaneError} from '../../errors.js'
import type {IndexTarget} from '../../pipeline/index/index-target.js'
import {parseIndexName} from '../sources/index-name.js'

/** Of `indexTargetFlags`; a command that adds to an index as a second step has them optional. */
export interface IndexTargetFlags {
  readonly index: string
  readonly 'single-repository'?: boolean
  readonly 'default-source'?: string
}

/** The index that a command line writes to. Throws `usage` for a file, which is only read. */
export function indexTarget(flags: IndexTargetFlags): IndexTarget {
  const name = parseIndexName(flags.index, flags['default-source'])
  if (name.kind === 'repository') {
    return {
      root: name.root,
      layout: flags['single-repository'] === true ? 'single-repository' : 'repositories',
    }
  }
  throw new CrossplaneError(
    'usage',
    `cannot add to the index ${name.path}: it is a file, not an index in a registry`,
    {
      suggestions: [
        'Add a file to an index in a registry: kubectl crossplane registry index import FILE --index ROOT',
      ],
    },
  )
}
