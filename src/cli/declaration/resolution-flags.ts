import {boolean, string} from '@oclif/core/flags'
import {DEFAULT_RELEASE} from '../../reference/crossplane-release.js'

/** The flag for a policy, which applies in addition to that of a declaration. */
export const policyOptions = {
  helpGroup: 'DEPENDENCY',
  helpValue: 'FILE',
  summary: 'Policy of a team: owners, allowed sources, signatures, limits and rules',
}

/** Flags that decide which packages are selected for requirements. */
export const resolutionFlags = {
  owner: string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'DEPENDENCY',
    helpValue: 'GROUP=PACKAGE',
    summary: 'Package trusted to own an API group or *.SUFFIX; can be repeated',
  }),
  policy: string(policyOptions),
  assume: string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'DEPENDENCY',
    helpValue: 'FILE|CRD',
    summary: 'CRD, or file (.yaml, .json) of CRDs, that is assumed to exist; can be repeated',
  }),
  'crossplane-version': string({
    default: DEFAULT_RELEASE,
    env: 'CROSSPLANE_VERSION',
    helpGroup: 'DEPENDENCY',
    helpValue: 'VERSION',
    summary: 'Crossplane release whose own CRDs are assumed to exist; none for current releases',
  }),
  'allow-version-mismatch': boolean({
    helpGroup: 'DEPENDENCY',
    summary: 'If no version satisfies a requirement, accept as few mismatches as possible',
  }),
  'dependency-namespace': string({
    helpGroup: 'DEPENDENCY',
    helpValue: 'NAME',
    summary: 'Namespace of Namespaced packages that Cluster packages require',
  }),
  'solve-timeout': string({
    default: '30s',
    env: 'CROSSPLANE_SOLVE_TIMEOUT',
    helpGroup: 'DEPENDENCY',
    helpValue: 'DURATION',
    summary: 'Maximum time to resolve dependencies, such as 500ms, 30s or 2m',
  }),
}
