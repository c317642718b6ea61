import {describe, expect, it} from '@jest/globals'
import {crdChange, instanceCheck} from '../../../../src/plan/cluster/crds/crd-change.js'
import {gateCrd, type GateVerdict} from '../../../../src/plan/cluster/crds/crd-gate.js'
import {desiredObjects} from '../../../../src/plan/cluster/state/desired-object.js'
import {
  type InstanceSurvey,
  NO_INSTANCES,
  surveyed,
} from '../../../../src/plan/cluster/state/instance-survey.js'
import {ERAS} from '../../../../src/render/era.js'
import type {SetInstall} from '../../../../src/render/install-set.js'
import {claimLabels} from '../../../../src/render/labels.js'
import type {KubernetesObject} from '../../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../../../src/yaml/json-value.js'

const DB: SetInstall = {
  namespace: 'team',
  name: 'db',
  era: 'packages',
  scope: 'Namespaced',
  mode: 'requested',
  for: {},
}
const OTHER = {...DB, namespace: 'ops', name: 'other'}

interface Version {
  readonly name: string
  readonly served?: boolean
  readonly storage?: boolean
  readonly fields?: JsonObject
}

const SIZE = {size: {type: 'integer'}, color: {type: 'string'}}

function versionOf({name, served = true, storage = true, fields = SIZE}: Version): JsonObject {
  const spec = {type: 'object', properties: fields}
  return {name, served, storage, schema: {openAPIV3Schema: {type: 'object', properties: {spec}}}}
}

interface Definition {
  readonly versions?: readonly Version[]
  readonly scope?: string
  readonly kind?: string
}

function crd({versions = [{name: 'v1'}], scope = 'Namespaced', kind = 'Db'}: Definition): KubernetesObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'dbs.sql.org', labels: claimLabels(ERAS.packages, DB)},
    spec: {group: 'sql.org', names: {kind, plural: 'dbs'}, scope, versions: versions.map(versionOf)},
  }
}

function instance(name: string, spec: JsonObject): KubernetesObject {
  return {apiVersion: 'sql.org/v1', kind: 'Db', metadata: {name, namespace: 'ns'}, spec}
}

interface World {
  readonly before?: Definition
  readonly after: Definition
  readonly instances?: readonly KubernetesObject[]
  readonly claims?: readonly SetInstall[]
  readonly isUnlistable?: boolean
  readonly replaceCrds?: boolean
  readonly migratesVersions?: boolean
}

/** The verdict on a change that the server accepts; undefined if instances cannot notice it. */
function judge(world: World): GateVerdict | undefined {
  const {before = {}, after, instances = [], claims = [], isUnlistable = false} = world
  const {replaceCrds = false, migratesVersions} = world
  const [desired] = desiredObjects({
    installs: [DB],
    objects: [{phase: 'crds', shared: 'crd', claims: [DB], object: crd(after)}],
    warnings: [],
  })
  const found = crd(before)
  const all = [DB, ...claims].map(each => claimLabels(ERAS.packages, each))
  const labels = Object.fromEntries(all.flatMap(each => Object.entries(each)))
  const live = {...found, metadata: {...found.metadata, labels}, status: {storedVersions: ['v1']}}
  const change = crdChange(desired!, live, {kind: 'applied', object: crd(after)})
  if (change === undefined) return undefined
  const check = instanceCheck(change)!
  const survey = instances.reduce<InstanceSurvey>((sum, each) => surveyed(sum, each, check), NO_INSTANCES)
  const snapshot = {
    live: new Map(),
    dryRuns: new Map(),
    states: new Map(),
    inventories: [],
    ignored: [],
    roles: new Map(),
    unreadable: [],
    served: new Set<string>(),
    managers: new Map(),
    instances: new Map(),
    surveys: new Map(isUnlistable ? [] : [[desired!.key, survey]]),
    recorded: [],
  }
  return gateCrd(desired!, live, change, snapshot, {replaceCrds, migratesVersions})
}

/** `RULE: MESSAGE` of a rejection. */
function rejection(verdict: GateVerdict | undefined): string {
  return verdict?.kind === 'rejected'
    ? `${verdict.reason.rule}: ${verdict.reason.message}`
    : `${verdict?.kind}`
}

const V2 = {versions: [{name: 'v2'}]}
const ONE = [instance('a', {size: 1, color: 'red'})]
const CRD = 'CustomResourceDefinition dbs.sql.org'

