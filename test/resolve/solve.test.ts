import {describe, expect, it} from '@jest/globals'
import type {Root, SolverInput} from '../../src/resolve/solver-input.js'
import type {SolveOptions} from '../../src/resolve/solve.js'
import {selected, input, solved, version} from './world.js'

const sql = (tag: string, served: string, requires: string[] = []) =>
  version(`sql:${tag}`, {owns: [`databases.sql.org/${served}`], requires})
const app = (...requires: string[]) => version('app:v1.0.0', {owns: ['apps.app.org'], requires})
const SQL = [sql('v1.0.0', 'v1alpha1'), sql('v2.0.0', 'v1alpha1,v1beta1'), sql('v3.0.0', 'v1beta1')]

interface Case {
  readonly name: string
  readonly reason: string
  readonly in: SolverInput
  readonly options?: Partial<SolveOptions>
  readonly want: readonly string[] | string
}

const asks = (requirement: string, more: Partial<SolverInput> = {}, ...others: SolverInput['summaries']) =>
  input(['app'], [app(requirement), ...SQL, ...others], more)
const evil = version('evil/sql:v99.0.0', {owns: ['databases.sql.org/v1beta1,v9']})

describe('the selected packages', () => {
  it.each<Case>([
    {
      name: 'a plural',
      reason: 'as Kubernetes names it',
      in: asks('databases.sql.org'),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'a singular',
      reason: 'as authors write it',
      in: asks('database.sql.org'),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'a lower-cased kind',
      reason: 'as authors write it',
      in: asks('databaseskind.sql.org/v1alpha1'),
      want: ['app:v1.0.0', 'sql:v2.0.0'],
    },
    {
      name: 'a kind with capitals',
      reason: 'a kind is not the name of a resource',
      in: asks('DatabasesKind.sql.org'),
      want: 'unresolvable',
    },
    {
      name: 'a singular that is the plural of another',
      reason: 'the plural takes precedence',
      in: input(
        ['app'],
        [
          app('series.sql.org/v1'),
          version('sql:v1.0.0', {owns: ['series.sql.org/v1', 'seriess.sql.org/v2']}),
        ],
      ),
      want: ['app:v1.0.0', 'sql:v1.0.0'],
    },
    {
      name: 'a wildcard',
      reason: 'any kind of the group',
      in: asks('*.sql.org/v1alpha1'),
      want: ['app:v1.0.0', 'sql:v2.0.0'],
    },
    {
      name: 'a wildcard of a longer group',
      reason: 'exactly the group',
      in: asks('*.org/v1alpha1'),
      want: 'unresolvable',
    },
    {
      name: 'the newest',
      reason: 'no version is requested',
      in: asks('sql'),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'pre-releases and tags that are not versions',
      reason: 'they are only selected by name',
      in: asks('sql', {}, sql('v4.0.0-rc.1', 'v1'), sql('latest', 'v1')),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'a pre-release that is named',
      reason: 'it is requested',
      in: input(['app', 'sql:v4.0.0-rc.1'], [app('databases.sql.org'), ...SQL, sql('v4.0.0-rc.1', 'v1')]),
      want: ['app:v1.0.0', 'sql:v4.0.0-rc.1'],
    },
    {
      name: 'a locked version',
      reason: 'it takes precedence over the newest',
      in: asks('databases.sql.org', {preferences: [{identity: 'sql', tag: 'v1.0.0', because: 'locked'}]}),
      want: ['app:v1.0.0', 'sql:v1.0.0'],
    },
    {
      name: 'a locked and an installed version',
      reason: 'the lock takes precedence',
      in: asks('databases.sql.org', {
        preferences: [
          {identity: 'sql', tag: 'v2.0.0', because: 'installed'},
          {identity: 'sql', tag: 'v1.0.0', because: 'locked'},
        ],
      }),
      want: ['app:v1.0.0', 'sql:v1.0.0'],
    },
    {
      name: 'a locked version that is to be upgraded',
      reason: 'it is upgraded and remains the owner',
      in: asks(
        'databases.sql.org',
        {preferences: [{identity: 'sql', tag: 'v1.0.0', because: 'locked', isUpgraded: true}]},
        evil,
      ),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'a locked version that no longer satisfies the requirements',
      reason: 'another version is selected',
      in: asks('databases.sql.org/v1beta1', {
        preferences: [{identity: 'sql', tag: 'v1.0.0', because: 'locked'}],
      }),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'a yanked version',
      reason: 'the next version is selected',
      in: asks('databases.sql.org', {
        excluded: [{identity: 'sql', tag: 'v3.0.0', kind: 'yanked', reason: 'it loses data'}],
      }),
      want: ['app:v1.0.0', 'sql:v2.0.0'],
    },
    {
      name: 'a yanked version by name',
      reason: 'only a lock can keep it',
      in: input(['sql:v3.0.0'], SQL, {
        excluded: [{identity: 'sql', tag: 'v3.0.0', kind: 'yanked', reason: 'it loses data'}],
      }),
      want: 'unresolvable',
    },
    {
      name: 'a digest',
      reason: 'it selects one of two packages with the same tag',
      in: input(
        [{requirement: {form: 'package', text: 'sql', identity: 'sql', digest: 'sha256:b'}}],
        ['sha256:a', 'sha256:b'].map(digest => version('sql:v1.0.0', {digest, owns: ['databases.sql.org']})),
      ),
      want: ['sql:v1.0.0'],
    },
    {
      name: 'two equal summaries',
      reason: 'the package is selected once',
      in: input(['sql'], [...SQL, ...SQL]),
      want: ['sql:v3.0.0'],
    },
  ])('$name: $reason', ({in: asked, options = {}, want}) => {
    expect(selected(solved(asked, options))).toEqual(want)
  })
})

