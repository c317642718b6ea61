import {describe, expect, it} from '@jest/globals'
import {type Condition, withCondition} from '../../src/reconcile/conditions.js'

const NOW = '2026-01-02T00:00:00Z'
const EARLIER = '2026-01-01T00:00:00Z'
const synced: Condition = {type: 'Synced', status: 'True', reason: 'ReconcileSuccess', message: ''}
const other = {type: 'Ready', status: 'True', lastTransitionTime: EARLIER}

describe('a condition', () => {
  it.each([
    {
      name: 'is added',
      before: [other],
      want: [other, {...synced, lastTransitionTime: NOW}],
    },
    {
      name: 'gets a new time with a new status, in its place',
      before: [{...synced, status: 'False', lastTransitionTime: EARLIER}, other],
      want: [{...synced, lastTransitionTime: NOW}, other],
    },
    {
      name: 'keeps its time with another message',
      before: [{...synced, message: 'before', lastTransitionTime: EARLIER}],
      want: [{...synced, lastTransitionTime: EARLIER}],
    },
    {
      name: 'gets a time if it has none',
      before: [{...synced}],
      want: [{...synced, lastTransitionTime: NOW}],
    },
  ])('$name', ({before, want}) => {
    expect(withCondition(before, synced, NOW)).toEqual(want)
  })

  it('is the same list if nothing changes', () => {
    const before = [other, {...synced, lastTransitionTime: EARLIER}]
    expect(withCondition(before, synced, NOW)).toBe(before)
  })
})
