import {describe, expect, it} from '@jest/globals'
import {CONTENT_MANAGER, type KubernetesObject} from 'kubectl-crossplane/plugin'
import {recordsByHand} from '../src/run/written-records.js'

const API = 'packages.crossplane.io/v1alpha1'

function object(kind: string, name: string, metadata: object = {}, namespace = 'team'): KubernetesObject {
  return {apiVersion: API, kind, metadata: {name, namespace, ...metadata}}
}

describe('recordsByHand', () => {
  const managedFields = [{manager: CONTENT_MANAGER, operation: 'Apply', fieldsV1: {'f:spec': {}}}]
  const deletionTimestamp = '2026-01-01T00:00:00Z'
  it.each([
    {name: 'one without a request', record: object('Package', 'app'), want: true},
    {name: 'one of a request', record: object('Package', 'requested'), want: false},
    {name: 'one of that name elsewhere', record: object('Package', 'requested', {}, 'other'), want: true},
    {name: 'one that this program applied', record: object('Package', 'app', {managedFields}), want: false},
    {
      name: 'one of a request that is being deleted',
      record: object('Package', 'requested', {deletionTimestamp}),
      want: true,
    },
  ])('$name', ({record, want}) => {
    expect(recordsByHand([record], [object('PackageInstall', 'requested')])).toEqual(want ? [record] : [])
  })

  it('reads the requests once, however many records there are', () => {
    let reads = 0
    const request: KubernetesObject = {
      apiVersion: API,
      kind: 'PackageInstall',
      get metadata() {
        reads += 1
        return {name: 'requested', namespace: 'team'}
      },
    }
    const records = Array.from({length: 1000}, (_, index) => object('Package', `r${index}`))
    expect(recordsByHand(records, [request])).toHaveLength(1000)
    expect(reads).toBeLessThan(10)
  })
})
