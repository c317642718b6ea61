import {describe, expect, it} from '@jest/globals'
import {writeLock} from '../../../src/declaration/write-lock.js'
import {planLock} from '../../../src/pipeline/resolution/write-lock.js'
import {sha256Of} from '../../../src/plan/sha256.js'
import {memoryTarget} from '../../author/layout/memory-outputs.js'
import {hash, LOCK} from '../../declaration/locks.js'

const written = Buffer.from(writeLock(LOCK))
const OTHER = {...LOCK, requestHash: hash('f')}

describe('planLock', () => {
  it.each([
    {
      name: 'creates a first lock',
      bytes: undefined,
      want: {action: 'create-only', precondition: {absent: true}},
    },
    {
      name: 'replaces a lock',
      bytes: written,
      want: {action: 'replace', precondition: {sha256: sha256Of(written)}},
    },
  ])('$name', ({bytes, want}) => {
    const file = memoryTarget('deploy/wanted.lock', bytes)
    const {operations, rejections} = planLock({file, bytes}, OTHER)
    expect({operations, rejections}).toMatchObject({
      operations: [{...want, target: 'lock-file', path: 'wanted.lock', content: writeLock(OTHER)}],
      rejections: [],
    })
  })

  it('changes nothing where the lock is the same', () => {
    const file = memoryTarget('wanted.lock', written)
    expect(planLock({file, bytes: written}, LOCK)).toEqual({operations: [], unchanged: 1, rejections: []})
  })
})
