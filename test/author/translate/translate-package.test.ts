import {describe, expect, it} from '@jest/globals'
import {translatedRuntime} from '../../../src/author/translate/translated-runtime.js'
import {translatedMetadata} from '../../../src/author/translate/translated-metadata.js'
import {translatedRoles} from '../../../src/author/translate/translated-roles.js'
import type {TranslationInput} from '../../../src/author/translate/translated.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import type {Package} from '../../../src/unpack/package.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'

const PACKAGE: Package = {
  app: {title: 'Example'},
  title: 'Example',
  permissionScope: 'Cluster',
  dependencies: [],
  icons: [],
  crds: [],
  warnings: [],
}

function input(objects: readonly JsonObject[], read: Partial<Package> = {}): TranslationInput {
  return {
    package: {...PACKAGE, ...read},
    set: {
      installs: [],
      warnings: [],
      objects: objects.map(object => ({phase: 'identity', object: object as unknown as KubernetesObject})),
    },
    crds: [],
    target: 'registry.example.org/team/example:v1.0.0',
    name: 'team-example',
    namespace: 'crossplane-system',
  }
}

const POD_NAMESPACE = {name: 'POD_NAMESPACE', valueFrom: {fieldRef: {fieldPath: 'metadata.namespace'}}}

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name: 'example', namespace: 'crossplane-system'},
  spec: {
    replicas: 2,
    selector: {matchLabels: {app: 'example'}},
    strategy: {type: 'Recreate'},
    template: {
      metadata: {name: 'example', labels: {app: 'example'}},
      spec: {
        serviceAccountName: 'example',
        nodeSelector: {disk: 'ssd'},
        containers: [
          {name: 'controller', image: 'example/controller:v1', env: [{name: 'A', value: 'b'}, POD_NAMESPACE]},
          {name: 'proxy', image: 'example/proxy:v1', env: [POD_NAMESPACE]},
        ],
      },
    },
  },
}

describe('translatedRuntime', () => {
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {name: 'example', annotations: {role: 'arn'}},
    imagePullSecrets: [{name: 'pull'}],
  }

  it('keeps the settings of the Deployment, and names the container and the ServiceAccount', () => {
    expect(translatedRuntime(input([DEPLOYMENT, account]))).toEqual({
      runs: true,
      pullSecrets: [{name: 'pull'}],
      notes: [],
      config: {
        apiVersion: 'pkg.crossplane.io/v1beta1',
        kind: 'DeploymentRuntimeConfig',
        metadata: {name: 'team-example'},
        spec: {
          deploymentTemplate: {
            spec: {
              replicas: 2,
              selector: {},
              strategy: {type: 'Recreate'},
              template: {
                metadata: {labels: {app: 'example'}},
                spec: {
                  nodeSelector: {disk: 'ssd'},
                  containers: [
                    {name: 'package-runtime', image: 'example/controller:v1', env: [{name: 'A', value: 'b'}]},
                    {name: 'proxy', image: 'example/proxy:v1', env: [POD_NAMESPACE]},
                  ],
                },
              },
            },
          },
          serviceAccountTemplate: {metadata: {name: 'team-example', annotations: {role: 'arn'}}},
        },
      },
    })
  })

  it.each([
    {name: 'a package without a controller', objects: [], read: {}, rules: []},
    {
      name: 'a template stack',
      objects: [DEPLOYMENT],
      read: {behavior: {crd: {apiVersion: 'a/v1', kind: 'A'}, engine: {}, source: {path: '.'}}},
      rules: ['translate-templates'],
    },
  ])('runs nothing for $name', ({objects, read, rules}) => {
    const {config, runs, notes} = translatedRuntime(input(objects, read))
    expect({runs, rules: notes.map(({rule}) => rule)}).toEqual({runs: false, rules})
    expect(config).toMatchObject({spec: {deploymentTemplate: {spec: {replicas: 0}}}})
  })
})

describe('translatedRoles', () => {
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: {name: 'example', namespace: 'other'},
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system'},
    subjects: [{kind: 'ServiceAccount', name: 'example', namespace: 'other'}],
  }
  const role = (name: string) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: {name, labels: {parent: 'x'}},
    rules: [{apiGroups: [''], resources: ['pods'], verbs: ['get']}],
  })

  it('keeps the bound roles alone, and notes that they hold in one namespace', () => {
    const {objects, notes} = translatedRoles(input([role('system'), role('admin'), binding]))
    expect(objects).toEqual([
      {...role('system'), metadata: {name: 'team-example-runtime'}},
      {
        ...binding,
        metadata: {name: 'team-example-runtime', namespace: 'crossplane-system'},
        roleRef: {...binding.roleRef, name: 'team-example-runtime'},
        subjects: [{kind: 'ServiceAccount', name: 'team-example', namespace: 'crossplane-system'}],
      },
    ])
    expect(notes.map(({rule}) => rule)).toEqual(['translate-scope'])
  })
})

describe('translatedMetadata', () => {
  it.each([
    {
      name: 'a package without a registry',
      dependencies: [{package: 'crossplane/provider-gcp'}],
      dependsOn: [{provider: 'docker.io/crossplane/provider-gcp', version: '>=v0.0.0'}],
      notes: 1,
    },
    {name: 'CRDs', dependencies: [{crd: '*.a.example.org'}, {crd: 'b.a.example.org'}], notes: 1},
    {name: 'a name that no registry has', dependencies: [{package: 'A B'}], notes: 1},
    {name: 'nothing', dependencies: [], notes: 0},
  ])('of a package that requires $name', ({dependencies, dependsOn, notes}) => {
    const read = translatedMetadata(input([], {dependencies}))
    expect(read.metadata.spec).toEqual(dependsOn === undefined ? {} : {dependsOn})
    expect(read.notes).toHaveLength(notes)
  })

  it('keeps descriptions as annotations, and lists what has no place', () => {
    const app = {
      title: 'Example',
      overview: 'Long.',
      license: 'MIT',
      maintainers: [{name: 'A', email: 'a@example.org'}],
      keywords: ['a'],
      readme: 'x'.repeat(70_000),
    }
    const {metadata, notes} = translatedMetadata(input([], {app}))
    expect(metadata.metadata).toEqual({
      name: 'team-example',
      annotations: {
        'friendly-name.meta.crossplane.io': 'Example',
        'meta.crossplane.io/license': 'MIT',
        'meta.crossplane.io/maintainer': 'A <a@example.org>',
      },
    })
    expect(notes.map(({rule}) => rule)).toEqual(['translate-app', 'translate-app'])
  })
})
