import {describe, expect, it} from '@jest/globals'
import type {SolverInput, Root} from '../../src/resolve/solver-input.js'
import type {PlannedInstall} from '../../src/resolve/resolution.js'
import type {SolveOptions} from '../../src/resolve/solve.js'
import {selected, input, root, solved, version} from './world.js'

const sql = (tag: string, served: string) => version(`sql:${tag}`, {owns: [`databases.sql.org/${served}`]})
const app = (...requires: string[]) => version('app:v1.0.0', {owns: ['apps.app.org'], requires})
const SQL = [sql('v1.0.0', 'v1alpha1'), sql('v2.0.0', 'v1alpha1,v1beta1'), sql('v3.0.0', 'v1beta1')]

describe('the placement of installs', () => {
  const namespaced = (reference: string, content: Parameters<typeof version>[1] = {}) =>
    version(reference, {scope: 'Namespaced', ...content})
  const places = (
    roots: readonly (string | Root)[],
    summaries: SolverInput['summaries'],
    options: Partial<SolveOptions> = {},
  ) => {
    const result = solved(input(roots, summaries), options)
    if (result.kind === 'rejected') return result.diagnostics.map(({rule}) => rule)
    return result.resolution.installs.map(install => describeInstall(install))
  }
  const describeInstall = ({summary, namespace, name, requestedBy}: PlannedInstall) =>
    `${summary.identity} ${namespace}/${name}${requestedBy.length === 0 ? '' : ' *'}`
  const db = namespaced('example/db:v1.0.0', {owns: ['dbs.db.org']})
  const web = namespaced('example/web:v1.0.0', {requires: ['dbs.db.org', 'databases.sql.org']})

  it.each([
    {
      name: 'two dependents of one Namespaced package, in two namespaces',
      reason: 'it is installed in both namespaces, and the Cluster package that both require once',
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
      name: 'a Namespaced package that is requested in another namespace',
      reason: 'a dependent is only served by an install in its own namespace',
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
      name: 'a CRD of a Cluster package that is requested in a namespace',
      reason: 'the CRD names no place, so the requested install satisfies it',
      in: places(
        [root('*.g.org'), root('one', {namespace: 'b'}), root('two', {namespace: 'b'})],
        [version('one:v1.0.0', {owns: ['ks.g.org']}), version('two:v1.0.0', {owns: ['ls.g.org']})],
      ),
      want: ['one b/one *', 'two b/two *'],
    },
    {
      name: 'a CRD of a Namespaced package, without a namespace',
      reason: 'file order decides between the owners, and the requested install satisfies it',
      in: places(
        [root('example/db', {namespace: 'a'}), root('two'), root('*.db.org')],
        [db, version('two:v1.0.0', {owns: ['ls.db.org']})],
      ),
      want: ['example/db a/example-db *', 'two crossplane-system/two *'],
    },
    {
      name: 'a Namespaced package that is requested in the same namespace',
      reason: 'it serves the dependent under the requested name',
      in: places(
        [root('example/web', {namespace: 'a'}), root('example/db', {namespace: 'a', name: 'it'})],
        [web, db, ...SQL],
      ),
      want: ['example/db a/it *', 'sql crossplane-system/sql', 'example/web a/example-web *'],
    },
    {
      name: 'a Cluster package that is requested with a namespace and a name',
      reason: 'all dependents use that install',
      in: places(
        [root('app', {namespace: 'x'}), root('sql', {namespace: 'infra', name: 'db'})],
        [app('databases.sql.org'), ...SQL],
      ),
      want: ['sql infra/db *', 'app x/app *'],
    },
    {
      name: 'a Cluster package that is requested twice with the same placement',
      reason: 'it is installed once',
      in: places([root('sql'), root('databases.sql.org')], SQL),
      want: ['sql crossplane-system/sql *'],
    },
    {
      name: 'a Cluster package that is requested in two namespaces',
      reason: 'it can be installed only once',
      in: places([root('sql', {namespace: 'a'}), root('sql', {namespace: 'b'})], SQL),
      want: ['cluster-package-twice'],
    },
    {
      name: 'a Namespaced package without a namespace',
      reason: 'no default namespace is known offline',
      in: places(['example/db'], [db]),
      want: [],
    },
    {
      name: 'a Cluster package that requires a Namespaced one, with a dependency namespace',
      reason: 'the user selected the namespace',
      in: places(['app'], [app('dbs.db.org'), db], {dependencyNamespace: 'shared'}),
      want: ['example/db shared/example-db', 'app crossplane-system/app *'],
    },
    {
      name: 'another system namespace',
      reason: 'dependencies are also installed there',
      in: places(['app'], [app('databases.sql.org'), ...SQL], {systemNamespace: 'infra'}),
      want: ['sql infra/sql', 'app infra/app *'],
    },
    {
      name: 'a cycle',
      reason: 'the package that was visited first comes last',
      in: places(
        ['a'],
        [
          version('a:v1.0.0', {owns: ['as.a.org'], requires: ['bs.b.org']}),
          version('b:v1.0.0', {owns: ['bs.b.org'], requires: ['as.a.org']}),
        ],
      ),
      want: ['b crossplane-system/b', 'a crossplane-system/a *'],
    },
  ])('$name: $reason', ({in: got, want}) => {
    expect(got).toEqual(want)
  })

  it('without a required namespace is a usage error, not an error of a package', () => {
    expect(selected(solved(input(['example/db'], [db])))).toBe('usage')
  })

  it('lists the dependents of each install and their requirements', () => {
    const result = solved(input([root('example/web', {namespace: 'a'})], [web, db, ...SQL]))
    const installs = result.kind === 'resolved' ? result.resolution.installs : []
    expect(installs.map(install => install.for)).toEqual([
      [{text: 'dbs.db.org', by: 'a/example-web'}],
      [{text: 'databases.sql.org', by: 'a/example-web'}],
      [],
    ])
  })
})
