import {describe, expect, it} from '@jest/globals'
import type {Lock} from '../../../src/declaration/lock.js'
import {removalStep} from '../../../src/plan/declaration/requested-removal.js'

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
        message: 'cannot uninstall "zz": not found in the lock',
        suggestions: ['Use one of team-a/x-app, xpkg.crossplane.io/x/app, xpkg.crossplane.io/z/lone.'],
      }),
    )
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
