import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import {
  checkInstanceName,
  checkNamespace,
  defaultInstanceName,
  localRepositoryPath,
} from '../../src/reference/instance-name.js'

function codeOf(act: () => string): string {
  try {
    return act()
  } catch (error) {
    if (error instanceof CrossplaneError) return error.code
    throw error
  }
}

describe('defaultInstanceName', () => {
  it.each([
    ['crossplane/provider-gcp', 'crossplane-provider-gcp'],
    ['widgets', 'widgets'],
    ['a/b.c_d/e', 'a-b-c-d-e'],
    ['local/My Package', 'local-my-package'],
    ['-a-/_b_', 'a---b'],
    ['local/Ünï', 'local--n'],
    ['///', ''],
  ])('of %s is %j', (path, want) => {
    expect(defaultInstanceName(path)).toBe(want)
  })
})

describe('localRepositoryPath', () => {
  it.each([
    ['/abs/widgets', 'local/widgets'],
    ['/abs/widgets/', 'local/widgets'],
    ['/abs/widgets/.registry', 'local/widgets'],
    ['/abs/widgets/.registry/', 'local/widgets'],
    ['images/widgets.tar', 'local/widgets.tar'],
  ])('of %s is %s', (path, want) => {
    expect(localRepositoryPath(path)).toBe(want)
  })
})

describe('checkInstanceName', () => {
  const longest = `${'a'.repeat(63)}.${'b'.repeat(189)}`

  it.each(['a', '0', 'provider-gcp', 'a.b.c', 'a--b', longest])('accepts %s', name => {
    expect(codeOf(() => checkInstanceName(name))).toBe(name)
  })

  it.each(['', 'A', 'a_b', '-a', 'a-', '.a', 'a.', 'a..b', 'a.-b', 'a b', 'a/b', 'é', 'a\n', `${longest}b`])(
    'rejects %j',
    name => {
      expect(codeOf(() => checkInstanceName(name))).toBe('usage')
    },
  )
})

describe('checkNamespace', () => {
  it.each(['a', '0', 'team-a', 'a'.repeat(63)])('accepts %s', name => {
    expect(codeOf(() => checkNamespace(name, '--namespace'))).toBe(name)
  })

  it.each(['', 'A', 'a.b', '-a', 'a-', 'a b', 'a\n', 'a'.repeat(64)])(
    'rejects %j, and names the flag',
    name => {
      expect(codeOf(() => checkNamespace(name, '--namespace'))).toBe('usage')
      expect(() => checkNamespace(name, '--namespace')).toThrow(/^--namespace /)
    },
  )
})
