import {describe, expect, it} from '@jest/globals'
import type {Lock, LockedXpkg} from '../../../src/declaration/lock.js'
import {CrossplaneError} from '../../../src/errors.js'
import {
  expectFormerVersion,
  withFormerPin,
  withFormerVersion,
} from '../../../src/plan/declaration/rolled-back.js'

const REPOSITORY = 'registry.example.org/example/provider-sql'

function locked(tag: string, name?: string): LockedXpkg {
  return {
    repository: REPOSITORY,
    kind: 'Provider',
    ...(name === undefined ? {} : {name}),
    tag,
    summaryHash: tag,
    mode: 'requested',
    requires: {},
    more: {},
  }
}

function rolledBack(present: LockedXpkg, former: LockedXpkg): readonly LockedXpkg[] | undefined {
  const others = [{...locked('v9'), repository: 'registry.example.org/example/other'}]
  const lock: Lock = {...NO_PACKAGES, xpkgs: [...others, present]}
  const {xpkgs} = withFormerVersion(lock, {repository: REPOSITORY, xpkg: former})
  expect(xpkgs?.slice(0, 1)).toEqual(others)
  return xpkgs?.slice(1)
}

const NO_PACKAGES = {
  requestHash: '',
  renderVersion: 1,
  packages: [],
  acceptedMismatches: [],
  assumptions: {},
  more: {},
}
const messagesOf = (error: unknown) =>
  error instanceof CrossplaneError
    ? [error.code, error.message, ...error.diagnostics.map(one => one.message)]
    : []

/** What is reported for a lock in which the declaration and another package restrict a package. */
function reported(selected: string, declared: string, required = '>=v1.0.0'): readonly string[] {
  const other = {
    ...locked('v3'),
    repository: 'registry.example.org/example/app',
    requires: {[REPOSITORY]: [required]},
  }
  const lock: Lock = {...NO_PACKAGES, xpkgs: [{...locked(selected), requestedAs: [declared]}, other]}
  try {
    expectFormerVersion(lock, {repository: REPOSITORY, xpkg: locked('v1.1.0')})
    return []
  } catch (error) {
    return messagesOf(error)
  }
}

describe('the version of a rollback', () => {
  it('is the former one, or the constraints that exclude it are named', () => {
    expect(reported('v1.1.0', '>=v1.0.0')).toEqual([])
    const failure = [
      'unresolvable',
      `cannot roll back ${REPOSITORY} to v1.1.0: the constraints select v1.4.0`,
    ]
    expect(reported('v1.4.0', '>=v1.2.0')).toEqual([
      ...failure,
      `the declaration requires ${REPOSITORY} >=v1.2.0`,
    ])
    expect(reported('v1.4.0', '>=v1.0.0', '^v1.3.0')).toEqual([
      ...failure,
      `registry.example.org/example/app:v3 requires ${REPOSITORY} ^v1.3.0`,
    ])
  })
})

describe('the declaration of a rollback', () => {
  const digest = `sha256:${'a'.repeat(64)}`
  const {tag: _tag, ...byDigest} = {...locked(''), digest}
  it.each([
    {name: 'the former tag', in: `${REPOSITORY}:v2`, former: locked('v1'), want: `${REPOSITORY}:v1`},
    {
      name: 'the former digest in place of a tag',
      in: `${REPOSITORY}:v2\n  pin: config`,
      former: byDigest,
      want: `${REPOSITORY}@${digest}\n  pin: config`,
    },
    {
      name: 'the former digest in place of another one',
      in: `${REPOSITORY}@sha256:${'b'.repeat(64)}`,
      former: byDigest,
      want: `${REPOSITORY}@${digest}`,
    },
    {
      name: 'the same digest',
      in: `${REPOSITORY}@${digest}`,
      former: byDigest,
      want: `${REPOSITORY}@${digest}`,
    },
    {name: 'no pin for an entry without one', in: REPOSITORY, former: byDigest, want: REPOSITORY},
  ])('has $name', ({in: entry, former, want}) => {
    const textOf = (reference: string) =>
      `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- package: ${reference}\n`
    const file = {name: 'platform.yaml', bytes: Buffer.from(textOf(entry))}
    expect(withFormerPin(file, {repository: REPOSITORY, xpkg: former})).toBe(textOf(want))
  })
})

describe('the lock of a rollback', () => {
  it('has the former version under the present name of its request', () => {
    expect(rolledBack(locked('v2', 'sql'), locked('v1'))).toEqual([locked('v1', 'sql')])
    expect(rolledBack(locked('v2', 'sql'), locked('v1', 'old'))).toEqual([locked('v1', 'sql')])
    expect(rolledBack(locked('v2'), locked('v1', 'old'))).toEqual([locked('v1')])
  })
})
