import {describe, expect, it} from '@jest/globals'
import {carriedOver} from '../../src/declaration/lock.js'
import {CrossplaneError} from '../../src/errors.js'
import {readLock} from '../../src/declaration/read-lock.js'
import {writeLock} from '../../src/declaration/write-lock.js'
import {expectGolden} from '../golden.js'
import {APP, hash, LOCK} from './locks.js'

const read = (text: string) => readLock('a.lock', Buffer.from(text))
const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageLock\nformatVersion: 1\n'
const WHOLE = `${HEAD}renderVersion: 1\nrequestHash: ${hash('a')}\n`

function failure(act: () => unknown): CrossplaneError {
  try {
    act()
  } catch (error) {
    if (error instanceof CrossplaneError) return error
    throw error
  }
  throw new Error('the test expected a failure here')
}

/** Faults as `line field [rule]`. */
function faultsIn(text: string): string[] {
  const {code, diagnostics} = failure(() => read(text))
  expect(code).toBe('input-invalid')
  expect(diagnostics.map(({file}) => file)).toEqual(diagnostics.map(() => 'a.lock'))
  return diagnostics.map(({line, field, rule}) => `${line ?? '-'} ${field ?? ''} [${rule}]`)
}

describe('a lock', () => {
  it('is formatted for review', () => {
    expectGolden('lock.yaml', writeLock(LOCK))
    expect(read(writeLock(LOCK))).toEqual(LOCK)
  })

  it.each([
    {name: 'nothing', reason: 'it was emptied', in: '', want: ['-  [lock-empty]']},
    {name: 'no YAML', reason: 'it cannot be read', in: `${WHOLE}a: [`, want: ['6  [yaml-syntax]']},
    {name: 'a list', reason: 'it is an object', in: '- a\n', want: ['1  [field-type]']},
    {name: 'two documents', reason: 'one is lost', in: `${WHOLE}---\na: 1\n`, want: ['7  [lock-documents]']},
    {
      name: 'an unfinished merge',
      reason: 'both sides are reported',
      in: `${WHOLE}<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> other\n<<<<<<< HEAD\n`,
      want: ['6  [lock-merge]', '11  [lock-merge]'],
    },
    {
      name: 'another kind',
      reason: 'it is not a lock file',
      in: 'apiVersion: v1\nkind: Pod\n',
      want: ['2 kind [lock-value]'],
    },
    {
      name: 'a field twice, and one in other case',
      reason: 'neither is an addition',
      in: `${WHOLE}Packages: {}\nkind: PackageLock\n`,
      want: ['6 Packages [field-case]', '7 kind [duplicate-key]'],
    },
    {
      name: 'invalid values',
      reason: 'all at once, by line',
      in: `${HEAD}renderVersion: 0
requestHash: sha256:short
packages:
  Not/Lower:
    tag: ../b
    version: 5
    digest: md5:1
    summaryHash: ${hash('A')}
    installs:
      a:
        mode: perhaps
        requestedFor: x
      a/b: []
acceptedMismatches:
- owner: a:v1
  requirer: "a b"
assumptions: {a.b.org: 1}
`,
      want: [
        '4 renderVersion [lock-value]',
        '5 requestHash [lock-value]',
        '7 packages["Not/Lower"] [lock-value]',
        '8 packages["Not/Lower"].tag [lock-value]',
        '9 packages["Not/Lower"].version [field-type]',
        '10 packages["Not/Lower"].digest [lock-value]',
        '11 packages["Not/Lower"].summaryHash [lock-value]',
        '13 packages["Not/Lower"].installs.a [lock-value]',
        '14 packages["Not/Lower"].installs.a.mode [lock-value]',
        '15 packages["Not/Lower"].installs.a.requestedFor [field-type]',
        '16 packages["Not/Lower"].installs["a/b"] [field-type]',
        '18 acceptedMismatches[0].crd [lock-value]',
        '18 acceptedMismatches[0].owner [lock-value]',
        '19 acceptedMismatches[0].requirer [lock-value]',
        '20 assumptions["a.b.org"] [field-type]',
      ],
    },
  ])('rejects $name: $reason', ({in: text, want}) => {
    expect(faultsIn(text)).toEqual(want)
  })

  const tagged = (identity: string, tag: string) =>
    writeLock({...LOCK, packages: [{...APP, identity, tag}], acceptedMismatches: []})

  it.each(['v1.0.0', 'v1.0.0+build.5', 'latest', 'of today'])('accepts the tag %s', tag => {
    expect(read(tagged('example/app', tag)).packages[0]?.tag).toBe(tag)
  })

  it.each(['', '.', '..', '../../other/manifests/v1', 'v1?x', 'v1%2f', 'v1\u001b'])(
    'rejects the tag %j, which could refer to another repository',
    tag => {
      expect(faultsIn(tagged('example/app', tag))).toEqual([expect.stringMatching(/tag \[lock-value\]$/)])
    },
  )

  it('accepts a local package and its own version', () => {
    const local = {...APP, identity: 'local/My Folder', tag: '1.0 beta / x', version: ''}
    expect(read(writeLock({...LOCK, packages: [local]})).packages).toEqual([local])
  })

  it('rejects a truncated lock', () => {
    const whole = writeLock(LOCK)
    const taken = Array.from({length: whole.length - 1}, (_, end) => whole.slice(0, end)).filter(text => {
      try {
        return read(text)
      } catch (error) {
        return !(error instanceof CrossplaneError && error.code === 'input-invalid')
      }
    })
    expect(taken).toEqual([])
  })

  it.each(['2', '9007199254740993'])('rejects format %s of a newer version', version => {
    const error = failure(() =>
      read(`${WHOLE.replace('formatVersion: 1', `formatVersion: ${version}`)}new: true\n`),
    )
    expect({code: error.code, next: error.suggestions.length}).toEqual({code: 'unsupported', next: 1})
  })

  it('keeps unknown fields when it is written again', () => {
    const text = writeLock(LOCK)
      .replace('  example/app:\n', '  example/app:\n    approvedBy: anna\n')
      .replace('        mode: requested\n', '        mode: requested\n        wave: 3\n')
      .replace('  requirer: example/app\n', '  requirer: example/app\n  until: 2027\n')
      .concat('signature: {by: ci}\n')
    const previous = read(text)
    const fresh = {
      ...LOCK,
      packages: [...LOCK.packages, {...LOCK.packages[0], identity: 'example/b', more: {}} as const].map(
        each => ({
          ...each,
          tag: 'v9.0.0',
          version: '9',
          summaryHash: hash('e'),
          installs: [
            ...(each.installs ?? []),
            {namespace: 'z', name: 'z', mode: 'auto', requestedFor: [], for: {}, more: {}} as const,
          ],
        }),
      ),
    }
    const kept = read(writeLock(carriedOver(fresh, previous)))
    expect(kept.more).toEqual({signature: {by: 'ci'}})
    expect(kept.acceptedMismatches.map(({more}) => more)).toEqual([{}, {until: 2027}])
    expect(
      kept.packages.map(({identity, tag, more, installs}) => ({
        identity,
        tag,
        more,
        installs: installs.map(each => each.more),
      })),
    ).toEqual([
      {identity: 'example/app', tag: 'v9.0.0', more: {approvedBy: 'anna'}, installs: [{wave: 3}, {}]},
      {identity: 'example/b', tag: 'v9.0.0', more: {}, installs: [{}, {}]},
      {identity: 'example/provider-cloud', tag: 'v9.0.0', more: {}, installs: [{}, {}]},
    ])
  })
})
