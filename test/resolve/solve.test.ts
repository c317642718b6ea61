import {describe, expect, it} from '@jest/globals'
import type {Question, Root} from '../../src/resolve/question.js'
import type {PlannedInstall} from '../../src/resolve/resolution.js'
import type {SolveOptions} from '../../src/resolve/solve.js'
import {chosen, question, root, solved, version} from './world.js'

const sql = (tag: string, served: string, needs: string[] = []) =>
  version(`sql:${tag}`, {owns: [`databases.sql.org/${served}`], needs})
const app = (...needs: string[]) => version('app:v1.0.0', {owns: ['apps.app.org'], needs})
const SQL = [sql('v1.0.0', 'v1alpha1'), sql('v2.0.0', 'v1alpha1,v1beta1'), sql('v3.0.0', 'v1beta1')]

interface Case {
  readonly name: string
  readonly reason: string
  readonly in: Question
  readonly options?: Partial<SolveOptions>
  readonly want: readonly string[] | string
}

const asks = (need: string, more: Partial<Question> = {}, ...others: Question['summaries']) =>
  question(['app'], [app(need), ...SQL, ...others], more)
const evil = version('evil/sql:v99.0.0', {owns: ['databases.sql.org/v1beta1,v9']})

describe('which packages are chosen', () => {
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
      reason: 'is no resource',
      in: asks('DatabasesKind.sql.org'),
      want: 'unresolvable',
    },
    {
      name: 'a singular that is the plural of another',
      reason: 'the plural is what is meant',
      in: question(
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
      reason: 'where nothing is asked',
      in: asks('sql'),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'candidates and odd tags',
      reason: 'are only used by name',
      in: asks('sql', {}, sql('v4.0.0-rc.1', 'v1'), sql('latest', 'v1')),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'a candidate that is named',
      reason: 'it is asked for',
      in: question(['app', 'sql:v4.0.0-rc.1'], [app('databases.sql.org'), ...SQL, sql('v4.0.0-rc.1', 'v1')]),
      want: ['app:v1.0.0', 'sql:v4.0.0-rc.1'],
    },
    {
      name: 'what is locked',
      reason: 'before the newest',
      in: asks('databases.sql.org', {preferences: [{identity: 'sql', tag: 'v1.0.0', because: 'locked'}]}),
      want: ['app:v1.0.0', 'sql:v1.0.0'],
    },
    {
      name: 'what is locked and installed',
      reason: 'the lock first',
      in: asks('databases.sql.org', {
        preferences: [
          {identity: 'sql', tag: 'v2.0.0', because: 'installed'},
          {identity: 'sql', tag: 'v1.0.0', because: 'locked'},
        ],
      }),
      want: ['app:v1.0.0', 'sql:v1.0.0'],
    },
    {
      name: 'what is locked and free to move',
      reason: 'it is upgraded, and still the owner',
      in: asks(
        'databases.sql.org',
        {preferences: [{identity: 'sql', tag: 'v1.0.0', because: 'locked', isUpgraded: true}]},
        evil,
      ),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'a locked version that does not fit any more',
      reason: 'another is looked for',
      in: asks('databases.sql.org/v1beta1', {
        preferences: [{identity: 'sql', tag: 'v1.0.0', because: 'locked'}],
      }),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'a yanked version',
      reason: 'the next is taken',
      in: asks('databases.sql.org', {
        excluded: [{identity: 'sql', tag: 'v3.0.0', kind: 'yanked', reason: 'it loses data'}],
      }),
      want: ['app:v1.0.0', 'sql:v2.0.0'],
    },
    {
      name: 'a yanked version by name',
      reason: 'only a lock may keep it',
      in: question(['sql:v3.0.0'], SQL, {
        excluded: [{identity: 'sql', tag: 'v3.0.0', kind: 'yanked', reason: 'it loses data'}],
      }),
      want: 'unresolvable',
    },
    {
      name: 'a digest',
      reason: 'says which of two is meant',
      in: question(
        [{need: {form: 'package', text: 'sql', identity: 'sql', digest: 'sha256:b'}}],
        ['sha256:a', 'sha256:b'].map(digest => version('sql:v1.0.0', {digest, owns: ['databases.sql.org']})),
      ),
      want: ['sql:v1.0.0'],
    },
    {
      name: 'the same twice',
      reason: 'is once',
      in: question(['sql'], [...SQL, ...SQL]),
      want: ['sql:v3.0.0'],
    },
  ])('$name: $reason', ({in: asked, options = {}, want}) => {
    expect(chosen(solved(asked, options))).toEqual(want)
  })
})

