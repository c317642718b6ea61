import type {JsonObject} from '../../src/yaml/json-value.js'

const resource = (plural: string, kind: string, scope = 'Cluster') => ({
  ...{resource: plural, responseKind: {kind}, scope, shortNames: []},
  verbs: ['get', 'list', 'patch', 'create'],
})
const group = (name: string, ...versions: readonly JsonObject[]) => ({
  metadata: {name},
  versions: [...versions],
})
/** What a server says that serves the packages of a current Crossplane. */
export const CORE_DISCOVERY = new Map<string, JsonObject>([
  ['/api', {kind: 'APIGroupDiscoveryList', items: []}],
  [
    '/apis',
    {
      kind: 'APIGroupDiscoveryList',
      items: [
        group(
          'pkg.crossplane.io',
          {
            version: 'v1',
            resources: [resource('providers', 'Provider'), resource('providerrevisions', 'ProviderRevision')],
          },
          {
            version: 'v1beta1',
            resources: [resource('locks', 'Lock'), resource('imageconfigs', 'ImageConfig')],
          },
        ),
        group('kustomize.toolkit.fluxcd.io', {
          version: 'v1',
          resources: [resource('kustomizations', 'Kustomization', 'Namespaced')],
        }),
        group('argoproj.io', {
          version: 'v1alpha1',
          resources: [resource('applications', 'Application', 'Namespaced')],
        }),
        group('apiextensions.k8s.io', {
          version: 'v1',
          resources: [resource('customresourcedefinitions', 'CustomResourceDefinition')],
        }),
      ],
    },
  ],
  ['/version', {major: '1', minor: '34', gitVersion: 'v1.34.0'}],
])
