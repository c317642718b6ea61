import {boolean, string} from '@oclif/core/flags'
import {parseLabelSelector} from '../../kubernetes/label-selector.js'

/** Flags that select installs for a list. */
export const selectionFlags = {
  'all-namespaces': boolean({
    char: 'A',
    exclusive: ['namespace'],
    helpGroup: 'CLUSTER',
    summary: 'Select the installs of all namespaces',
  }),
  selector: string({
    char: 'l',
    helpGroup: 'CLUSTER',
    helpValue: 'SELECTOR',
    parse: selector => {
      parseLabelSelector(selector)
      return Promise.resolve(selector)
    },
    summary: 'Labels of the request, the record or the inventory, such as tier=control',
  }),
}
