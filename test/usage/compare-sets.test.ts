import {describe, expect, it} from '@jest/globals'
import {compareSets} from '../../src/usage/compare-sets.js'
import type {Change} from '../../src/usage/change.js'
import {type CrdSurface, crdSurface, type PackageSurface} from '../../src/usage/package-surface.js'
import type {JsonObject} from '../../src/yaml/json-value.js'

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {spec: {type: 'object', properties: {a: {type: 'string'}}}},
}
const version = (name: string, more: JsonObject = {}): JsonObject => ({
  ...{name, served: true, storage: name === 'v1', schema: {openAPIV3Schema: SCHEMA}},
  ...more,
})

function crd(spec: JsonObject = {}, more: Partial<CrdSurface> = {}): CrdSurface {
  const names = {plural: 'dbs', kind: 'Db', singular: 'db', listKind: 'DbList'}
  const whole = {group: 'example.org', scope: 'Cluster', names, versions: [version('v1')], ...spec}
  const object = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'}
  return {...crdSurface({...object, metadata: {name: 'dbs.example.org'}, spec: whole}, 'crd'), ...more}
}

const NO_FACTS = {permission: [], image: [], capability: [], dependency: [], function: [], composition: []}
const surface = (
  crds: readonly CrdSurface[],
  facts: Partial<PackageSurface['facts']> = {},
): PackageSurface => ({
  ...{crds, facts: {...NO_FACTS, ...facts}, unread: []},
})
const set = (own: PackageSurface, name = 'example/a', tag = 'v1') => [
  {package: name, version: tag, surface: own},
]

function changesOf(before: PackageSurface, after: PackageSurface): readonly string[] {
  const {changes} = compareSets(set(before), set(after))
  return changes.map(({severity, rule, versions = [], path, before: old, after: now}) =>
    [
      severity,
      rule,
      ...versions,
      path,
      ...[old, now].flatMap(value => (typeof value === 'string' ? value : [])),
    ]
      .filter(part => part !== undefined)
      .join(' '),
  )
}

