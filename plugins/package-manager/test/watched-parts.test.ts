import {describe, expect, it} from '@jest/globals'
import {CONTENT_MANAGER, type JsonObject, type KubernetesObject} from 'kubectl-crossplane/plugin'
import {claimsOf, concernedLabels, ifByHand, labelsAlone, withoutManagers} from '../src/run/watched-parts.js'
import {isByHandBeside} from '../src/run/written-records.js'

const metadata = {name: 'app', namespace: 'team', uid: '1', resourceVersion: '2', labels: {team: 'a'}}
const record: KubernetesObject = {
  apiVersion: 'packages.crossplane.io/v1alpha1',
  kind: 'Package',
  metadata: {
    ...metadata,
    managedFields: [{manager: 'kubectl', operation: 'Apply', fieldsV1: {'f:spec': {}}}],
  },
  spec: {version: 'v1.0.0'},
}
const applied = {
  ...record,
  metadata: {
    ...metadata,
    managedFields: [{manager: CONTENT_MANAGER, operation: 'Apply', fieldsV1: {'f:spec': {}}}],
  },
}

describe('what is kept of a watched object', () => {
  it('is its labels, with what identifies its version', () => {
    const {apiVersion, kind} = record
    expect(labelsAlone(record)).toEqual({apiVersion, kind, metadata})
    expect(labelsAlone({apiVersion, kind, metadata: {name: 'app'}})).toEqual({
      apiVersion,
      kind,
      metadata: {name: 'app'},
    })
  })

  it('is all of a record that a user wrote', () => {
    expect(ifByHand(record)).toBe(record)
  })

  it.each([record, applied])('is enough to tell who wrote a record', whole => {
    const kept = ifByHand(whole)
    const isByHand = (each: KubernetesObject) => isByHandBeside(each, () => false)
    expect(isByHand(kept)).toBe(isByHand(whole))
    expect(isByHand(whole)).toBe(whole === record)
  })

  it('is nothing else of a record that this program applied', () => {
    expect(ifByHand(applied).spec).toBeUndefined()
    expect(JSON.stringify(ifByHand(applied))).not.toContain('fieldsV1')
  })

  it('is all of a request but its managed fields', () => {
    const {apiVersion, kind, spec} = record
    expect(withoutManagers(record)).toEqual({apiVersion, kind, metadata, spec})
  })
})

describe('the installs that a change of a CRD concerns', () => {
  const claim = (team: string) => ({
    [`parent.packages.crossplane.io/${team}-app`]: 'true',
    [`namespace.crossplane.io/${team}`]: 'true',
  })
  const entry = (manager: string, time: string) => ({manager, operation: 'Apply', time})
  const [content, a, b] = ['', ':a/app', ':b/app'].map(suffix => entry(`${CONTENT_MANAGER}${suffix}`, '1'))
  const crd = (labels: Record<string, string>, others: JsonObject = {}): KubernetesObject => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'apps.example.org', generation: 1, managedFields: [content ?? {}], labels, ...others},
  })
  const concerned = (before: KubernetesObject, after: KubernetesObject) =>
    concernedLabels({before: claimsOf(before), after: claimsOf(after)})
  const before = crd(claim('a'), {managedFields: [content ?? {}, a ?? {}], resourceVersion: '1'})
  const claimed = {managedFields: [content ?? {}, a ?? {}, b ?? {}], resourceVersion: '2'}
  const both = Object.keys({...claim('a'), ...claim('b')})

  it('are those that claim it now', () => {
    expect(concerned(before, crd({...claim('a'), ...claim('b')}, claimed))).toEqual(Object.keys(claim('b')))
  })

  it.each([
    ['its schema changes', {generation: 2}],
    ['an annotation changes', {annotations: {note: 'x'}}],
    ['it is being deleted', {deletionTimestamp: '2026-01-01T00:00:00Z'}],
    ['its status changes', {managedFields: [content ?? {}, entry('kube-apiserver', '2')]}],
    ['its content is applied', {managedFields: [entry(CONTENT_MANAGER, '2')]}],
  ])('are all if %s at the same time', (_, others) => {
    expect(concerned(before, crd({...claim('a'), ...claim('b')}, {...claimed, ...others}))).toEqual(both)
  })

  it('are all if a claim goes, another label comes or changes, or no label does', () => {
    expect([...concerned(crd({...claim('a'), ...claim('b')}), crd(claim('b')))].sort()).toEqual(both.sort())
    const [others, team] = [Object.keys(claim('a')), {team: 'x'}]
    expect(concerned(before, crd({...claim('a'), ...team}, claimed))).toEqual([...others, 'team'])
    expect(concerned(crd({...claim('a'), ...team}), crd({...claim('a'), team: 'y'}))).toContain(others[0])
    expect(concerned(before, before)).toEqual(others)
  })

  it('are all if it is created or gone', () => {
    const [kept, labels] = [claimsOf(before), Object.keys(claim('a'))]
    expect(concernedLabels({before: undefined, after: kept})).toEqual(labels)
    expect(concernedLabels({before: kept, after: undefined})).toEqual(labels)
  })
})
