import {describe, expect, it} from '@jest/globals'
import type {Lock} from '../../../src/declaration/lock.js'
import {removalStep} from '../../../src/plan/declaration/requested-removal.js'
import {stillRequested} from '../../../src/plan/declaration/xpkg-removal.js'

const DECLARATION = {
  name: 'crossplane-packages.yaml',
  bytes: Buffer.from(`apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
packages:
- package: x/app
  namespace: team-a
- package: xpkg.crossplane.io/x/app
- package: xpkg.crossplane.io/y/app
- package: xpkg.crossplane.io/z/lone
`),
}

const install = {namespace: 'team-a', name: 'x-app', mode: 'requested', requestedFor: [], for: {}}
const xpkg = (repository: string, requires: object = {}) => ({repository, mode: 'requested', requires})

/** A lock, of which only what a removal reads is here. */
function lockOf(...xpkgs: readonly object[]): Lock {
  return {packages: [{identity: 'x/app', tag: 'v1.0.0', installs: [install]}], xpkgs} as unknown as Lock
}

const SAME = lockOf(xpkg('xpkg.crossplane.io/x/app'), xpkg('xpkg.crossplane.io/z/lone'))

describe('an uninstall by name', () => {
  it.each([
    {name: 'team-a/x-app', key: 'team-a/x-app', stage: 'draining'},
    {name: 'xpkg.crossplane.io/x/app', key: 'xpkg.crossplane.io/x/app', stage: 'unrequested'},
    {name: 'z-lone', key: 'xpkg.crossplane.io/z/lone', stage: 'unrequested'},
  ])('finds $name', ({name, ...step}) => {
    expect(removalStep(DECLARATION, SAME, {name})).toMatchObject({...step, rejections: []})
  })

  it.each([
    {
      reason: 'packages of both formats have the name',
      name: 'x-app',
      lock: SAME,
      keys: ['team-a/x-app', 'xpkg.crossplane.io/x/app'],
    },
    {
      reason: 'two requests would have it',
      name: 'x-app',
      lock: {...lockOf(xpkg('a.example.org/x/app'), xpkg('b.example.org/x/app')), packages: []},
      keys: ['a.example.org/x/app', 'b.example.org/x/app'],
    },
  ])('is rejected where $reason', ({name, lock, keys}) => {
    expect(() => removalStep(DECLARATION, lock, {name})).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: `cannot uninstall "${name}": it names ${keys.join(' and ')}`,
        suggestions: [`Use ${keys.join(' or ')}.`],
      }),
    )
  })

  it('names what the lock has where it has no such name', () => {
    expect(() => removalStep(DECLARATION, SAME, {name: 'zz'})).toThrow(
      expect.objectContaining({
        message: 'package "zz" not found in the lock',
        suggestions: ['Use one of team-a/x-app, xpkg.crossplane.io/x/app, xpkg.crossplane.io/z/lone.'],
      }),
    )
  })

  describe('of a package that is requested by a CRD', () => {
    const declared = (...entries: readonly string[]) => ({
      name: 'crossplane-packages.yaml',
      bytes: Buffer.from(
        ['apiVersion: packages.kubectl-crossplane.dev/v1alpha1', 'kind: PackageDeclaration', 'packages:']
          .concat(
            entries.map(entry => `- ${entry}`),
            '',
          )
          .join('\n'),
      ),
    })
    const ofStack = {...lockOf(xpkg('r.example.org/z/sql'), xpkg('r.example.org/z/net')), packages: []}
    const queue = {...install, requestedFor: ['queues.q.example.org']}
    const lock = {
      ...ofStack,
      packages: [{identity: 'x/queue', tag: 'v1.0.0', installs: [queue]}],
    } as unknown as Lock
    const [sql, queues] = ['crd: dbs.sql.example.org', 'crd: queues.q.example.org']
    const net = 'package: r.example.org/z/net'

    it('removes the entry that led to it', () => {
      const {text, stage} = removalStep(declared(queues, sql, net), lock, {name: 'z-sql'})
      expect({text, stage}).toEqual({
        text: declared(queues, net).bytes.toString(),
        stage: 'unrequested',
      })
    })

    it('is rejected while an entry of a CRD requests what another entry names', () => {
      const step = removalStep(declared(sql, 'package: r.example.org/z/sql'), lock, {name: 'z-sql'})
      expect(step.text).toBe(declared(sql).bytes.toString())
      expect(stillRequested(step, ofStack)).toMatchObject([
        {
          message: 'another entry of the declaration requests r.example.org/z/sql',
          suggestions: ['Remove its entry by hand: crd: dbs.sql.example.org.'],
        },
      ])
      expect(stillRequested(step, lockOf(xpkg('r.example.org/z/net')))).toEqual([])
    })

    it.each([
      {reason: 'two entries may have', entries: [queues, sql, 'crd: others.sql.example.org', net]},
      {reason: 'it may have led to another package', entries: [queues, sql]},
    ])('names the entries where $reason', ({entries}) => {
      expect(() => removalStep(declared(...entries), lock, {name: 'z-sql'})).toThrow(
        expect.objectContaining({
          code: 'not-found',
          message: expect.stringContaining('which CRD requests it is unknown'),
          suggestions: [expect.stringContaining('dbs.sql.example.org')],
        }),
      )
    })
  })

  it('rejects the removal of what another package requires', () => {
    const needed = xpkg('xpkg.crossplane.io/y/app', {'xpkg.crossplane.io/z/lone': '*'})
    const lock = lockOf(xpkg('xpkg.crossplane.io/z/lone'), needed)
    expect(removalStep(DECLARATION, lock, {name: 'z-lone'}).rejections).toMatchObject([
      {
        rule: 'required-install',
        message: 'xpkg.crossplane.io/z/lone is required by xpkg.crossplane.io/y/app',
      },
    ])
  })
})
