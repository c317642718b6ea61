import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {
  type Lock,
  type LockedInstall,
  type LockedMismatch,
  type LockedPackage,
  mismatchKey,
} from '../../src/declaration/lock.js'
import {readLock} from '../../src/declaration/read-lock.js'
import {writeLock} from '../../src/declaration/write-lock.js'
import type {JsonObject} from '../../src/yaml/json-value.js'

const sha256 = fc.stringMatching(/^[0-9a-f]{64}$/).map(digits => `sha256:${digits}`)
const label = fc.stringMatching(/^[a-z0-9]{1,8}$/)
const repository = fc.oneof(
  fc.tuple(label, label).map(([a, b]) => `${a}/${b}`),
  fc
    .string({unit: 'grapheme', minLength: 1, maxLength: 20})
    .map(name => `local/${name.replaceAll('/', '|')}`),
)
const word = fc.stringMatching(/^[!-~]{1,20}$/)
const text = fc.string({unit: 'grapheme', maxLength: 20})
const lines = fc.uniqueArray(text, {maxLength: 4}).map(each => [...each].sort())
/** Fields of a program to come: none is one of ours. */
const more: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(label, fc.oneof(text, fc.boolean(), fc.integer(), lines)), {maxLength: 2})
  .map(entries => Object.fromEntries(entries.map(([key, value]) => [`x-${key}`, value])))

const by = (key: (item: never) => string) => (a: unknown, b: unknown) =>
  key(a as never) < key(b as never) ? -1 : 1
const place = ({namespace, name}: LockedInstall) => `${namespace}/${name}`

const install: fc.Arbitrary<LockedInstall> = fc.record({
  namespace: label,
  name: label,
  mode: fc.constantFrom('requested', 'auto'),
  requestedFor: lines,
  for: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}\/[a-z]{1,5}$/), lines, {noNullPrototype: true}),
  more,
})

const locked: fc.Arbitrary<LockedPackage> = fc
  .record({
    identity: repository,
    tag: fc.stringMatching(/^[\w+ -]{1,20}$/),
    version: text,
    digest: fc.option(sha256, {nil: undefined}),
    summaryHash: sha256,
    installs: fc
      .uniqueArray(install, {maxLength: 3, selector: place})
      .map(installs => installs.sort(by(place))),
    more,
  })
  .map(({digest, ...each}) => ({...each, ...(digest === undefined ? {} : {digest})}))

const mismatch: fc.Arbitrary<LockedMismatch> = fc
  .record({crd: word, owner: repository, requirer: fc.option(repository, {nil: undefined}), more})
  .map(({requirer, ...each}) => ({...each, ...(requirer === undefined ? {} : {requirer})}))

const lock: fc.Arbitrary<Lock> = fc.record({
  requestHash: sha256,
  renderVersion: fc.integer({min: 1, max: 1e6}),
  packages: fc
    .uniqueArray(locked, {maxLength: 5, selector: ({identity}) => identity})
    .map(packages => packages.sort(by(({identity}: LockedPackage) => identity))),
  acceptedMismatches: fc
    .uniqueArray(mismatch, {maxLength: 3, selector: mismatchKey})
    .map(mismatches => mismatches.sort(by(mismatchKey))),
  assumptions: fc.dictionary(text, text, {noNullPrototype: true}),
  more,
})

const linesOf = (each: Lock) => writeLock(each).split('\n')

describe('writeLock and readLock', () => {
  it('round-trip', () => {
    fc.assert(
      fc.property(lock, each => {
        const written = writeLock(each)
        const read = readLock('a.lock', Buffer.from(written))
        expect(read).toEqual(each)
        expect(writeLock(read)).toBe(written)
      }),
    )
  })

  it('write the same text for any order of packages, installs and requirements', () => {
    const turned = (each: Lock): Lock => ({
      ...each,
      packages: each.packages.toReversed().map(one => ({
        ...one,
        installs: one.installs
          .toReversed()
          .map(placed => ({...placed, for: Object.fromEntries(Object.entries(placed.for).reverse())})),
      })),
      acceptedMismatches: each.acceptedMismatches.toReversed(),
      assumptions: Object.fromEntries(Object.entries(each.assumptions).reverse()),
    })
    fc.assert(fc.property(lock, each => expect(writeLock(turned(each))).toBe(writeLock(each))))
  })

  it('change one line if one package changes its tag', () => {
    const withPackages = lock.filter(({packages}) => packages.length > 0)
    fc.assert(
      fc.property(withPackages, fc.nat(), (each, index) => {
        const at = index % each.packages.length
        const packages = each.packages.map((one, i) => (i === at ? {...one, tag: `${one.tag}0`} : one))
        const [before, after] = [linesOf(each), linesOf({...each, packages})]
        expect(after).toHaveLength(before.length)
        expect(after.filter((line, i) => line !== before[i])).toHaveLength(1)
      }),
    )
  })

  it('keep the lines of other packages if one is removed', () => {
    const withPackages = lock.filter(({packages}) => packages.length > 1)
    fc.assert(
      fc.property(withPackages, fc.nat(), (each, index) => {
        const at = index % each.packages.length
        const without = linesOf({...each, packages: each.packages.filter((_, i) => i !== at)})
        const whole = linesOf(each)
        const start = whole.findIndex((line, i) => line !== without[i])
        const cut = whole.length - without.length
        expect([...whole.slice(0, start), ...whole.slice(start + cut)]).toEqual(without)
      }),
    )
  })
})
