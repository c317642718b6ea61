import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import {ERAS} from '../../src/render/era.js'
import {definitionRule, permissionRules, rejectCorePermissions} from '../../src/render/permissions.js'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {definitionOf} from './sample-package.js'

const all = ['*']
const STANDARD = {apiGroups: [''], resources: ['configmaps', 'events', 'secrets'], verbs: all}
const rule = (group: string, ...resources: string[]) => ({apiGroups: [group], resources, verbs: all})

describe('permissionRules', () => {
  it('start with the rules of every package', () => {
    expect(permissionRules([], [])).toEqual([STANDARD])
  })

  it('grant every owned CRD with its subresources, descending by group, version and kind', () => {
    const crds = [
      definitionOf('Alpha'),
      definitionOf('Beta', {subresources: {status: true, scale: true}}),
      definitionOf('Alpha', {group: 'z.example.org', subresources: {status: true, scale: false}}),
      definitionOf('Alpha', {
        version: 'v1beta1',
        plural: 'alphae',
        subresources: {status: false, scale: true},
      }),
    ]
    expect(permissionRules(crds, [])).toEqual([
      STANDARD,
      rule('z.example.org', 'alphas', 'alphas/status', 'alphas/finalizers'),
      rule('example.org', 'alphae', 'alphae/scale', 'alphae/finalizers'),
      rule('example.org', 'betas', 'betas/status', 'betas/scale', 'betas/finalizers'),
      rule('example.org', 'alphas', 'alphas/finalizers'),
    ])
  })

  it.each([
    {crd: 'widgets.example.org/v1', want: rule('example.org', 'widgets')},
    {crd: 'widgets.example.org', want: rule('example.org', 'widgets')},
    {crd: '*.example.org/v1', want: rule('example.org', '*')},
    {crd: 'Widget.a.b.c/v1/v2', want: rule('a.b.c', 'Widget')},
    {crd: 'pods', want: rule('', 'pods')},
    {crd: 'pods/v1', want: rule('', 'pods')},
    {crd: 'deployments.apps/v1', want: rule('apps', 'deployments')},
  ])('grant $crd as it is written', ({crd, want}) => {
    expect(permissionRules([], [{crd}])).toEqual([STANDARD, want])
  })

  it('grant the plural of a resource if it is known', () => {
    const dependencies = [
      {crd: 'widget.example.org/v1'},
      {crd: 'widget.example.org'},
      {crd: '*.example.org'},
      {crd: 'gadget.example.org'},
    ]
    const plurals = new Map([['widget.example.org/v1', 'widgets']])
    expect(permissionRules([], dependencies, plurals).slice(1)).toEqual([
      rule('example.org', 'widgets'),
      rule('example.org', 'widget'),
      rule('example.org', '*'),
      rule('example.org', 'gadget'),
    ])
  })

  it('grant dependencies in file order, twice if listed twice, and nothing for packages', () => {
    const dependencies = [
      {crd: 'b.example.org'},
      {package: 'example/a'},
      {crd: 'a.example.org'},
      {crd: 'b.example.org'},
    ]
    expect(permissionRules([], dependencies)).toEqual([
      STANDARD,
      rule('example.org', 'b'),
      rule('example.org', 'a'),
      rule('example.org', 'b'),
    ])
  })
})

describe('definitionRule', () => {
  it('lets a template stack read its own definition', () => {
    expect(definitionRule(ERAS.stacks, 'blog')).toEqual({
      apiGroups: ['stacks.crossplane.io'],
      resourceNames: ['blog'],
      resources: ['stackdefinitions', 'stackdefinitions/status'],
      verbs: ['get', 'list', 'watch'],
    })
  })
})

/** The error, or undefined if the rules are fine. */
function refusal(...rules: readonly JsonObject[]): CrossplaneError | undefined {
  try {
    rejectCorePermissions({namespace: 'team-a', name: 'widgets'}, rules)
    return undefined
  } catch (error) {
    if (error instanceof CrossplaneError) return error
    throw error
  }
}

describe('rejectCorePermissions', () => {
  it.each([
    {reason: 'no rules at all', rules: []},
    {reason: 'the standard rule', rules: [STANDARD]},
    {reason: 'groups of packages', rules: [rule('example.org', '*'), rule('k8s.io.example.org', 'a')]},
    {reason: 'a group that has the name of another within', rules: [rule('apps.example.org', 'deployments')]},
  ])('grants $reason', ({rules}) => {
    expect(refusal(...rules)).toBeUndefined()
  })

  const cases: readonly {readonly reason: string; readonly refused: JsonObject; readonly named: string}[] = [
    {reason: 'a core resource', refused: rule('', 'pods'), named: '* on pods of core'},
    {
      reason: 'a group without a dot',
      refused: rule('apps', 'deployments'),
      named: '* on deployments of apps',
    },
    {reason: 'every group', refused: rule('*', 'pods'), named: '* on pods of *'},
    {
      reason: 'a group of Kubernetes',
      refused: rule('rbac.authorization.k8s.io', '*'),
      named: 'rbac.authorization.k8s.io',
    },
    {reason: 'the bare one', refused: rule('k8s.io', '*'), named: 'k8s.io'},
    {
      reason: 'one such group among others',
      refused: {apiGroups: ['example.org', 'batch'], resources: ['jobs'], verbs: all},
      named: 'batch',
    },
    {reason: 'no groups', refused: {resources: ['pods'], verbs: all}, named: '* on pods'},
    {reason: 'empty groups', refused: {apiGroups: [], resources: ['pods'], verbs: all}, named: '* on pods'},
    {
      reason: 'URLs that are not resources',
      refused: {apiGroups: ['example.org'], nonResourceURLs: ['/metrics'], verbs: ['get']},
      named: 'get on /metrics',
    },
    {
      reason: 'more than the standard rule',
      refused: rule('', 'configmaps', 'events', 'secrets', 'pods'),
      named: 'pods',
    },
    {
      reason: 'the standard rule in another order',
      refused: rule('', 'secrets', 'events', 'configmaps'),
      named: 'core',
    },
    {
      reason: 'the standard rule of chosen names',
      refused: {...STANDARD, resourceNames: ['a']},
      named: 'core',
    },
    {reason: 'the standard rule and URLs', refused: {...STANDARD, nonResourceURLs: ['/']}, named: '* on /'},
    {reason: 'a lesser part of the standard rule', refused: {...STANDARD, verbs: ['get']}, named: 'get on'},
  ]

  it.each(cases)('rejects $reason, and names it', ({refused, named}) => {
    const error = refusal(STANDARD, refused, rule('example.org', '*'))
    expect(error?.code).toBe('permissions-refused')
    expect(error?.message).toContain(named)
  })

  it('names the install and every rejected rule', () => {
    expect(refusal(rule('apps', 'a'), rule('batch', 'b'))?.message).toMatch(
      /team-a\/widgets.*of apps.*of batch/,
    )
  })
})
