import {boolean, option, string} from '@oclif/core/flags'
import {clusterFlags, kubeconfigOptions} from '../cluster/cluster-flags.js'
import {closureFlags} from './compare-flags.js'
import {objectsFlag} from './impact-flags.js'

/** Flags of `package activation`. */
export const activationFlags = {
  ...objectsFlag,
  write: boolean({
    exclusive: ['check'],
    helpGroup: 'OUTPUT',
    summary: 'Write the used kinds to xpkg.activate of the declaration; without --context, only add kinds',
  }),
  check: boolean({helpGroup: 'OUTPUT', summary: 'Exit with 1 if a used kind is not active'}),
  output: option({
    char: 'o',
    options: ['text', 'json', 'yaml'] as const,
    default: 'text',
    helpGroup: 'OUTPUT',
    summary: 'Output format; text may change between releases',
  })(),
  ...clusterFlags,
  kubeconfig: string({...kubeconfigOptions, dependsOn: ['context']}),
  context: string({
    helpGroup: 'CLUSTER',
    helpValue: 'NAME',
    summary: 'Also count the objects of the cluster of this context',
  }),
  ...closureFlags,
}
