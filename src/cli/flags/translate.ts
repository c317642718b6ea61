import {string} from '@oclif/core/flags'
import {SYSTEM_NAMESPACE} from '../../reference/instance-name.js'

/** Flags of `package translate`. */
export const translateFlags = {
  to: string({
    required: true,
    helpGroup: 'PACKAGE',
    helpValue: 'REF',
    summary: 'Reference under which the translated package will be pushed: HOST/PATH:TAG',
  }),
  'crossplane-namespace': string({
    default: SYSTEM_NAMESPACE,
    helpGroup: 'PACKAGE',
    helpValue: 'NAMESPACE',
    summary: 'Namespace of Crossplane, in which the controller will run',
  }),
}
