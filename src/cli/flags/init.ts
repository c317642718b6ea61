import {boolean, option, string} from '@oclif/core/flags'

/** Flags of `package init`. */
export const initFlags = {
  name: string({
    helpGroup: 'PACKAGE',
    helpValue: 'NAME',
    summary: "Name of the package's objects (default: the folder's).",
  }),
  title: string({helpGroup: 'PACKAGE', helpValue: 'TEXT', summary: 'What people see (default: the name).'}),
  scope: option({
    options: ['Cluster', 'Namespaced'] as const,
    helpGroup: 'PACKAGE',
    summary: 'Permission scope (default: Namespaced, unless a CRD needs more).',
  })(),
  'from-crds': string({
    helpGroup: 'PACKAGE',
    helpValue: 'DIR',
    summary: 'Folder of CRDs that the package owns.',
  }),
  'no-controller': boolean({helpGroup: 'PACKAGE', summary: 'Leave install.yaml out.'}),
}
