import {describe, expect, it} from '@jest/globals'
import {permissionTexts} from '../../src/inspect/permission-texts.js'

const rule = {
  ...{apiGroups: [''], resources: ['pods'], resourceNames: [], nonResourceURLs: [], verbs: ['watch', 'get']},
  ...{scope: 'Cluster' as const, wide: []},
}
const numbered = (prefix: string, length: number) => Array.from({length}, (_, i) => `${prefix}${i}`)

describe('permissionTexts', () => {
  it('lists each permission once, without those on the kinds of the package', () => {
    const permissions = [
      {...rule, resources: ['pods', 'pods/log']},
      {...rule, apiGroups: ['example.org'], resources: ['*', 'dbs/status']},
      {...rule, apiGroups: ['example.org'], resources: ['dbs'], resourceNames: ['b', 'a']},
      {...rule, apiGroups: [], nonResourceURLs: ['/healthz']},
      {...rule, apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['b', 'a']},
    ]
    const kind = {kind: 'Db', plural: 'dbs', scope: 'Cluster', versions: ['v1'], served: ['v1'], stored: 'v1'}
    const crds = [{...kind, name: 'dbs.example.org', group: 'example.org'}]
    expect(permissionTexts({permissions, crds})).toEqual([
      '/healthz: get, watch',
      'deployments.apps named a, b: get, watch',
      'pods/log: get, watch',
      'pods: get, watch',
    ])
  })

  it('makes no more texts of a rule than it has groups and resources, if their product is large', () => {
    const large = {...rule, apiGroups: numbered('g', 20_000), resources: numbered('r', 20_000)}
    const texts = permissionTexts({permissions: [large], crds: []})
    expect(texts).toHaveLength(1)
    expect(texts[0]).toMatch(/^r0, r1, .* of the groups g0, g1, .*: get, watch$/)
    const more = permissionTexts({permissions: [{...large, resources: numbered('r', 20_001)}], crds: []})
    expect(more).not.toEqual(texts)
  })
})