describe('who owns what is needed', () => {
  it.each<Case>([
    {
      name: 'a squatter',
      reason: 'is never picked for being newer',
      in: asks('databases.sql.org/v9', {}, evil),
      want: 'ambiguous-owner',
    },
    {
      name: 'a squatter that is alone in serving it',
      reason: 'the version never narrows the candidates',
      in: asks('databases.sql.org/v9', {owners: [{group: 'sql.org', identity: 'sql'}]}, evil),
      want: 'unresolvable',
    },
    {
      name: 'the reader',
      reason: 'says whom to trust',
      in: asks('databases.sql.org/v9', {owners: [{group: '*.org', identity: 'evil/sql'}]}, evil),
      want: ['app:v1.0.0', 'evil/sql:v99.0.0'],
    },
    {
      name: 'the group itself',
      reason: 'before what it ends in',
      in: asks(
        'databases.sql.org',
        {
          owners: [
            {group: '*.org', identity: 'evil/sql'},
            {group: 'sql.org', identity: 'sql'},
          ],
        },
        evil,
      ),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'what is asked for',
      reason: 'before what the reader says of groups',
      in: question(['app', 'sql'], [app('databases.sql.org'), ...SQL, evil], {
        owners: [{group: 'sql.org', identity: 'evil/sql'}],
      }),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'a package that the same file names',
      reason: 'decides for its CRDs, too',
      in: question(['app'], [app('databases.sql.org/v1alpha1', 'sql'), ...SQL, evil]),
      want: ['app:v1.0.0', 'sql:v2.0.0'],
    },
    {
      name: 'what is installed',
      reason: 'before what the reader says of groups',
      in: asks(
        'databases.sql.org',
        {
          preferences: [{identity: 'sql', tag: 'v2.0.0', because: 'installed'}],
          owners: [{group: 'sql.org', identity: 'evil/sql'}],
        },
        evil,
      ),
      want: ['app:v1.0.0', 'sql:v2.0.0'],
    },
    {
      name: 'an entry that lies',
      reason: 'makes nobody a candidate',
      in: asks(
        'databases.sql.org',
        {excluded: [{identity: 'evil/sql', tag: 'v99.0.0', kind: 'lying', reason: 'it owns nothing'}]},
        evil,
      ),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'a CRD that moved from one package to another',
      reason: 'the reader says which; then both packages fit in versions that do not share it',
      in: question(
        ['old', 'app'],
        [
          app('databases.sql.org/v2'),
          version('old:v1.0.0', {owns: ['databases.sql.org/v1', 'tables.old.org']}),
          version('old:v2.0.0', {owns: ['tables.old.org']}),
          version('new:v1.0.0', {owns: ['databases.sql.org/v2']}),
        ],
        {owners: [{group: 'sql.org', identity: 'new'}]},
      ),
      want: 'unresolvable',
    },
    {
      name: 'a CRD that moved, where the old owner is no root',
      reason: 'then the reader decides',
      in: question(
        ['app'],
        [
          version('app:v1.0.0', {needs: ['databases.sql.org/v2', 'tables.old.org']}),
          version('old:v1.0.0', {owns: ['databases.sql.org/v1', 'tables.old.org']}),
          version('old:v2.0.0', {owns: ['tables.old.org']}),
          version('new:v1.0.0', {owns: ['databases.sql.org/v2']}),
        ],
        {owners: [{group: 'sql.org', identity: 'new'}]},
      ),
      want: ['app:v1.0.0', 'new:v1.0.0', 'old:v2.0.0'],
    },
    {
      name: 'a CRD that moved to another group between versions',
      reason: 'each group is asked for by itself',
      in: question(
        ['app'],
        [
          app('databases.old.org/v1'),
          version('sql:v1.0.0', {owns: ['databases.old.org/v1']}),
          version('sql:v2.0.0', {owns: ['databases.new.org/v1']}),
        ],
      ),
      want: ['app:v1.0.0', 'sql:v1.0.0'],
    },
  ])('$name: $reason', ({in: asked, want}) => {
    expect(chosen(solved(asked))).toEqual(want)
  })
})

