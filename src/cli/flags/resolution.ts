import {boolean, string} from '@oclif/core/flags'

/** Flags that decide what packages are chosen for what others need. */
export const resolutionFlags = {
  owner: string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'DEPENDENCIES',
    helpValue: 'GROUP=PACKAGE',
    summary: 'Package that you trust with an API group, or with *.SUFFIX; may be given several times.',
  }),
  assume: string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'DEPENDENCIES',
    helpValue: 'FILE|CRD',
    summary: 'CRD that is there already, or file (.yaml, .json) with some; may be given several times.',
  }),
  'crossplane-version': string({
    default: 'v0.12',
    env: 'CROSSPLANE_VERSION',
    helpGroup: 'DEPENDENCIES',
    helpValue: 'VERSION',
    summary: "Crossplane whose own kinds are taken to be there; none for today's, which has none of them.",
  }),
  'allow-version-mismatch': boolean({
    helpGroup: 'DEPENDENCIES',
    summary: 'Where nothing fits, accept as few versions as possible that were not asked for.',
  }),
  'dependency-namespace': string({
    helpGroup: 'DEPENDENCIES',
    helpValue: 'NAME',
    summary: 'Namespace of Namespaced packages that Cluster ones need.',
  }),
  'solve-timeout': string({
    default: '30s',
    env: 'CROSSPLANE_SOLVE_TIMEOUT',
    helpGroup: 'DEPENDENCIES',
    helpValue: 'DURATION',
    summary: 'How long to look for packages that fit together, such as 500ms, 30s or 2m.',
  }),
}
