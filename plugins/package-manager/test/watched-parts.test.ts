import {describe, expect, it} from '@jest/globals'
import {CONTENT_MANAGER, type KubernetesObject} from 'kubectl-crossplane/plugin'
import {ifByHand, labelsAlone, withoutManagers} from '../src/run/watched-parts.js'
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
