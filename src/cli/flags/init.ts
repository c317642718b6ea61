import {boolean, option, string} from '@oclif/core/flags'

/** Flags of `package init`. */
export const initFlags = {
  xpkg: option({
    options: ['provider', 'configuration', 'function'] as const,
    exclusive: ['scope', 'from-crds', 'no-controller', 'update'],
    helpGroup: 'PACKAGE',
    summary: 'Create a package for a current Crossplane, with a crossplane.yaml',
  })(),
  name: string({
    helpGroup: 'PACKAGE',
    helpValue: 'NAME',
    summary: 'Name of the package and its objects (default: name of the folder)',
  }),
  title: string({
    helpGroup: 'PACKAGE',
    helpValue: 'TEXT',
    summary: 'Title that user interfaces show (default: the name)',
  }),
  scope: option({
    options: ['Cluster', 'Namespaced'] as const,
    helpGroup: 'PACKAGE',
    summary: 'Permission scope (default: Cluster if a CRD is cluster-scoped, otherwise Namespaced)',
  })(),
  'from-crds': string({
    helpGroup: 'PACKAGE',
    helpValue: 'DIR',
    summary: 'Folder with the CRDs that the package owns',
  }),
  'no-controller': boolean({helpGroup: 'PACKAGE', summary: 'Do not create install.yaml'}),
  update: boolean({
    helpGroup: 'PACKAGE',
    dependsOn: ['from-crds'],
    summary: 'Replace changed CRDs of an existing package and add new ones; other files stay as they are',
  }),
}
