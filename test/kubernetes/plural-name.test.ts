import {expect, it} from '@jest/globals'
import {pluralName} from '../../src/kubernetes/plural-name.js'

it.each([
  {kind: 'Bucket', want: 'buckets'},
  {kind: 'Policy', want: 'policies'},
  {kind: 'Gateway', want: 'gateways'},
  {kind: 'Address', want: 'addresses'},
  {kind: 'Mailbox', want: 'mailboxes'},
  {kind: 'Batch', want: 'batches'},
])('suggests $want for $kind', ({kind, want}) => {
  expect(pluralName(kind)).toBe(want)
})