describe('what leads back to itself', () => {
  it.each<Case>([
    {
      name: 'a cycle',
      reason: 'is legal',
      in: question(
        ['a'],
        [
          version('a:v1.0.0', {owns: ['as.a.org'], needs: ['bs.b.org']}),
          version('b:v1.0.0', {owns: ['bs.b.org'], needs: ['as.a.org']}),
        ],
      ),
      want: ['a:v1.0.0', 'b:v1.0.0'],
    },
    {
      name: 'a cycle that comes to another version of itself',
      reason: 'one version each',
      in: question(
        ['a'],
        [
          version('a:v2.0.0', {owns: ['as.a.org/v2'], needs: ['bs.b.org']}),
          version('a:v1.0.0', {owns: ['as.a.org/v1'], needs: ['bs.b.org']}),
          version('b:v1.0.0', {owns: ['bs.b.org'], needs: ['as.a.org/v1']}),
        ],
      ),
      want: ['a:v1.0.0', 'b:v1.0.0'],
    },
    {
      name: 'a package that needs itself',
      reason: 'it is there',
      in: question(['a'], [version('a:v1.0.0', {needs: ['a']})]),
      want: ['a:v1.0.0'],
    },
    {
      name: 'a package that needs its own CRD',
      reason: 'whoever else owns it is not asked',
      in: question(
        ['a'],
        [
          version('a:v1.0.0', {owns: ['as.a.org/v1'], needs: ['as.a.org/v1', '*.a.org']}),
          version('b:v1.0.0', {owns: ['as.a.org/v1']}),
        ],
      ),
      want: ['a:v1.0.0'],
    },
    {
      name: 'a package that needs its own CRD in a version that it does not serve',
      reason: 'that of its older version does not help, and the older one helps itself',
      in: question(
        ['a'],
        [
          version('a:v2.0.0', {owns: ['as.a.org/v2'], needs: ['as.a.org/v1']}),
          version('a:v1.0.0', {owns: ['as.a.org/v1'], needs: ['as.a.org/v1']}),
        ],
      ),
      want: ['a:v1.0.0'],
    },
  ])('$name: $reason', ({in: asked, want}) => {
    expect(chosen(solved(asked))).toEqual(want)
  })
})

