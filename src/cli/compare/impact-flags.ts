import {integer, option, string} from '@oclif/core/flags'
import {listAll} from '../../text.js'
import {VERDICTS} from '../../usage/objects/verdict.js'
import {clusterFlags} from '../cluster/cluster-flags.js'
import {setFlags} from './compare-flags.js'
import {nearestDeclarationFlag} from '../sources/package-flags.js'

/** The objects that a command judges; `-f` as for kubectl. */
export const objectsFlag = {
  objects: string({
    aliases: ['filename'],
    charAliases: ['f'],
    helpGroup: 'OBJECTS',
    helpValue: 'PATH',
    multiple: true,
    multipleNonGreedy: true,
    summary:
      'File or folder with objects, or - for standard input; can be repeated (default: usage.objects of the declaration)',
  }),
}

/** Flags of `package impact`. */
export const impactFlags = {
  ...objectsFlag,
  ...clusterFlags,
  context: string({
    helpGroup: 'CLUSTER',
    helpValue: 'NAME',
    summary: 'Context of the kubeconfig: also judge the objects of this cluster, of the kinds that change',
  }),
  old: string({
    dependsOn: ['new'],
    exclusive: ['declaration'],
    helpGroup: 'PACKAGE',
    helpValue: 'REF',
    summary: 'Package, folder, lock file or declaration before the change (default: the lock file)',
  }),
  new: string({
    dependsOn: ['old'],
    helpGroup: 'PACKAGE',
    helpValue: 'REF',
    summary:
      'Package, folder, lock file or declaration after the change (default: what an upgrade would select)',
  }),
  declaration: nearestDeclarationFlag,
  'fail-on': option({
    options: VERDICTS,
    default: ['breaks', 'lost', 'unserved'],
    delimiter: ',',
    helpGroup: 'OBJECTS',
    helpValue: 'VERDICT',
    multiple: true,
    multipleNonGreedy: true,
    summary: `Verdicts with which the command exits with 1, separated by commas: ${listAll(VERDICTS, 'or')} (default: breaks,lost,unserved)`,
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
