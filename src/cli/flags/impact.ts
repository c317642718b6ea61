import {integer, option, string} from '@oclif/core/flags'
import {VERDICTS} from '../../usage/objects/object-findings.js'
import {setFlags} from './compare.js'

/** Flags of `package impact`. */
export const impactFlags = {
  objects: string({
    helpGroup: 'OBJECTS',
    helpValue: 'PATH',
    multiple: true,
    multipleNonGreedy: true,
    summary:
      'File or folder with objects, or - for standard input; can be repeated (default: usage.objects of the declaration)',
  }),
  old: string({
    dependsOn: ['new'],
    helpGroup: 'PACKAGE',
    helpValue: 'REF',
    summary: 'Package, folder, lock file or declaration before the change (default: the lock file)',
  }),
  new: string({
    dependsOn: ['old'],
    helpGroup: 'PACKAGE',
    helpValue: 'REF',
    summary: 'The same after the change (default: what an upgrade would select)',
  }),
  'fail-on': option({
    options: VERDICTS,
    default: ['breaks', 'lost', 'unserved'],
    delimiter: ',',
    helpGroup: 'OBJECTS',
    helpValue: 'VERDICT',
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Verdicts with which the command exits with 1, separated by commas',
  })(),
  'max-unread': integer({
    helpGroup: 'OBJECTS',
    helpValue: 'N',
    min: 0,
    summary: 'Exit with 1 if more objects and files than this could not be judged',
  }),
  output: option({
    char: 'o',
    options: ['text', 'json', 'yaml', 'markdown', 'github'] as const,
    default: 'text',
    helpGroup: 'OUTPUT',
    summary:
      'Output format; markdown is for a comment on a pull request, github prints GitHub Actions annotations',
  })(),
  ...setFlags,
}
