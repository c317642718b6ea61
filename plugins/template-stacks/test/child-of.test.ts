import {describe, expect, it} from '@jest/globals'
import type {JsonObject} from 'kubectl-crossplane/plugin'
import type {CustomResource} from '../src/custom-resource.js'
import {childOf} from '../src/objects/child-of.js'
import {scopesOf} from '../src/objects/object-scopes.js'

const UID = '11111111-1111-4111-8111-111111111111'

function resource(more: {
  readonly metadata?: JsonObject
  readonly namespace?: string
  readonly uid?: string
}): CustomResource {
  const object = {
    apiVersion: 'demo.example.org/v1alpha1',
    kind: 'Demo',
    metadata: {name: 'demo', ...more.metadata},
  }
  const {namespace, uid} = more
  return {object, given: object, name: 'demo', namespace, uid, file: 'cr.yaml', line: 1}
}

function child(
  object: JsonObject,
  from = resource({namespace: 'team-a', uid: UID}),
  scope: 'Cluster' | 'Namespaced' = 'Cluster',
) {
  const made = childOf(
    {object, place: {file: 'a.yaml', document: 1}, writtenAt: () => undefined},
    {resource: from, scopeOf: scopesOf([]), scope},
  )
  return {...made, metadata: made.object.metadata}
}

const config = (metadata: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name: 'c', ...metadata},
})
const namespaceObject: JsonObject = {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'n'}}
const OWNER = {
  apiVersion: 'demo.example.org/v1alpha1',
  kind: 'Demo',
  name: 'demo',
  uid: UID,
  controller: true,
  blockOwnerDeletion: true,
}
const PARENT = {
  'core.crossplane.io/parent-group': 'demo.example.org',
  'core.crossplane.io/parent-version': 'v1alpha1',
  'core.crossplane.io/parent-kind': 'Demo',
  'core.crossplane.io/parent-namespace': 'team-a',
  'core.crossplane.io/parent-name': 'demo',
}

describe('an object of a custom resource', () => {
  it('gets its owner, its namespace and its labels', () => {
    expect(child(config({labels: {app: 'a'}}))).toMatchObject({
      metadata: {name: 'c', namespace: 'team-a', labels: {app: 'a', ...PARENT}, ownerReferences: [OWNER]},
      errors: [],
      warnings: [],
    })
  })

  it('keeps its namespace, but has no owner in another one', () => {
    const {namespace, ownerReferences} = child(config({namespace: 'other'})).metadata
    expect({namespace, ownerReferences}).toEqual({namespace: 'other', ownerReferences: undefined})
    expect(child(config({namespace: 'team-a'})).metadata.ownerReferences).toEqual([OWNER])
    expect(child(config({namespace: 'other'}), resource({uid: UID})).metadata.ownerReferences).toEqual([
      OWNER,
    ])
  })

  it('has no owner that was never created', () => {
    expect(child(config({}), resource({namespace: 'team-a'})).metadata.ownerReferences).toBeUndefined()
  })

  it('has one reference for one UID, and keeps others', () => {
    const other = {apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'other'}
    const {metadata} = child(config({ownerReferences: [{...OWNER, controller: false}, other]}))
    expect(metadata.ownerReferences).toEqual([OWNER, other])
  })

  it('cannot have a second controller', () => {
    const other = {apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'other', controller: true}
    expect(child(config({ownerReferences: [other]})).errors).toHaveLength(1)
  })

  it('without a namespace has no owner in one', () => {
    const {metadata, errors} = child(namespaceObject)
    expect({metadata, errors}).toEqual({metadata: {name: 'n', labels: PARENT}, errors: []})
  })

  it('without a namespace has an owner without one', () => {
    expect(child(namespaceObject, resource({uid: UID})).metadata).toMatchObject({ownerReferences: [OWNER]})
  })

  it('without a namespace cannot be of a Namespaced package', () => {
    expect(child(namespaceObject, undefined, 'Namespaced').errors).toHaveLength(1)
  })

  it('of an unknown kind is treated as in a namespace', () => {
    const widget = {apiVersion: 'things.example.org/v1', kind: 'Widget', metadata: {name: 'w'}}
    expect(child(widget)).toMatchObject({isUnknownKind: true, metadata: {namespace: 'team-a'}})
  })

  it.each<{name: string; metadata: JsonObject}>([
    {name: 'a label that is a number', metadata: {labels: {n: 5}}},
    {name: 'an annotation that is a boolean', metadata: {annotations: {b: true}}},
    {name: 'labels that are a list', metadata: {labels: ['a']}},
    {
      name: 'a deletion priority that is no integer',
      metadata: {annotations: {'templatestacks.crossplane.io/deletion-priority': 'high'}},
    },
  ])('with $name is an error', ({metadata}) => {
    expect(child(config(metadata)).errors).toHaveLength(1)
  })

  it('gets the labels of the custom resource, with a warning if its selector names one', () => {
    const from = resource({namespace: 'team-a', metadata: {labels: {app: 'parent', team: 'x'}}})
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {name: 's', labels: {app: 'own'}},
      spec: {selector: {app: 'own'}},
    }
    const {metadata, warnings} = child(service, from)
    expect(metadata.labels).toMatchObject({app: 'parent', team: 'x'})
    expect(warnings.map(({rule}) => rule)).toEqual(['template-label'])
  })

  it('gets no label by which Kubernetes or Crossplane decides', () => {
    const labels = {
      team: 'x',
      'app.kubernetes.io/name': 'a',
      'kubernetes.io/metadata.name': 'kube-system',
      'pod-security.kubernetes.io/enforce': 'privileged',
      'rbac.authorization.k8s.io/aggregate-to-admin': 'true',
      'rbac.crossplane.io/aggregate-to-admin': 'true',
      'template-stacks.kubectl-crossplane.dev/stack': 'other',
    }
    const {metadata} = child(config({}), resource({namespace: 'team-a', metadata: {labels}}))
    expect(metadata.labels).toEqual({team: 'x', 'app.kubernetes.io/name': 'a', ...PARENT})
    expect(child(namespaceObject, resource({metadata: {labels}})).metadata.labels).toMatchObject({team: 'x'})
  })

  it.each([
    {name: 'without a namespace', object: {...namespaceObject, metadata: {name: 'n', labels: {team: 'b'}}}},
    {name: 'in another namespace', object: config({namespace: 'other', labels: {team: 'b'}})},
  ])('$name gets no label from a custom resource in a namespace', ({object}) => {
    const from = resource({namespace: 'team-a', metadata: {labels: {team: 'c', access: 'granted'}}})
    expect(child(object, from).metadata.labels).toEqual({team: 'b', ...PARENT})
  })

  it('loses the annotation of a default class where the custom resource asks for it', () => {
    const annotations = {'resourceclass.crossplane.io/is-default-class': 'true'}
    const asks = {annotations: {'templatestacks.crossplane.io/remove-defaulting-annotations': 'true'}}
    expect(child(config({annotations}), resource({metadata: asks})).metadata.annotations).toEqual({})
    expect(child(config({annotations})).metadata.annotations).toEqual(annotations)
  })

  it('has parent labels that are cut as those of packages', () => {
    const from = {...resource({}), name: 'n'.repeat(70)}
    const label = child(config({}), from).metadata.labels?.['core.crossplane.io/parent-name'] ?? ''
    expect([label.length, label.slice(0, 57)]).toEqual([63, 'n'.repeat(57)])
  })
})
