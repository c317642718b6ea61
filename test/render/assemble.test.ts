import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import {assembleInstallSet} from '../../src/render/assemble.js'
import {ERAS} from '../../src/render/era.js'
import type {InstallSet, KubernetesObject, SetObject} from '../../src/render/install-set.js'
import {claimLabels} from '../../src/render/labels.js'
import {renderInstall} from '../../src/render/render-install.js'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {crdOf, installOf} from './sample-package.js'

const era = ERAS.packages
const options = {includeRequest: false, allowCorePermissions: false, allowFullDeployment: false}
const requested = {era: 'packages', scope: 'Namespaced', mode: 'requested', for: {}} as const
const first = {namespace: 'team-a', name: 'widgets', ...requested}
const second = {namespace: 'team-b', name: 'gadgets', ...requested}

function object(kind: string, name: string, changes: Partial<KubernetesObject> = {}): KubernetesObject {
  return {apiVersion: 'v1', kind, metadata: {name}, ...changes}
}

function assembled(...objects: readonly SetObject[]): InstallSet | string {
  try {
    return assembleInstallSet([first, second], objects, [])
  } catch (error) {
    if (error instanceof CrossplaneError) return error.code
    throw error
  }
}

describe('assembleInstallSet', () => {
  it('sorts objects by phase, and keeps their order within one', () => {
    const objects: readonly SetObject[] = [
      {phase: 'controllers', install: first, object: object('Deployment', 'a')},
      {phase: 'crds', object: object('C', 'b')},
      {phase: 'records', install: first, object: object('R', 'a')},
      {phase: 'crds', object: object('C', 'a')},
      {phase: 'identity', install: first, object: object('I', 'a')},
      {phase: 'namespaces', object: object('Namespace', 'a')},
    ]
    const warnings = [{severity: 'warning' as const, rule: 'w', message: 'm'}]
    expect(assembleInstallSet([first], objects, warnings)).toEqual({
      installs: [first],
      objects: [objects[5], objects[1], objects[3], objects[4], objects[2], objects[0]],
      warnings,
    })
  })

  it('merges shared objects, with all claims', () => {
    const shared = (id: typeof first): SetObject => ({
      phase: 'crds',
      object: object('C', 'a', {metadata: {name: 'a', labels: {own: 'label', ...claimLabels(era, id)}}}),
    })
    const labels = {own: 'label', ...claimLabels(era, first), ...claimLabels(era, second)}
    expect(assembled(shared(first), shared(second))).toEqual({
      installs: [first, second],
      objects: [{phase: 'crds', object: object('C', 'a', {metadata: {name: 'a', labels}})}],
      warnings: [],
    })
  })

  it('adds no labels to shared objects without any', () => {
    const namespace: SetObject = {phase: 'namespaces', object: object('Namespace', 'team-a')}
    expect(assembled(namespace, namespace)).toEqual({
      installs: [first, second],
      objects: [namespace],
      warnings: [],
    })
  })

  const crd: SetObject = {phase: 'crds', object: object('C', 'a', {spec: {maximum: 2n ** 60n}})}
  const differing: readonly {reason: string; objects: readonly SetObject[]}[] = [
    {
      reason: 'a shared object with different content',
      objects: [crd, {...crd, object: object('C', 'a', {spec: {maximum: 2n ** 60n + 1n}})}],
    },
    {
      reason: 'a label that is not a claim',
      objects: [crd, {...crd, object: {...crd.object, metadata: {name: 'a', labels: {own: 'label'}}}}],
    },
    {
      reason: 'another version of the same kind',
      objects: [crd, {...crd, object: object('C', 'a', {apiVersion: 'v2'})}],
    },
    {
      reason: 'an object that belongs to one install',
      objects: [
        {...crd, install: first},
        {...crd, install: second},
      ],
    },
    {
      reason: 'the same install twice',
      objects: [
        {...crd, install: first},
        {...crd, install: first},
      ],
    },
    {reason: 'an object that only one shares', objects: [{...crd, install: first}, crd]},
  ]

  it.each(differing)('rejects $reason', ({objects}) => {
    expect(assembled(...objects)).toBe('conflict')
  })

  const apart: readonly {what: string; a: JsonObject; b: JsonObject; kind?: string; apiVersion?: string}[] = [
    {what: 'namespaces', a: {namespace: 'a'}, b: {namespace: 'b'}},
    {what: 'kinds', a: {}, b: {}, kind: 'D'},
    {what: 'groups', a: {}, b: {}, apiVersion: 'example.org/v1'},
  ]

  it.each(apart)('distinguishes objects of different $what', ({a, b, kind = 'C', apiVersion = 'v1'}) => {
    const objects: readonly SetObject[] = [
      {phase: 'crds', install: first, object: object('C', 'a', {metadata: {name: 'a', ...a}})},
      {
        phase: 'crds',
        install: second,
        object: object(kind, 'a', {apiVersion, metadata: {name: 'a', ...b}}),
      },
    ]
    expect(assembled(...objects)).toEqual({installs: [first, second], objects, warnings: []})
  })
})

describe('two installs of one package', () => {
  const crds = [crdOf('Widget')]
  const objectsOf = (scope: 'Cluster' | 'Namespaced', namespace: string) =>
    renderInstall(
      era,
      installOf({
        package: {permissionScope: scope, app: {permissionScope: scope}, crds},
        request: {namespace, scope},
      }),
      options,
    )

  it('in two namespaces share its CRDs', () => {
    const set = assembleInstallSet([], [...objectsOf('Namespaced', 'a'), ...objectsOf('Namespaced', 'b')], [])
    const shared = set.objects.filter(({install}) => install === undefined)
    expect(shared.map(({object: {metadata}}) => metadata)).toEqual([
      {
        name: 'widgets.example.org',
        annotations: {'packages.crossplane.io/package-title': ''},
        labels: {
          'app.kubernetes.io/managed-by': 'package-manager',
          'crossplane.io/scope': 'namespace',
          'namespace.crossplane.io/a': 'true',
          'namespace.crossplane.io/b': 'true',
          'parent.packages.crossplane.io/a-widgets': 'true',
          'parent.packages.crossplane.io/b-widgets': 'true',
        },
      },
    ])
  })

  it('conflict on the binding if they have the same name and are cluster-scoped', () => {
    expect(assembled(...objectsOf('Cluster', 'a'), ...objectsOf('Cluster', 'b'))).toBe('conflict')
  })
})
