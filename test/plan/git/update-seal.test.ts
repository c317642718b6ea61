import {describe, expect, it} from '@jest/globals'
import {updateBranch, updatePrefix} from '../../../src/plan/git/update-branch.js'
import {isSameCommit, isSealed, readCommitObject, sealedMessage} from '../../../src/plan/git/update-seal.js'

const RAW = `tree ${'a'.repeat(40)}
parent ${'b'.repeat(40)}
author A U Thor <a@example.org> 1700000000 +0100
committer C O Mitter <c@example.org> 1700000001 +0100
gpgsig -----BEGIN PGP SIGNATURE-----
 tree x
 -----END PGP SIGNATURE-----

Upgrade x to v2

Crossplane-Lock: sha256:ab
`

describe('the seal of an update', () => {
  const commit = readCommitObject(RAW)
  const sealed = {...commit, message: sealedMessage(commit)}

  it('is about files, parent and message', () => {
    expect(commit).toMatchObject({tree: 'a'.repeat(40), parents: ['b'.repeat(40)], isSigned: true})
    expect(sealed.message).toMatch(/\nCrossplane-Lock: sha256:ab\nCrossplane-Update: sha256:[0-9a-f]{64}\n$/)
    expect(isSealed(sealed)).toBe(true)
    expect(isSameCommit(sealed, {...sealed, author: 'other'})).toBe(true)
  })

  it.each([
    ['no seal', commit],
    ['other files', {...sealed, tree: 'c'.repeat(40)}],
    ['another parent', {...sealed, parents: ['c'.repeat(40)]}],
    ['two parents', {...sealed, parents: [...sealed.parents, 'c'.repeat(40)]}],
    ['no parent', {...sealed, parents: []}],
    ['another message', {...sealed, message: sealed.message.replace('v2', 'v3')}],
    ['more text', {...sealed, message: `${sealed.message}mine\n`}],
    ['a second seal', {...sealed, message: sealedMessage({...sealed, message: `${sealed.message}\nmine`})}],
  ])('does not hold for %s', (_, other) => {
    expect(isSealed(other)).toBe(false)
    expect(isSameCommit(sealed, other)).toBe(false)
  })
})

describe('the branches of updates', () => {
  it.each([
    ['main', '', 'ghcr.io/x/y', 'crossplane-update/main/+/ghcr.io+x+y'],
    ['release/1', 'a/b', 'h:5000/x', 'crossplane-update/release+1/a+b/h=3a5000+x'],
    ['main', 'ü a', 'all', 'crossplane-update/main/=c3=bc=20a/all'],
    ['main', 'a.lock', '..x.', 'crossplane-update/main/a=2elock/=2e=2ex=2e'],
  ])('of %s, %j and %s', (target, folder, group, branch) => {
    expect(updateBranch(updatePrefix(target, folder), group)).toBe(branch)
  })

  it('differ for different texts', () => {
    const texts = ['a/b', 'a+b', 'a=2bb', 'a.b', 'a..b', '.a', 'a/.b', 'a.lock', 'a=2elock', 'a:b', 'a=3ab']
    expect(new Set(texts.map(text => updateBranch('', text))).size).toBe(texts.length)
  })
})