describe('compareSets', () => {
  it.each<{name: string; before?: JsonObject; after: JsonObject; want: readonly string[]}>([
    {name: 'nothing', after: {}, want: []},
    {
      name: 'another scope',
      after: {scope: 'Namespaced'},
      want: ['breaking scope-changed Cluster Namespaced'],
    },
    {
      name: 'another kind',
      after: {names: {plural: 'dbs', kind: 'Base', singular: 'db', listKind: 'DbList'}},
      want: ['breaking kind-renamed Db Base'],
    },
    {
      name: 'a version that is gone, and another one that is stored',
      before: {versions: [version('v1beta1'), version('v1')]},
      after: {versions: [version('v1beta1'), version('v2', {storage: true})]},
      want: ['breaking version-removed v1', 'risky storage-changed v1 v2', 'compatible version-added v2'],
    },
    {
      name: 'a version that is gone, and was not served',
      before: {versions: [version('v1'), version('v0', {served: false})]},
      after: {},
      want: ['compatible version-removed v0'],
    },
    {
      name: 'versions that are no longer served, served again and deprecated',
      before: {versions: [version('a'), version('b', {served: false}), version('v1')]},
      after: {versions: [version('a', {served: false}), version('b'), version('v1', {deprecated: true})]},
      want: ['breaking version-unserved a', 'risky version-deprecated v1', 'compatible version-served b'],
    },
    {
      name: 'subresources',
      before: {versions: [version('v1', {subresources: {scale: {specReplicasPath: '.spec.a'}}})]},
      after: {versions: [version('v1', {subresources: {status: {}}})]},
      want: ['risky subresource-added v1 status', 'risky subresource-removed v1 scale'],
    },
    {
      name: 'conversion',
      after: {conversion: {strategy: 'Webhook'}},
      want: ['risky conversion-changed None Webhook'],
    },
    {
      name: 'the same change of two versions as one, a field of the status as less than one of the spec',
      before: {versions: ['v1', 'v1beta1'].map(name => version(name))},
      after: {
        versions: ['v1', 'v1beta1'].map(name =>
          version(name, {
            schema: {openAPIV3Schema: {type: 'object', properties: {status: {type: 'object'}}}},
          }),
        ),
      },
      want: [
        'breaking field-removed v1 v1beta1 spec object',
        'compatible field-added v1 v1beta1 status object',
      ],
    },
    {
      name: 'a field that becomes required, at its own path',
      after: {
        versions: [
          version('v1', {
            schema: {
              openAPIV3Schema: {
                ...SCHEMA,
                properties: {spec: {type: 'object', required: ['a'], properties: {a: {type: 'string'}}}},
              },
            },
          }),
        ],
      },
      want: ['breaking required-added v1 spec.a'],
    },
  ])('compares $name', ({before, after, want}) => {
    expect(changesOf(surface([crd(before)]), surface([crd(after)]))).toEqual(want)
  })

  it('ranks the loss of a field of the status below that of the spec', () => {
    const status = {type: 'object', properties: {b: {type: 'string'}}}
    const withStatus = (schema: JsonObject) => ({
      versions: [version('v1', {schema: {openAPIV3Schema: {type: 'object', properties: {status: schema}}}})],
    })
    const [before, after] = [withStatus(status), withStatus({type: 'object'})].map(spec =>
      surface([crd(spec)]),
    )
    expect(changesOf(before ?? surface([]), after ?? surface([]))).toEqual([
      'risky field-removed v1 status.b string',
    ])
  })

  it('compares connection keys and activation', () => {
    const before = crd({}, {connectionKeys: ['host', 'port']})
    const after = crd({}, {connectionKeys: ['host', 'url'], isInactive: true})
    expect(changesOf(surface([before]), surface([after]))).toEqual([
      'breaking activation-changed Active Inactive',
      'risky connection-key-removed port',
      'compatible connection-key-added url',
    ])
  })

  it('knows that an XRD without connection keys publishes all', () => {
    const keys = (...connectionKeys: readonly string[]) => surface([crd({}, {source: 'xrd', connectionKeys})])
    expect(changesOf(keys('host'), keys())).toEqual(['compatible connection-key-added keys other than host'])
    expect(changesOf(keys(), keys('host', 'port'))).toEqual([
      'risky connection-key-removed keys other than host and port',
    ])
    expect(changesOf(keys('host'), keys('port'))).toEqual([
      'risky connection-key-removed host',
      'compatible connection-key-added port',
    ])
  })

  it('compares what a package runs, may do, requires and calls', () => {
    const before = {
      permission: ['pods: get'],
      image: ['a:v1'],
      capability: ['safe-start'],
      composition: ['x'],
    }
    const after = {permission: ['secrets: get'], dependency: ['b >=v1'], function: ['f']}
    expect(changesOf(surface([], before), surface([], after))).toEqual([
      'breaking composition-removed x',
      'risky capability-removed safe-start',
      'risky dependency-added b >=v1',
      'risky function-added f',
      'risky permission-added secrets: get',
      'compatible image-removed a:v1',
      'compatible permission-removed pods: get',
    ])
  })

  it('finds other versions of what a package runs and requires', () => {
    const digest = `sha256:${'1'.repeat(64)}`
    const before = {image: ['a.org:5000/x:v1', 'b:v1', 'b:v2'], dependency: ['c >=v1', 'd v1']}
    const after = {image: [`a.org:5000/x@${digest}`, 'b:v3'], dependency: ['c >=v2', 'e v1']}
    expect(changesOf(surface([], before), surface([], after))).toEqual([
      'risky dependency-added e v1',
      'risky dependency-changed c >=v1 c >=v2',
      'risky image-added b:v3',
      `risky image-changed a.org:5000/x:v1 a.org:5000/x@${digest}`,
      'compatible dependency-removed d v1',
      'compatible image-removed b:v1',
      'compatible image-removed b:v2',
    ])
  })

  it('keeps the inputs of functions apart from kinds, and packages with one kind apart from each other', () => {
    const input = crd({}, {source: 'function-input'})
    const was = [...set(surface([crd()]), 'example/a'), ...set(surface([input]), 'example/f')]
    const gone = [...set(surface([]), 'example/a'), ...set(surface([input]), 'example/f')]
    expect(compareSets(was, gone).changes).toMatchObject([{rule: 'kind-removed'}])
    const both = [...set(surface([crd()]), 'example/a'), ...set(surface([crd()]), 'example/b')]
    const one = crd({scope: 'Namespaced'})
    const changed = [...set(surface([one]), 'example/a'), ...set(surface([crd()]), 'example/b')]
    expect(compareSets(both, changed).changes).toMatchObject([{rule: 'scope-changed'}])
  })

  it('lists what added and removed packages may do, and Compositions that leave the set', () => {
    const facts = {permission: ['secrets: *'], composition: ['x']}
    const alone = set(surface([], facts), 'example/a')
    const split = [
      ...set(surface([], {composition: []}), 'example/a'),
      ...set(surface([], facts), 'example/b'),
    ]
    const rules = (changes: readonly Change[]) => changes.map(({rule, package: name}) => `${rule} ${name}`)
    expect(rules(compareSets(alone, split).changes)).toEqual([
      'package-added example/b',
      'permission-added example/b',
      'permission-removed example/a',
    ])
    expect(rules(compareSets(alone, []).changes)).toEqual([
      'composition-removed example/a',
      'package-removed example/a',
      'permission-removed example/a',
    ])
  })

  it('finds a kind that another package of the set provides', () => {
    const before = set(surface([crd()]), 'example/a')
    const after = [...set(surface([]), 'example/a', 'v2'), ...set(surface([crd()]), 'example/b')]
    expect(compareSets(before, after).changes).toEqual([
      {severity: 'risky', rule: 'package-added', package: 'example/b', after: 'v1'},
    ])
  })

  it('reports kinds that come and go, and what was not read', () => {
    const gone = {...surface([crd()]), unread: [{name: 'xs.example.org', reason: 'not structural'}]}
    expect(compareSets(set(gone), set(surface([])))).toEqual({
      changes: [{severity: 'breaking', rule: 'kind-removed', crd: 'dbs.example.org', kind: 'Db'}],
      unread: [{package: 'example/a', name: 'xs.example.org', reason: 'not structural'}],
    })
  })
})
