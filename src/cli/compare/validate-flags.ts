import {option, string} from '@oclif/core/flags'
import {closureFlags} from './compare-flags.js'
import {objectsFlag} from './impact-flags.js'

/** Flags of `package validate`. */
export const validateFlags = {
  ...objectsFlag,
  'allow-unknown': string({
    helpGroup: 'OBJECTS',
    helpValue: 'GROUP|KIND',
    multiple: true,
    multipleNonGreedy: true,
    default: [],
    summary: 'API group, kind or KIND.GROUP that needs no schema; can be repeated',
  }),
  output: option({
    char: 'o',
    options: ['text', 'json', 'yaml', 'github'] as const,
    default: 'text',
    helpGroup: 'OUTPUT',
    summary: 'Output format; text may change between releases, github prints GitHub Actions annotations',
  })(),
  ...closureFlags,
}
