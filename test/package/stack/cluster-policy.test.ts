import {describe, expect, it} from '@jest/globals'
import {clusterPolicy, requiredCoreCrds} from '../../../src/package/stack/cluster-policy.js'
import {coreFact, crossplaneReleases} from '../../../src/pipeline/request/assumed-facts.js'
import {CORE_KINDS} from '../../../src/render/core-kinds.js'
import {ERAS} from '../../../src/render/era.js'
import type {Fact} from '../../../src/resolve/facts.js'
import {parseCrdRequirement} from '../../../src/resolve/requirement.js'
import {version} from '../../resolve/world.js'
import {POLICY} from '../../pipeline/memory-packages.js'

const REDIS = {origin: 'cluster', group: 'cache.crossplane.io', plural: 'redisclusters', served: ['v1alpha1']}
const CLUSTERS = {...REDIS, group: 'compute.crossplane.io', plural: 'kubernetesclusters'}
const MODERN = {...REDIS, group: 'apiextensions.crossplane.io', plural: 'compositions', served: ['v1']}

interface Case {
  readonly name: string
  readonly requires: readonly string[]
  readonly base?: boolean
  readonly era?: 'packages' | 'stacks'
  readonly release?: string
  readonly served?: readonly object[]
  readonly owns?: readonly string[]
  readonly want: readonly string[]
}

const CASES: readonly Case[] = [
  {
    name: 'whole groups that are required',
    requires: ['*.cache.crossplane.io/v1alpha1', 'kubernetesclusters.compute.crossplane.io/v1alpha1'],
    want: [
      'redisclusters.cache.crossplane.io',
      'kubernetesclusters.compute.crossplane.io',
      'machineinstances.compute.crossplane.io',
    ],
  },
  {
    name: 'the rest of a group that an interrupted run created in part',
    requires: ['*.compute.crossplane.io/v1alpha1'],
    served: [CLUSTERS],
    want: ['machineinstances.compute.crossplane.io'],
  },
  {name: 'nothing that the cluster serves', requires: ['*.cache.crossplane.io'], served: [REDIS], want: []},
  {
    name: 'nothing in a group that the cluster serves in another version',
    requires: ['infrastructurepublications.apiextensions.crossplane.io/v1alpha1'],
    served: [MODERN],
    want: [],
  },
  {name: 'nothing of the era, which is in the base', requires: ['*.packages.crossplane.io'], want: []},
  {
    name: 'nothing that a package of the set owns',
    requires: ['*.cache.crossplane.io'],
    owns: ['redisclusters.cache.crossplane.io'],
    want: [],
  },
  {name: 'nothing without --with-package-api', requires: ['*.cache.crossplane.io'], base: false, want: []},
  {
    name: 'nothing for a current Crossplane',
    requires: ['*.cache.crossplane.io'],
    release: 'none',
    want: [],
  },
]

describe('the CRDs of Crossplane that --with-package-api creates in a cluster', () => {
  it.each(CASES)('are $name', ({requires, base = true, era = 'packages', release = 'v0.12', ...more}) => {
    const installed = {served: (more.served ?? []) as Fact[], packages: [], upgraded: new Set<string>()}
    const choices = {base, era: ERAS[era]}
    const own = {...POLICY, crossplane: crossplaneReleases(release)}
    const policy = clusterPolicy(own, installed, choices)
    const summary = version('x/app:v1.0.0', {owns: more.owns ?? []})
    const requirements = requires.map(text => {
      const requirement = parseCrdRequirement(text)
      const kind = CORE_KINDS.find(({group}) => group === requirement.group)
      if (kind === undefined) throw new Error(`${text} is not of Crossplane`)
      return {requirement, by: {kind: 'fact', fact: coreFact(kind)}} as const
    })
    const {objects, notes} = requiredCoreCrds(
      {packages: [{summary, requirements}], roots: []},
      policy,
      choices,
    )
    expect(objects.map(({object}) => object.metadata.name)).toEqual(more.want)
    expect(notes.map(({rule}) => rule)).toEqual(more.want.length === 0 ? [] : ['crossplane-crds'])
  })

  it.each([
    {base: true, want: 'cluster-with-base', facts: ['redisclusters.cache.crossplane.io']},
    {base: false, want: 'cluster', facts: []},
  ])('are facts with base $base', ({base, want, facts}) => {
    const installed = {served: [], packages: [], upgraded: new Set<string>()}
    const own = {...POLICY, crossplane: crossplaneReleases('v0.12')}
    const policy = clusterPolicy(own, installed, {base, era: ERAS.packages})
    expect(policy.crossplane.target).toBe(want)
    const found = policy.facts.filter(({group}) => group === 'cache.crossplane.io')
    expect(found.map(({plural, group}) => `${plural}.${group}`)).toEqual(facts)
    expect(policy.facts.some(({group}) => group === 'packages.crossplane.io')).toBe(base)
    expect(policy.facts.some(({group}) => group === 'stacks.crossplane.io')).toBe(false)
  })
})
