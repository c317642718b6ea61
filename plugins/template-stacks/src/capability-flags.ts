import {string} from '@oclif/core/flags'
import type {FlagValues} from 'kubectl-crossplane/plugin'
import type {Capabilities} from './helm/render-chart.js'

/** Flags for the API server that charts see, as of `helm template`. */
export const capabilityFlags = {
  'kube-version': string({
    helpGroup: 'TEMPLATE',
    helpValue: 'VERSION',
    summary: 'Version of Kubernetes for charts (default: that of the Helm release in this program)',
  }),
  'api-versions': string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'TEMPLATE',
    helpValue: 'API',
    summary: 'API version that charts see, as GROUP/VERSION or GROUP/VERSION/KIND; can be repeated',
  }),
}

/** The values of these flags. */
export function capabilitiesOf(flags: FlagValues<typeof capabilityFlags>): Capabilities {
  const {'kube-version': kubeVersion, 'api-versions': apiVersions} = flags
  return {
    ...(kubeVersion === undefined ? {} : {kubeVersion}),
    ...(apiVersions === undefined ? {} : {apiVersions}),
  }
}