describe('the gate for CRDs', () => {
  it('accepts changes that do not affect instances', () => {
    expect(judge({after: {}})).toBeUndefined()
  })

  it.each<{name: string; world: World; want: string}>([
    {
      name: 'a stored version while an instance exists',
      world: {after: V2, instances: ONE, replaceCrds: true},
      want: `crd-version-removed: ${CRD}: the package removes the stored version v1, but 1 custom resource exists (ns/a)`,
    },
    {
      name: 'a stored version while another install claims the CRD',
      world: {after: V2, claims: [OTHER], replaceCrds: true},
      want: `crd-version-removed: ${CRD}: the package removes the stored version v1, but namespace.crossplane.io/ops, parent.packages.crossplane.io/ops-other use it`,
    },
    {
      name: 'a stored version while instances cannot be listed',
      world: {after: V2, isUnlistable: true, replaceCrds: true},
      want: `crd-version-removed: ${CRD}: the package removes the stored version v1, but its custom resources cannot be listed`,
    },
    {
      name: 'another scope without --replace-crds',
      world: {after: {scope: 'Cluster'}},
      want: `crd-scope-changed: ${CRD}: the scope changes from "Namespaced" to "Cluster", which requires deleting the CRD`,
    },
    {
      name: 'another kind while instances exist',
      world: {after: {kind: 'Database'}, instances: [...ONE, ...ONE], replaceCrds: true},
      want: `crd-names-changed: ${CRD}: the kind changes from "Db" to "Database", but 2 custom resources exist (ns/a, ns/a)`,
    },
    {
      name: 'a version that another install may use',
      world: {
        before: {versions: [{name: 'v0', storage: false}, {name: 'v1'}]},
        after: {},
        claims: [{...OTHER, namespace: 'team'}],
      },
      want: `crd-version-removed: ${CRD}: the package no longer serves version v0, but parent.packages.crossplane.io/team-other uses it`,
    },
    {
      name: 'a schema that rejects instances',
      world: {
        after: {versions: [{name: 'v1', fields: {size: {type: 'string'}, color: {type: 'string'}}}]},
        instances: [...ONE, instance('b', {color: 'red'})],
      },
      want: `instances-rejected: ${CRD}: the new schema rejects 1 of 2 custom resources: ns/a: spec.size: it must be of type string, not integer`,
    },
    {
      name: 'a new storage version whose schema rejects instances',
      world: {
        after: {
          versions: [
            {name: 'v1', storage: false},
            {name: 'v2', fields: {size: {type: 'string'}}},
          ],
        },
        instances: ONE,
      },
      want: `instances-rejected: ${CRD}: the new schema rejects 1 of 1 custom resource: ns/a: spec.size: it must be of type string, not integer`,
    },
  ])('rejects $name', ({world, want}) => {
    expect(rejection(judge(world))).toBe(want)
  })

  it('replaces a CRD that nothing uses, if that is allowed', () => {
    expect(judge({after: {...V2, scope: 'Cluster'}, replaceCrds: true})).toEqual({
      kind: 'replace',
      reason:
        'the scope changes from "Namespaced" to "Cluster" and the package removes the stored version v1',
    })
  })

  it('migrates custom resources, if that is allowed', () => {
    const world = {after: V2, instances: ONE, migratesVersions: true}
    expect(judge(world)).toMatchObject({
      kind: 'migrate',
      migration: {from: ['v1'], to: 'v2'},
      total: 1,
      risks: [{rule: 'crd-version-unserved'}],
    })
  })

  it.each<{name: string; world: World; want: string}>([
    {
      name: 'another install uses the version',
      world: {after: V2, instances: ONE, claims: [OTHER]},
      want: `crd-version-removed: ${CRD}: the package removes the stored version v1, but 1 custom resource exists (ns/a) and namespace.crossplane.io/ops, parent.packages.crossplane.io/ops-other use it`,
    },
    {
      name: 'custom resources cannot be listed',
      world: {after: V2, isUnlistable: true},
      want: `crd-version-removed: ${CRD}: the package removes the stored version v1, but its custom resources cannot be listed`,
    },
    {
      name: 'the scope changes as well',
      world: {after: {...V2, scope: 'Cluster'}, instances: ONE},
      want: `crd-scope-changed: ${CRD}: the scope changes from "Namespaced" to "Cluster" and the package removes the stored version v1, but 1 custom resource exists (ns/a)`,
    },
    {
      name: 'the new version rejects them',
      world: {after: {versions: [{name: 'v2', fields: {size: {type: 'string'}}}]}, instances: ONE},
      want: `instances-rejected: ${CRD}: the new schema rejects 1 of 1 custom resource: ns/a: spec.size: it must be of type string, not integer`,
    },
    {
      name: 'the new version lacks fields that they have',
      world: {after: {versions: [{name: 'v2', fields: {size: {type: 'integer'}}}]}, instances: ONE},
      want: `fields-pruned: ${CRD}: 1 custom resource would lose fields that v2 does not have, such as spec.color: ns/a`,
    },
  ])('does not migrate if $name', ({world, want}) => {
    expect(rejection(judge({...world, migratesVersions: true}))).toBe(want)
  })

  it('suggests to migrate only what can be migrated', () => {
    const suggested = (world: World) => {
      const verdict = judge(world)
      return (
        verdict?.kind === 'rejected' &&
        verdict.reason.suggestions?.some(each => each.includes('--migrate-versions'))
      )
    }
    const lossy = {versions: [{name: 'v2', fields: {}}]}
    expect([V2, {...V2, scope: 'Cluster'}, lossy].map(after => suggested({after, instances: ONE}))).toEqual([
      true,
      false,
      false,
    ])
  })

  it.each<{name: string; world: World; want: readonly string[]}>([
    {
      name: 'no risk without instances',
      world: {after: {versions: [{name: 'v1', fields: {}}]}},
      want: [],
    },
    {
      name: 'a version that is no longer served and in which nothing is stored',
      world: {before: {versions: [{name: 'v0', storage: false}, {name: 'v1'}]}, after: {}, instances: ONE},
      want: ['crd-version-unserved: clients that use version v0 of dbs.sql.org will fail'],
    },
    {
      name: 'fields that are dropped',
      world: {
        after: {versions: [{name: 'v1', fields: {size: {type: 'integer'}}}]},
        instances: [...ONE, instance('b', {size: 2}), instance('c', {color: 'x'})],
      },
      want: ['fields-pruned: 2 custom resources of dbs.sql.org will lose spec.color: ns/a, ns/c'],
    },
    {
      name: 'rules that are not checked',
      world: {
        after: {versions: [{name: 'v1', fields: {...SIZE, color: {type: 'string', format: 'uuid'}}}]},
        instances: ONE,
      },
      want: [
        'instances-not-checked: new rules of dbs.sql.org are not checked for its 1 custom resource: format',
      ],
    },
    {
      name: 'instances that cannot be listed',
      world: {after: {versions: [{name: 'v1', fields: {}}]}, isUnlistable: true},
      want: [
        'instances-not-checked: the custom resources of dbs.sql.org cannot be listed and are not checked',
      ],
    },
  ])('accepts with $name', ({world, want}) => {
    const verdict = judge(world)
    const risks = verdict?.kind === 'passed' ? verdict.risks : []
    expect({kind: verdict?.kind, risks: risks.map(({rule, message}) => `${rule}: ${message}`)}).toEqual({
      kind: 'passed',
      risks: want,
    })
  })

  describe('the risk of lost fields is another one', () => {
    const none = {versions: [{name: 'v1', fields: {}}]}
    const BOTH = instance('a', {size: 1, color: 'x'})
    const items = {type: 'array', items: {type: 'object', properties: SIZE}}
    const riskOf = (instances: readonly KubernetesObject[], after: Definition, before?: Definition) => {
      const verdict = judge({...(before && {before}), after, instances})
      return verdict?.kind === 'passed' ? verdict.risks.map(({message}) => message) : []
    }

    it.each<{
      name: string
      one: readonly KubernetesObject[]
      other: readonly KubernetesObject[]
      after?: Definition
      before?: Definition
    }>([
      {
        name: 'if two instances lose the field of each other',
        one: [BOTH, instance('b', {color: 'x'}), instance('c', {size: 1})],
        other: [BOTH, instance('b', {size: 1}), instance('c', {color: 'x'})],
      },
      {
        name: 'if another instance loses both',
        one: [instance('a', {size: 1, color: 'x'}), instance('b', {size: 1})],
        other: [instance('a', {size: 1}), instance('b', {size: 1, color: 'x'})],
      },
      {
        name: 'if another item of a list loses it',
        one: [instance('a', {list: [{size: 1}, {color: 'x'}]})],
        other: [instance('a', {list: [{size: 1, color: 'x'}, {}]})],
        before: {versions: [{name: 'v1', fields: {list: items}}]},
        after: {
          versions: [
            {
              name: 'v1',
              fields: {list: {...items, items: {type: 'object', properties: {size: {type: 'integer'}}}}},
            },
          ],
        },
      },
    ])('$name', ({one, other, after = none, before}) => {
      expect(riskOf(one, after, before)).toHaveLength(1)
      expect(riskOf(one, after, before)).not.toEqual(riskOf(other, after, before))
      expect(riskOf(structuredClone(one), after, before)).toEqual(riskOf(one, after, before))
    })
  })

  it('keeps a survey of many instances small', () => {
    const check = {
      kind: {apiVersion: 'sql.org/v1', kind: 'Db'},
      schemas: [{type: 'object'}],
      isPruning: true,
      unchecked: [],
    }
    let survey = NO_INSTANCES
    for (let i = 0; i < 1000; i += 1) survey = surveyed(survey, instance(`i${i}`, {[`field${i}`]: 1}), check)
    expect(survey).toMatchObject({total: 1000, pruned: {total: 1000}, prunedFields: ['spec']})
    expect(survey.first).toHaveLength(20)
  })
})