describe('the range of a root', () => {
  const inRange = (range: string): Root => ({
    requirement: {form: 'package', text: 'sql', identity: 'sql', range},
  })

  it.each<Case>([
    {
      name: 'selects the newest stable version within it',
      reason: 'newer ones are excluded',
      in: input([inRange('^2.0.0')], [...SQL, sql('v2.1.0', 'v1'), sql('v2.2.0-rc.1', 'v1')]),
      want: ['sql:v2.1.0'],
    },
    {
      name: 'matches tags without a leading v',
      reason: 'both are semantic versions',
      in: input([inRange('~0.9.1')], [sql('0.9.0', 'v1'), sql('0.9.4', 'v1'), sql('0.10.0', 'v1')]),
      want: ['sql:0.9.4'],
    },
    {
      name: 'rejects a requirement that only a version outside the range satisfies',
      reason: 'the user restricted the package',
      in: input([inRange('^1.0.0'), 'app'], [app('databases.sql.org/v1beta1'), ...SQL]),
      want: 'unresolvable',
    },
    {
      name: 'rejects a locked version outside',
      reason: 'the declaration takes precedence',
      in: input([inRange('^2.0.0')], SQL, {
        preferences: [{identity: 'sql', tag: 'v3.0.0', because: 'locked'}],
      }),
      want: ['sql:v2.0.0'],
    },
    {
      name: 'excludes versions that are not semantic',
      reason: 'they cannot be compared',
      in: input([inRange('>=0.0.0')], [sql('latest', 'v1')]),
      want: 'unresolvable',
    },
  ])('$name: $reason', ({in: asked, want}) => {
    expect(selected(solved(asked))).toEqual(want)
  })
})

describe('dependency cycles', () => {
  it.each<Case>([
    {
      name: 'a cycle',
      reason: 'it is allowed',
      in: input(
        ['a'],
        [
          version('a:v1.0.0', {owns: ['as.a.org'], requires: ['bs.b.org']}),
          version('b:v1.0.0', {owns: ['bs.b.org'], requires: ['as.a.org']}),
        ],
      ),
      want: ['a:v1.0.0', 'b:v1.0.0'],
    },
    {
      name: 'a cycle that requires another version of its first package',
      reason: 'one version of each package is selected',
      in: input(
        ['a'],
        [
          version('a:v2.0.0', {owns: ['as.a.org/v2'], requires: ['bs.b.org']}),
          version('a:v1.0.0', {owns: ['as.a.org/v1'], requires: ['bs.b.org']}),
          version('b:v1.0.0', {owns: ['bs.b.org'], requires: ['as.a.org/v1']}),
        ],
      ),
      want: ['a:v1.0.0', 'b:v1.0.0'],
    },
    {
      name: 'a package that requires itself',
      reason: 'the requirement is satisfied',
      in: input(['a'], [version('a:v1.0.0', {requires: ['a']})]),
      want: ['a:v1.0.0'],
    },
    {
      name: 'a package that requires its own CRD',
      reason: 'other owners are ignored',
      in: input(
        ['a'],
        [
          version('a:v1.0.0', {owns: ['as.a.org/v1'], requires: ['as.a.org/v1', '*.a.org']}),
          version('b:v1.0.0', {owns: ['as.a.org/v1']}),
        ],
      ),
      want: ['a:v1.0.0'],
    },
    {
      name: 'a package that requires its own CRD in a version that it does not serve',
      reason: 'its older version, which serves it, is selected',
      in: input(
        ['a'],
        [
          version('a:v2.0.0', {owns: ['as.a.org/v2'], requires: ['as.a.org/v1']}),
          version('a:v1.0.0', {owns: ['as.a.org/v1'], requires: ['as.a.org/v1']}),
        ],
      ),
      want: ['a:v1.0.0'],
    },
  ])('$name: $reason', ({in: asked, want}) => {
    expect(selected(solved(asked))).toEqual(want)
  })
})

describe('CRDs that are available without a package', () => {
  const fact = {
    origin: 'assumed',
    group: 'sql.org',
    plural: 'databases',
    singular: 'database',
    served: ['v1'],
  } as const

  it.each<Case>([
    {
      name: 'a fact',
      reason: 'no package is needed',
      in: asks('databases.sql.org/v1', {facts: [fact]}),
      want: ['app:v1.0.0'],
    },
    {
      name: 'a fact by its singular',
      reason: 'as with packages',
      in: asks('database.sql.org', {facts: [fact]}),
      want: ['app:v1.0.0'],
    },
    {
      name: 'a fact for a wildcard',
      reason: 'one kind of the group is enough',
      in: asks('*.sql.org/v1', {facts: [fact]}),
      want: ['app:v1.0.0'],
    },
    {
      name: 'a fact in another version',
      reason: 'a package can provide that version',
      in: asks('databases.sql.org/v1beta1', {facts: [fact]}),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'a fact of all kinds in all versions',
      reason: 'the user assumes the whole group',
      in: asks('tables.sql.org/v7', {facts: [{origin: 'assumed', group: 'sql.org', plural: '*'}]}),
      want: ['app:v1.0.0'],
    },
    {
      name: 'a requested CRD that is available',
      reason: 'nothing is installed',
      in: input(['databases.sql.org/v1'], SQL, {facts: [fact]}),
      want: [],
    },
  ])('$name: $reason', ({in: asked, want}) => {
    expect(selected(solved(asked))).toEqual(want)
  })
})
