import {describe, expect, it} from '@jest/globals'
import {lockToKeep, lockToRead, lockPath, lockToWrite} from '../../../src/cli/declaration/lock-query.js'
import {writeLock} from '../../../src/declaration/write-lock.js'
import {memoryTarget} from '../../author/layout/memory-outputs.js'
import {hash, LOCK} from '../../declaration/locks.js'
import {outcome} from '../../outcome.js'

const written = Buffer.from(writeLock(LOCK))
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

describe('lockToKeep', () => {
  it.each([
    {name: 'nothing named', in: {}, want: undefined},
    {
      name: 'only a declaration',
      in: DECLARATION,
      want: {file: 'deploy/wanted.lock', isOptional: true, otherwise: 'note'},
    },
    {name: 'a file', in: {'lock-file': 'a'}, want: {file: 'a', isOptional: false, otherwise: 'note'}},
    {
      name: '--locked',
      in: {...DECLARATION, locked: true},
      want: {file: 'deploy/wanted.lock', isOptional: false, otherwise: 'reject'},
    },
  ])('$name', ({in: flags, want}) => {
    const lock = lockToKeep({}, flags)
    if (want === undefined) expect(lock).toBeUndefined()
    else expect(lock).toMatchObject(want)
  })

  it('rejects --locked without a path of a lock', async () => {
    expect(await outcome(() => lockToKeep({ref: 'example/app'}, {locked: true}))).toBe('usage')
  })

  it('names the command that writes the lock', () => {
    const flags = {'lock-file': "it's.lock", packages: './packages', index: ['a.jsonl', 'r.org/b']}
    expect(lockToRead({ref: 'example/app', name: 'app'}, flags).remedy).toBe(
      `kubectl crossplane package lock example/app app --packages ./packages --index a.jsonl --index r.org/b --lock-file 'it'\\''s.lock'`,
    )
  })
})

describe('the upgrade of locked packages', () => {
  const open = async (bytes?: Uint8Array, upgrade: readonly string[] = []) => {
    const file = memoryTarget('wanted.lock', bytes)
    return await lockToWrite({}, {...DECLARATION, upgrade}, {file: () => file})
  }

  it.each([
    {name: 'a tag', in: 'x/a:v1'},
    {name: 'a digest', in: `x/a@${hash('a')}`},
  ])('is rejected for $name, which only the declaration can change', async ({in: text}) => {
    expect(await outcome(() => open(written, [text]))).toBe('usage')
  })

  it('is rejected for an invalid name', async () => {
    expect(await outcome(() => open(written, ['Bad Name!']))).toBe('reference-invalid')
  })
})
