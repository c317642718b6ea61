import {describe, expect, it} from '@jest/globals'
import type {Inventory} from '../../../../src/cluster/inventory/inventory.js'
import {CRD_KIND} from '../../../../src/kubernetes/crd-kind.js'
import {objectKey} from '../../../../src/kubernetes/object-key.js'
import {UNKNOWN_CLUSTER} from '../../../../src/plan/cluster/access/read-access.js'
import {unusedDependencies} from '../../../../src/plan/cluster/uninstall/unused-dependencies.js'

/** An automatic install that other installs require; `*` marks one that was requested. */
function inventory(name: string, ...requirers: readonly string[]): Inventory {
  const install = {
    namespace: 'team',
    name: name.replace('*', ''),
    era: 'packages',
    scope: 'Cluster',
    mode: name.endsWith('*') ? 'requested' : 'auto',
    for: Object.fromEntries(requirers.map(by => [`team/${by}`, ['x']])),
  } as const
  return {install, phase: 'complete', toolVersion: '1', objects: []}
}

describe('the dependencies that are unused without an install', () => {
  const app = inventory('app*')

  it.each<[string, readonly Inventory[], readonly string[]]>([
    ['what only it requires', [inventory('sql', 'app')], ['sql']],
    ['not what was requested', [inventory('sql*', 'app')], []],
    ['not what another install requires', [inventory('blog*'), inventory('sql', 'app', 'blog')], []],
    ['what an install required that is gone', [inventory('sql', 'app', 'gone')], ['sql']],
    ['not what it never required', [inventory('sql', 'gone')], []],
    ['what these require', [inventory('vm', 'sql'), inventory('sql', 'app')], ['sql', 'vm']],
    [
      'not what an install requires that stays',
      [inventory('blog*'), inventory('sql', 'app', 'blog'), inventory('vm', 'sql')],
      [],
    ],
    ['those that require each other', [inventory('a', 'app', 'b'), inventory('b', 'a')], ['a', 'b']],
  ])('are %s', (_, others, want) => {
    const unused = unusedDependencies(app, {...UNKNOWN_CLUSTER, inventories: [app, ...others]})
    expect(unused.map(({install}) => install.name)).toEqual(want)
  })

  it('are not what an install with an unreadable inventory requires', () => {
    const broken = {namespace: 'team', configMap: 'crossplane-package.blog', message: '', suggestions: []}
    const inventories = [app, inventory('sql', 'app', 'blog')]
    expect(unusedDependencies(app, {...UNKNOWN_CLUSTER, inventories, unreadable: [broken]})).toEqual([])
  })

  it('are not what an install requires of which only the record or the request is left', () => {
    const inventories = [app, inventory('sql', 'app', 'blog'), inventory('vm', 'sql')]
    const recorded = ['app', 'sql', 'vm', 'blog'].map(name => ({namespace: 'team', name, kinds: []}))
    expect(unusedDependencies(app, {...UNKNOWN_CLUSTER, inventories, recorded})).toEqual([])
  })

  it('are not what a record requires by a CRD', () => {
    const crd = {...CRD_KIND, name: 'dbs.sql.org'}
    const names = {plural: 'dbs', kind: 'Db'}
    const live = {...CRD_KIND, metadata: {name: crd.name}, spec: {group: 'sql.org', names}}
    const sql = {...inventory('sql', 'app'), objects: [crd]}
    const unused = (...requires: readonly string[]) =>
      unusedDependencies(app, {
        ...UNKNOWN_CLUSTER,
        inventories: [app, sql],
        live: new Map([[objectKey(crd), live]]),
        recorded: [{namespace: 'team', name: 'blog', kinds: [], requires}],
      })
    expect(unused('dbs.sql.org/v1')).toEqual([])
    expect(unused('other.sql.org/v1')).toEqual([sql])
  })
})
