import {describe, expect, it} from '@jest/globals'
import {baseObjects} from '../../src/render/base.js'
import {type EraName, ERA_NAMES} from '../../src/reference/era-name.js'
import {ERAS} from '../../src/render/era.js'
import type {JsonObject} from '../../src/yaml/json-value.js'

function namesOf(era: EraName, phase: string): string[] {
  return baseObjects(ERAS[era])
    .filter(each => each.phase === phase)
    .map(({object: {kind, metadata}}) => `${kind} ${metadata.name}`)
}

// test/fidelity compares it with Crossplane's own chart, which is not always available.
describe('the base', () => {
  it.each([
    {era: 'packages', names: ['clusterpackageinstalls', 'packageinstalls', 'packages', 'stackdefinitions']},
    {era: 'stacks', names: ['clusterstackinstalls', 'stackinstalls', 'stacks', 'stackdefinitions']},
  ] as const)('of $era contains the CRDs of its group', ({era, names}) => {
    expect(namesOf(era, 'crds')).toEqual(
      names.map(name => `CustomResourceDefinition ${name}.${era}.crossplane.io`),
    )
  })

  it.each([
    {era: 'packages', field: 'packageRecord'},
    {era: 'stacks', field: 'stackRecord'},
  ] as const)('of $era keeps the field in which its manager names the record', ({era, field}) => {
    const [request] = baseObjects(ERAS[era]).filter(({phase}) => phase === 'crds')
    const crd = request?.object as JsonObject
    expect(JSON.stringify(crd).match(/"(?:package|stack)Record"/g)).toEqual([`"${field}"`])
  })

  it.each([
    {era: 'packages', manager: 'package-manager'},
    {era: 'stacks', manager: 'stack-manager'},
  ] as const)('of $era contains the roles that its own roles aggregate to', ({era, manager}) => {
    expect(namesOf(era, 'identity')).toEqual([
      'ClusterRole crossplane-admin',
      'ClusterRole crossplane:system:aggregate-to-crossplane-admin',
      'ClusterRoleBinding crossplane-admin',
      'ClusterRole crossplane-env-admin',
      `ClusterRole crossplane:${manager}:env:default:admin`,
      'ClusterRole crossplane-env-edit',
      `ClusterRole crossplane:${manager}:env:default:edit`,
      'ClusterRole crossplane-env-view',
      `ClusterRole crossplane:${manager}:env:default:view`,
      `ClusterRole crossplane:${manager}:ns:default:admin`,
      `ClusterRole crossplane:${manager}:ns:default:edit`,
      `ClusterRole crossplane:${manager}:ns:default:view`,
      'ClusterRole crossplane:system:ns-persona-cluster-rights',
    ])
  })

  it.each(ERA_NAMES)('of %s is shared, and gives aggregated roles no rules', era => {
    const objects = baseObjects(ERAS[era])
    const withBoth = objects.filter(
      ({object}) => object.aggregationRule !== undefined && object.rules !== undefined,
    )
    expect({owned: objects.filter(each => each.install !== undefined), withBoth}).toEqual({
      owned: [],
      withBoth: [],
    })
  })

  it.each(ERA_NAMES)('of %s preserves payloads in its records', era => {
    const records = baseObjects(ERAS[era]).filter(({object: {metadata}}) =>
      [`${era}.${era}.crossplane.io`, `stackdefinitions.${era}.crossplane.io`].includes(metadata.name),
    )
    const kept = records.map(({object}) => {
      const text = JSON.stringify((object.spec as JsonObject).versions)
      return [...text.matchAll(/"(\w+)":\{"type":"object","x-kubernetes-preserve-unknown-fields":true/g)].map(
        ([, name]) => name,
      )
    })
    expect(kept).toEqual([['spec'], expect.arrayContaining(['spec', 'kustomization'])])
  })
})