describe('where installs go', () => {
  const namespaced = (reference: string, content: Parameters<typeof version>[1] = {}) =>
    version(reference, {scope: 'Namespaced', ...content})
  const places = (
    roots: readonly (string | Root)[],
    summaries: Question['summaries'],
    options: Partial<SolveOptions> = {},
  ) => {
    const result = solved(question(roots, summaries), options)
    if (result.kind === 'refused') return result.findings.map(({rule}) => rule)
    return result.resolution.installs.map(install => describeInstall(install))
  }
  const describeInstall = ({summary, namespace, name, requestedBy}: PlannedInstall) =>
    `${summary.identity} ${namespace}/${name}${requestedBy.length === 0 ? '' : ' *'}`
  const db = namespaced('example/db:v1.0.0', {owns: ['dbs.db.org']})
  const web = namespaced('example/web:v1.0.0', {needs: ['dbs.db.org', 'databases.sql.org']})

  it.each([
    {
      name: 'two requirers in two namespaces of one Namespaced package',
      reason: 'it is installed in both, and what both need of a Cluster package once',
      in: places(
        [root('example/web', {namespace: 'a'}), root('example/web', {namespace: 'b', name: 'web'})],
        [web, db, ...SQL],
      ),
      want: [
        'example/db a/example-db',
        'sql crossplane-system/sql',
        'example/web a/example-web *',
        'example/db b/example-db',
        'example/web b/web *',
      ],
    },
    {
      name: 'a Namespaced package that is asked for elsewhere',
      reason: 'only an install in its own namespace serves a requirer',
      in: places(
        [root('example/web', {namespace: 'a'}), root('example/db', {namespace: 'b', name: 'it'})],
        [web, db, ...SQL],
      ),
      want: [
        'example/db a/example-db',
        'sql crossplane-system/sql',
        'example/web a/example-web *',
        'example/db b/it *',
      ],
    },
    {
      name: 'a Namespaced package that is asked for right here',
      reason: 'it serves, under its own name',
      in: places(
        [root('example/web', {namespace: 'a'}), root('example/db', {namespace: 'a', name: 'it'})],
        [web, db, ...SQL],
      ),
      want: ['example/db a/it *', 'sql crossplane-system/sql', 'example/web a/example-web *'],
    },
    {
      name: 'a Cluster package that is asked for with a place',
      reason: 'everybody uses that one',
      in: places(
        [root('app', {namespace: 'x'}), root('sql', {namespace: 'infra', name: 'db'})],
        [app('databases.sql.org'), ...SQL],
      ),
      want: ['sql infra/db *', 'app x/app *'],
    },
    {
      name: 'a Cluster package that is asked for twice alike',
      reason: 'is one install',
      in: places([root('sql'), root('databases.sql.org')], SQL),
      want: ['sql crossplane-system/sql *'],
    },
    {
      name: 'a Cluster package that is asked for in two places',
      reason: 'it can only be in one',
      in: places([root('sql', {namespace: 'a'}), root('sql', {namespace: 'b'})], SQL),
      want: ['cluster-package-twice'],
    },
    {
      name: 'a Namespaced package without a place',
      reason: 'offline nobody knows one',
      in: places(['example/db'], [db]),
      want: [],
    },
    {
      name: 'a Cluster package that needs a Namespaced one, and a place for it',
      reason: 'the reader said where',
      in: places(['app'], [app('dbs.db.org'), db], {dependencyNamespace: 'shared'}),
      want: ['example/db shared/example-db', 'app crossplane-system/app *'],
    },
    {
      name: 'another system namespace',
      reason: 'holds what is not asked for, too',
      in: places(['app'], [app('databases.sql.org'), ...SQL], {systemNamespace: 'infra'}),
      want: ['sql infra/sql', 'app infra/app *'],
    },
    {
      name: 'a cycle',
      reason: 'what was met first comes last',
      in: places(
        ['a'],
        [
          version('a:v1.0.0', {owns: ['as.a.org'], needs: ['bs.b.org']}),
          version('b:v1.0.0', {owns: ['bs.b.org'], needs: ['as.a.org']}),
        ],
      ),
      want: ['b crossplane-system/b', 'a crossplane-system/a *'],
    },
  ])('$name: $reason', ({in: got, want}) => {
    expect(got).toEqual(want)
  })

  it('one without a place is a question of the command line, not of packages', () => {
    expect(chosen(solved(question(['example/db'], [db])))).toBe('usage')
  })

  it('who needs an install for what is kept', () => {
    const result = solved(question([root('example/web', {namespace: 'a'})], [web, db, ...SQL]))
    const installs = result.kind === 'resolved' ? result.resolution.installs : []
    expect(installs.map(install => install.for)).toEqual([
      [{text: 'dbs.db.org', by: 'a/example-web'}],
      [{text: 'databases.sql.org', by: 'a/example-web'}],
      [],
    ])
  })
})

describe('what is there without a package', () => {
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
      reason: 'some kind of the group',
      in: asks('*.sql.org/v1', {facts: [fact]}),
      want: ['app:v1.0.0'],
    },
    {
      name: 'a fact in another version',
      reason: 'a package may do better',
      in: asks('databases.sql.org/v1beta1', {facts: [fact]}),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'a fact of all kinds in all versions',
      reason: 'as the reader says',
      in: asks('tables.sql.org/v7', {facts: [{origin: 'assumed', group: 'sql.org', plural: '*'}]}),
      want: ['app:v1.0.0'],
    },
    {
      name: 'a CRD that is asked for and there',
      reason: 'nothing is installed',
      in: question(['databases.sql.org/v1'], SQL, {facts: [fact]}),
      want: [],
    },
  ])('$name: $reason', ({in: asked, want}) => {
    expect(chosen(solved(asked))).toEqual(want)
  })
})
