import {describe, expect, it} from '@jest/globals'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {objectKey} from '../../../src/kubernetes/object-key.js'
import {type InstanceSurvey, NO_INSTANCES} from '../../../src/plan/cluster/state/instance-survey.js'
import {migratedBy} from '../../../src/plan/cluster/crds/migrate-operation.js'
import {planMigration} from '../../../src/plan/cluster/plan-migration.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {CRD, live, shown} from './install-world.js'

const V2_AND_V1 = [
  {name: 'v2', served: true, storage: true},
  {name: 'v1', served: true, storage: false},
]

function crd(storedVersions: readonly string[], more: JsonObject = {}): KubernetesObject {
  const spec = {...(CRD.spec as JsonObject), versions: V2_AND_V1, ...more}
  return live({...CRD, spec, status: {storedVersions}})
}

const KEY = objectKey({...CRD, name: 'dbs.sql.org'})
const planned = (object: KubernetesObject, survey: Partial<InstanceSurvey> | undefined = {total: 2}) =>
  planMigration([object], new Map([[KEY, {...NO_INSTANCES, ...survey}]]))

describe('planMigration', () => {
  it('writes the custom resources of a CRD with a former stored version', () => {
    const plan = planned(crd(['v1', 'v2']))
    expect(shown(plan)).toEqual(['migrate CustomResourceDefinition dbs.sql.org'])
    expect(migratedBy(plan.operations[0]!)).toEqual({
      from: ['v1'],
      to: 'v2',
      kind: {apiVersion: 'sql.org/v2', kind: 'Db'},
      total: 2,
    })
    expect(plan.rejections).toEqual([])
  })

  it.each([
    ['everything is stored in the storage version', crd(['v2'])],
    ['a webhook converts', crd(['v1', 'v2'], {conversion: {strategy: 'Webhook'}})],
  ])('changes nothing if %s', (_, object) => {
    expect(planned(object)).toEqual({operations: [], unchanged: 1, rejections: []})
  })

  it.each<[string, Partial<InstanceSurvey>, string]>([
    ['are invalid in it', {rejected: {total: 1, first: ['a: spec.size: x']}}, 'instances-rejected'],
    ['would lose fields', {pruned: {total: 1, first: ['a']}, prunedFields: ['spec.color']}, 'fields-pruned'],
  ])('is rejected if custom resources %s', (_, survey, rule) => {
    const plan = planned(crd(['v1', 'v2']), {total: 1, ...survey})
    expect({operations: plan.operations, rules: plan.rejections.map(each => each.rule)}).toEqual({
      operations: [],
      rules: [rule],
    })
  })

  it('ignores lost fields of a status', () => {
    const survey = {total: 1, pruned: {total: 1, first: ['a']}, prunedFields: ['status.phase']}
    expect(planned(crd(['v1', 'v2']), survey).rejections).toEqual([])
  })

  it('is rejected if custom resources cannot be listed', () => {
    const plan = planMigration([crd(['v1', 'v2'])], new Map())
    expect(plan.rejections.map(({rule}) => rule)).toEqual(['instances-not-checked'])
  })
})
