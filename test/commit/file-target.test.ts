import {describe, expect, it} from '@jest/globals'
import {fileTarget} from '../../src/commit/file-target.js'
import {LOCK_TARGET, planFile} from '../../src/plan/file/plan-file.js'
import {memoryTarget} from '../author/layout/memory-outputs.js'
import {outcome} from '../outcome.js'

const ONE = Buffer.from('one\n')
const OTHER = Buffer.from('other\n')
const EDITED = Buffer.from('edited\n')

const planned = (content: Buffer, bytes: Buffer | undefined) =>
  planFile({target: LOCK_TARGET, name: 'wanted.lock', content: content.toString()}, {bytes})

const writes = (file: ReturnType<typeof memoryTarget>, bytes: Uint8Array) =>
  file.write(
    (async function* () {
      yield await Promise.resolve(bytes)
    })(),
  )

describe('fileTarget', () => {
  it('writes the content of the plan', async () => {
    const file = memoryTarget('wanted.lock', ONE)
    await fileTarget(file).apply(planned(OTHER, ONE))
    expect(file.content()).toEqual(new Uint8Array(OTHER))
  })

  it.each([
    {name: 'a first file that another process created', before: undefined, now: ONE},
    {name: 'a file that was edited', before: ONE, now: EDITED},
  ])('does not overwrite $name', async ({before, now}) => {
    const file = memoryTarget('wanted.lock', before)
    await writes(file, now)
    expect(await outcome(() => fileTarget(file).apply(planned(OTHER, before)))).toBe('output-refused')
    expect(file.content()).toEqual(new Uint8Array(now))
  })

  it('accepts a file that another process has made the same', async () => {
    const file = memoryTarget('wanted.lock', ONE)
    await writes(file, OTHER)
    expect(await outcome(() => fileTarget(file).apply(planned(OTHER, ONE)))).toBeUndefined()
  })
})
