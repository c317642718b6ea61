import {string} from '@oclif/core/flags'
import {formerly} from '../shell/flags/former-names.js'
import {SYSTEM_NAMESPACE} from '../../reference/instance-name.js'

/** Flags of `package translate`. */
export const translateFlags = {
  target: formerly(
    string({
      required: true,
      helpGroup: 'PACKAGE',
      helpValue: 'REF',
      summary: 'Reference under which the translated package will be pushed: HOST/PATH:TAG',
    }),
    'to',
  ),
  'crossplane-namespace': string({
    default: SYSTEM_NAMESPACE,
    helpGroup: 'PACKAGE',
    helpValue: 'NAMESPACE',
    summary: 'Namespace of Crossplane, in which the controller will run',
  }),
}
