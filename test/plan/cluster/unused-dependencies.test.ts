import {describe, expect, it} from '@jest/globals'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {unusedDependencies} from '../../../src/plan/cluster/unused-dependencies.js'

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
    const unused = unusedDependencies(app, {inventories: [app, ...others], unreadable: []})
    expect(unused.map(({install}) => install.name)).toEqual(want)
  })

  it('are not what an install with an unreadable inventory requires', () => {
    const broken = {namespace: 'team', configMap: 'crossplane-package.blog', message: '', suggestions: []}
    const inventories = [app, inventory('sql', 'app', 'blog')]
    expect(unusedDependencies(app, {inventories, unreadable: [broken]})).toEqual([])
  })
})
