import {describe, expect, it} from '@jest/globals'
import type {KubernetesObject} from 'kubectl-crossplane/plugin'
import {findReferences} from '../src/find-references.js'
import {findStart} from '../src/find-start.js'
import {kindOf, kindsIn} from '../src/kinds.js'
import {kind} from './memory-reader.js'

const gcp = (part: string) => `${part}gcp.crossplane.io`
const kinds = kindsIn({
  resources: [
    kind('', 'Secret'),
    kind('', 'ServiceAccount', {shortNames: ['sa']}),
    kind(gcp(''), 'Provider'),
    kind('aws.crossplane.io', 'Provider'),
    kind(gcp('compute.'), 'Subnetwork'),
    kind(gcp('database.'), 'Instance'),
    kind(gcp('database.'), 'InstanceClass'),
    kind(gcp('iam.'), 'ServiceAccount'),
    kind('workload.crossplane.io', 'KubernetesApplication'),
    kind('workload.crossplane.io', 'KubernetesTarget'),
    kind('azure.crossplane.io', 'ResourceGroup'),
  ],
})
const at = (group: string, name: string) => kinds.find(group, name)!

describe('the kind of a reference', () => {
  it.each([
    {name: 'providerRef', from: at(gcp('database.'), 'Instance'), want: `Provider.${gcp('')}`},
    {name: 'classRef', from: at(gcp('database.'), 'Instance'), want: `InstanceClass.${gcp('database.')}`},
    {name: 'subnetworkRef', from: at(gcp('database.'), 'Instance'), want: `Subnetwork.${gcp('compute.')}`},
    {
      name: 'privateSubnetworkIdRefs',
      from: at(gcp('database.'), 'Instance'),
      want: `Subnetwork.${gcp('compute.')}`,
    },
    {
      name: 'serviceAccountRef',
      from: at(gcp('database.'), 'Instance'),
      want: `ServiceAccount.${gcp('iam.')}`,
    },
    {
      name: 'serviceAccountRef',
      from: at('workload.crossplane.io', 'KubernetesTarget'),
      want: 'ServiceAccount.',
    },
    {name: 'credentialsSecretRef', from: at(gcp(''), 'Provider'), want: 'Secret.'},
    {name: 'writeConnectionSecretToRef', from: at(gcp('database.'), 'Instance'), want: 'Secret.'},
    {name: 'imagePullSecrets', from: at(gcp(''), 'Provider'), want: 'Secret.'},
    {
      name: 'targetRef',
      from: at('workload.crossplane.io', 'KubernetesApplication'),
      want: 'KubernetesTarget.workload.crossplane.io',
    },
    {
      name: 'resourceGroupNameRef',
      from: at('azure.crossplane.io', 'ResourceGroup'),
      want: 'ResourceGroup.azure.crossplane.io',
    },
    {name: 'otherRef', from: at(gcp(''), 'Provider'), want: 'unknown'},
  ])('$name is $want', ({name, from, want}) => {
    const object = {apiVersion: 'v1', kind: from.kind, metadata: {name: 'a'}, spec: {[name]: [{name: 'b'}]}}
    const [reference] = findReferences(object)
    const found = kindOf(reference!, from, kinds)
    expect('resource' in found ? `${found.resource.kind}.${found.resource.group}` : 'unknown').toBe(want)
  })
})

describe('references', () => {
  it('are found at any depth, but not in objects that are embedded, optional or without a name', () => {
    const template = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {name: 'a'},
      spec: {secretRef: {name: 'remote'}},
    }
    const spec = {
      a: [{b: {cRef: {name: 'deep', apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'n'}}}],
      template,
      fieldRef: {fieldPath: 'metadata.name'},
      secretKeyRef: {name: 'perhaps', optional: true},
    }
    const object = {
      apiVersion: 'v1',
      kind: 'A',
      metadata: {name: 'a'},
      classRef: {name: 'top'},
      spec,
    } as KubernetesObject
    expect(findReferences(object)).toEqual([
      {field: 'classRef', stem: 'class', name: 'top'},
      {
        field: 'spec.a.b.cRef',
        stem: 'c',
        name: 'deep',
        namespace: 'n',
        kind: 'Deployment',
        group: 'apps',
        version: 'v1',
      },
    ])
  })
})

describe('the type of the first object', () => {
  it.each([
    {type: 'instances', want: gcp('database.')},
    {type: 'Instance', want: gcp('database.')},
    {type: 'provider.aws.crossplane.io', want: 'aws.crossplane.io'},
    {type: 'providers.v1.aws.crossplane.io', want: 'aws.crossplane.io'},
    {type: 'sa', want: ''},
  ])('can be $type', ({type, want}) => {
    expect(findStart(type, 'a', 'team-a', kinds)).toMatchObject({
      resource: {group: want},
      namespace: 'team-a',
    })
  })

  it.each([
    {
      type: 'provider',
      message: 'ambiguous type "provider": providers.aws.crossplane.io, providers.gcp.crossplane.io',
    },
    {type: 'instanc', message: 'unknown type "instanc": not served by the cluster'},
  ])('cannot be $type', ({type, message}) => {
    expect(() => findStart(type, 'a', 'team-a', kinds)).toThrow(
      expect.objectContaining({code: 'usage', message}),
    )
  })
})
