import {describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {
  heldLock,
  lockPath,
  lockToWrite,
  neededLock,
  writeLockFile,
} from '../../../../src/cli/options/resolution/lock-query.js'
import {writeLock} from '../../../../src/declaration/write-lock.js'
import {memoryTarget} from '../../../author/layout/memory-outputs.js'
import {hash, LOCK} from '../../../declaration/locks.js'
import {outcome} from '../../../outcome.js'
import {temporaryFolder} from '../../../temporary-folder.js'

const written = Buffer.from(writeLock(LOCK))
const ELSE = {...LOCK, requestHash: hash('f')}
const DECLARATION = {declaration: 'deploy/wanted.yaml'}

describe('lockPath', () => {
  it.each([
    {name: 'a declaration', reason: 'beside it', in: DECLARATION, want: 'deploy/wanted.lock'},
    {name: 'one in JSON', reason: 'it is YAML, too', in: {declaration: 'wanted.json'}, want: 'wanted.lock'},
    {name: 'another name', reason: 'is kept whole', in: {declaration: 'a.b'}, want: 'a.b.lock'},
    {name: 'a file', reason: 'comes first', in: {...DECLARATION, 'lock-file': 'a'}, want: 'a'},
    {name: 'an empty name', reason: 'a variable that is not set', in: {'lock-file': ''}, want: 'usage'},
    {name: 'standard input', reason: 'there is nothing beside it', in: {declaration: '-'}, want: 'usage'},
    {name: 'a reference', reason: 'a lock here is of a declaration', in: {}, want: 'usage'},
  ])('$name: $reason', async ({in: flags, want}) => {
    expect(await outcome(() => lockPath(flags))).toBe(want)
  })
})

describe('a lock that is to be kept to', () => {
  const absent = join(temporaryFolder(), 'none.lock')

  it.each([
    {name: 'nothing named', in: {}, want: undefined},
    {name: 'only a declaration', in: DECLARATION, want: undefined},
    {name: '--locked alone', in: {locked: true}, want: 'usage'},
    {name: 'none there', in: {'lock-file': absent}, want: 'not-found'},
  ])('$name: $want', async ({in: flags, want}) => {
    expect(await outcome(() => heldLock(flags))).toBe(want)
  })

  it('tells how one is written only where there is none', async () => {
    const suggestions = async (file: string) =>
      neededLock({...DECLARATION, 'lock-file': file}).catch((error: unknown) => error)
    expect(await suggestions(absent)).toMatchObject({
      suggestions: [
        expect.stringContaining(`package lock --lock-file ${absent} --declaration deploy/wanted.yaml`),
      ],
    })
    expect(await suggestions('.')).toMatchObject({code: 'not-found', suggestions: []})
  })
})

describe('a lock that is written', () => {
  const open = async (bytes?: Uint8Array, upgrade: readonly string[] = []) => {
    const file = memoryTarget('wanted.lock', bytes)
    return {file, target: await lockToWrite({...DECLARATION, upgrade}, {file: () => file})}
  }
  const someoneWrites = (file: ReturnType<typeof memoryTarget>, bytes: Uint8Array) =>
    file.write(
      (async function* () {
        yield await Promise.resolve(bytes)
      })(),
    )

  it('takes the place of the one that was read', async () => {
    const {file, target} = await open(written)
    await writeLockFile(target, ELSE)
    expect(Buffer.from(file.content() ?? []).toString()).toBe(writeLock(ELSE))
  })

  it.each([
    {name: 'a first lock', reason: 'somebody else was faster', in: undefined, now: written},
    {
      name: 'a lock',
      reason: 'somebody has edited it',
      in: written,
      now: Buffer.from(writeLock({...LOCK, packages: []})),
    },
  ])('$name is not written over: $reason', async ({in: before, now}) => {
    const {file, target} = await open(before)
    await someoneWrites(file, now)
    expect(await outcome(() => writeLockFile(target, ELSE))).toBe('output-refused')
    expect(file.content()).toEqual(new Uint8Array(now))
  })

  it.each([
    {name: 'a tag', in: 'x/a:v1'},
    {name: 'a digest', in: `x/a@${hash('a')}`},
  ])('no package is upgraded to $name: that is for the declaration to say', async ({in: text}) => {
    expect(await outcome(() => open(written, [text]))).toBe('usage')
  })

  it('no package is upgraded that can be none', async () => {
    expect(await outcome(() => open(written, ['Bad Name!']))).toBe('reference-invalid')
  })
})
