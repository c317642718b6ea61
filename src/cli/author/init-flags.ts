import {boolean, option, string} from '@oclif/core/flags'
import {formerly} from '../shell/flags/former-names.js'

/** Flags of `package init`. */
export const initFlags = {
  xpkg: option({
    options: ['provider', 'configuration', 'function'] as const,
    exclusive: ['scope', 'from-crds', 'service', 'no-controller', 'update'],
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
  service: string({
    helpGroup: 'SERVICE',
    helpValue: 'KIND',
    dependsOn: ['group', 'claim'],
    exclusive: ['scope', 'from-crds', 'update'],
    summary: 'Managed service of the package: writes service.yaml and, from it, CRDs and examples',
  }),
  group: string({
    helpGroup: 'SERVICE',
    helpValue: 'GROUP',
    dependsOn: ['service'],
    summary: 'API group of the service',
  }),
  'api-version': formerly(
    string({
      helpGroup: 'SERVICE',
      helpValue: 'VERSION',
      dependsOn: ['service'],
      summary: 'API version of the service (default: v1alpha1)',
    }),
    'version',
  ),
  claim: string({
    helpGroup: 'SERVICE',
    helpValue: 'KIND.GROUP/VERSION',
    dependsOn: ['service'],
    summary: 'Claim by which applications request the service',
  }),
  'own-claim': boolean({
    helpGroup: 'SERVICE',
    dependsOn: ['service'],
    summary: 'Define the claim in this package; no second provider of it can be installed then',
  }),
  runner: option({
    options: ['typescript'] as const,
    helpGroup: 'SERVICE',
    dependsOn: ['service'],
    exclusive: ['no-controller'],
    summary: 'Also write the program that serves the kinds, as a project with tests',
  })(),
  parameters: string({
    helpGroup: 'SERVICE',
    helpValue: 'FILE',
    dependsOn: ['service'],
    summary: 'External resource as a JSON object; $output and $optional list names of fields',
  }),
  'no-controller': boolean({helpGroup: 'PACKAGE', summary: 'Do not create install.yaml'}),
  update: boolean({
    helpGroup: 'PACKAGE',
    summary:
      'Replace changed CRDs of an existing package, and what follows from service.yaml; other files stay as they are',
  }),
}
