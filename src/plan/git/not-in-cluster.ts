import type {Diagnostic} from '../../diagnostic.js'
import {present} from '../../present.js'

/** The rejection for a tree that was never deployed to the cluster: that it has no instances proves nothing. */
export function notInCluster(what: string, file?: string): Diagnostic {
  return {
    severity: 'error',
    rule: 'crd-not-found',
    message: `${what} not found in the cluster, which shows nothing about custom resources`,
    ...present({file}),
    suggestions: ['Pass --context with a cluster of this tree, or --assume-no-instances without it.'],
  }
}
