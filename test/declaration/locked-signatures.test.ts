import {describe, expect, it} from '@jest/globals'
import {joinLocks} from '../../src/declaration/entries/join-locks.js'
import {splitLock} from '../../src/declaration/entries/split-lock.js'
import {lockChanges} from '../../src/declaration/lock-changes.js'
import {carriedOver, type Lock} from '../../src/declaration/lock.js'
import {recordedSignatures} from '../../src/declaration/locked-signatures.js'
import {readLock} from '../../src/declaration/read-lock.js'
import {writeLock} from '../../src/declaration/write-lock.js'
import {outcome} from '../outcome.js'

const DIGEST = `sha256:${'a'.repeat(64)}`
const HASH = `sha256:${'b'.repeat(64)}`
const stated = [
  {predicateType: 'https://sigstore.dev/cosign/sign/v1', signer: {key: HASH}},
  {
    predicateType: 'https://slsa.dev/provenance/v1',
    signer: {issuer: 'https://ci.example.org', subject: 'team'},
    builder: 'https://ci.example.org/builder',
    source: 'https://git.example.org/app',
  },
]
const signatures = stated.map(statement => ({...statement, digest: DIGEST}))
const image = {image: 'example.org/main:v1', digest: DIGEST, signatures}
const install = {
  ...{namespace: 'a', name: 'app', mode: 'requested' as const},
  requestedFor: [],
  for: {},
  more: {},
} as const
const lock: Lock = {
  ...{requestHash: HASH, renderVersion: 2, acceptedMismatches: [], assumptions: {}, more: {}},
  packages: [
    {
      ...{identity: 'x/app', tag: 'v1', version: 'v1', digest: DIGEST, summaryHash: HASH, more: {}},
      ...{installs: [install], signatures, images: [image]},
    },
  ],
  xpkgs: [
    {
      ...{repository: 'xpkg.example.org/x/y', kind: 'Provider', tag: 'v1', digest: DIGEST, summaryHash: HASH},
      ...{mode: 'requested', requires: {}, more: {}, signatures},
    },
  ],
}

describe('the signatures in a lock', () => {
  it('are read as they were written', () => {
    expect(readLock('a.lock', Buffer.from(writeLock(lock)))).toEqual(lock)
  })

  it('are in the lock of each install as well', () => {
    const files = [...splitLock(lock)].map(([file, own]) => ({
      file,
      lock: readLock(file, Buffer.from(writeLock(own))),
    }))
    expect(joinLocks(files).lock).toMatchObject({
      packages: [{signatures, images: [image]}],
      xpkgs: [{signatures}],
    })
  })

  it.each([
    {name: 'no signer', in: 'signer: {}'},
    {name: 'half an identity', in: 'signer: {issuer: a}'},
    {name: 'a key and an identity', in: 'signer: {key: a, issuer: b, subject: c}'},
  ])('have a signer: $name is rejected', async ({in: signer}) => {
    const text = writeLock(lock).replace(/signer:\n\s+key: \S+/, signer)
    expect(await outcome(() => readLock('a.lock', Buffer.from(text)))).toBe('input-invalid')
  })

  it('say what was verified of a digest, and only of that', () => {
    const recorded = recordedSignatures(lock.packages.map(own => ({name: own.identity, ...own})))
    expect(recorded.of('x/app', DIGEST)).toEqual(stated)
    expect(recorded.of('example.org/main', DIGEST)).toEqual(stated)
    expect(recorded.of('x/app', HASH)).toBeUndefined()
    expect(recorded.of('x/other', DIGEST)).toBeUndefined()
    expect(recorded.digestOf('example.org/main:v1')).toBe(DIGEST)
  })

  it.each([
    {name: 'another digest', of: signatures.map(statement => ({...statement, digest: HASH}))},
    {name: 'no digest, as earlier versions wrote them', of: stated},
  ])('do not count for a package or an image beside them if they name $name', ({of}) => {
    const images = [{...image, signatures: of}]
    const recorded = recordedSignatures([{name: 'x/app', digest: DIGEST, signatures: of, images}])
    expect(recorded.of('x/app', DIGEST)).toBeUndefined()
    expect(recorded.of('example.org/main', DIGEST)).toBeUndefined()
    expect(recorded.digestOf('example.org/main:v1')).toBe(DIGEST)
  })

  it('without a digest, as earlier versions wrote them, are no other signatures', () => {
    expect(lockChanges(lock, fresh({signatures: stated})).packages).toEqual([])
  })

  const [own] = lock.packages
  const fresh = (more: object) => ({...lock, packages: [{...own, ...more}]}) as Lock
  it('stay where no policy was looked at, for the same digest', () => {
    const {signatures: _own, images: _images, ...bare} = own ?? {}
    const without = {...lock, packages: [bare]} as Lock
    expect(carriedOver(without, lock).packages).toEqual(lock.packages)
    expect(lockChanges(lock, without).packages).toEqual([])
    const moved = {...lock, packages: [{...bare, digest: HASH}]} as Lock
    expect(carriedOver(moved, lock).packages[0]).not.toHaveProperty('signatures')
  })

  it('are a change where others are stated', () => {
    expect(lockChanges(lock, fresh({signatures: signatures.slice(1)})).packages).toMatchObject([
      {package: 'x/app', change: 'signatures'},
    ])
  })
})
