import {describe, expect, it} from '@jest/globals'
import type {EraName} from '../../src/reference/era-name.js'
import {ERAS} from '../../src/render/era.js'
import {type InstallRequest, requestObject, requestParent} from '../../src/render/request.js'

const bare: InstallRequest = {
  namespace: 'team-a',
  name: 'widgets',
  scope: 'Namespaced',
  imagePullSecrets: [],
  serviceAccountAnnotations: {},
}

interface Case {
  readonly name: string
  readonly era: EraName
  readonly request: Partial<InstallRequest>
  readonly want: {readonly apiVersion: string; readonly kind: string; readonly spec: unknown}
}

const cases: readonly Case[] = [
  {
    name: 'a package',
    era: 'packages',
    request: {package: 'example/widgets:v1'},
    want: {
      apiVersion: 'packages.crossplane.io/v1alpha1',
      kind: 'PackageInstall',
      spec: {package: 'example/widgets:v1'},
    },
  },
  {
    name: 'a CRD',
    era: 'stacks',
    request: {crd: 'widgets.example.org/v1'},
    want: {
      apiVersion: 'stacks.crossplane.io/v1alpha1',
      kind: 'StackInstall',
      spec: {crd: 'widgets.example.org/v1'},
    },
  },
  {
    name: 'a package for the whole cluster, with every parameter',
    era: 'packages',
    request: {
      scope: 'Cluster',
      package: 'example/widgets:v1',
      source: 'registry.example.org',
      imagePullPolicy: 'Always',
      imagePullSecrets: ['a', 'b'],
      serviceAccountAnnotations: {'example.org/role': 'reader'},
    },
    want: {
      apiVersion: 'packages.crossplane.io/v1alpha1',
      kind: 'ClusterPackageInstall',
      spec: {
        package: 'example/widgets:v1',
        source: 'registry.example.org',
        imagePullPolicy: 'Always',
        imagePullSecrets: [{name: 'a'}, {name: 'b'}],
        serviceAccount: {annotations: {'example.org/role': 'reader'}},
      },
    },
  },
  {
    name: 'a stack for the whole cluster',
    era: 'stacks',
    request: {scope: 'Cluster', package: 'a'},
    want: {apiVersion: 'stacks.crossplane.io/v1alpha1', kind: 'ClusterStackInstall', spec: {package: 'a'}},
  },
]

describe('requestObject', () => {
  it.each(cases)('requests $name', ({era, request, want}) => {
    expect(requestObject(ERAS[era], {...bare, ...request})).toEqual({
      ...want,
      metadata: {name: 'widgets', namespace: 'team-a'},
    })
  })

  it('has no namespace if none is given', () => {
    expect(requestObject(ERAS.packages, {...bare, namespace: '', package: 'a'}).metadata).toEqual({
      name: 'widgets',
    })
  })
})

describe('requestParent', () => {
  it('matches the reference in its record', () => {
    expect(requestParent(ERAS.stacks, {...bare, scope: 'Cluster'})).toEqual({
      group: 'stacks.crossplane.io',
      version: 'v1alpha1',
      kind: 'ClusterStackInstall',
      namespace: 'team-a',
      name: 'widgets',
    })
  })
})
