import {describe, expect, it} from '@jest/globals'
import {writeLock} from '../../src/declaration/write-lock.js'
import {planLock, writeLockFile} from '../../src/pipeline/write-lock.js'
import {sha256Of} from '../../src/plan/sha256.js'
import {memoryTarget} from '../author/layout/memory-outputs.js'
import {hash, LOCK} from '../declaration/locks.js'
import {outcome} from '../outcome.js'

const written = Buffer.from(writeLock(LOCK))
const OTHER = {...LOCK, requestHash: hash('f')}
const edited = Buffer.from(writeLock({...LOCK, packages: []}))

const writes = (file: ReturnType<typeof memoryTarget>, bytes: Uint8Array) =>
  file.write(
    (async function* () {
      yield await Promise.resolve(bytes)
    })(),
  )

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

describe('writeLockFile', () => {
  it('writes the content of the plan', async () => {
    const file = memoryTarget('wanted.lock', written)
    await writeLockFile(file, planLock({file, bytes: written}, OTHER))
    expect(Buffer.from(file.content() ?? []).toString()).toBe(writeLock(OTHER))
  })

  it.each([
    {name: 'a first lock that another process created', before: undefined, now: written},
    {name: 'a lock that was edited', before: written, now: edited},
  ])('does not overwrite $name', async ({before, now}) => {
    const file = memoryTarget('wanted.lock', before)
    const plan = planLock({file, bytes: before}, OTHER)
    await writes(file, now)
    expect(await outcome(() => writeLockFile(file, plan))).toBe('output-refused')
    expect(file.content()).toEqual(new Uint8Array(now))
  })

  it('accepts a file that another process has made the same', async () => {
    const file = memoryTarget('wanted.lock', written)
    const plan = planLock({file, bytes: written}, OTHER)
    await writes(file, Buffer.from(writeLock(OTHER)))
    expect(await outcome(() => writeLockFile(file, plan))).toBeUndefined()
  })
})
