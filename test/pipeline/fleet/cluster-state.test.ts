import {describe, expect, it} from '@jest/globals'
import {healthySince} from '../../../src/pipeline/fleet/cluster-state.js'
import {coreRequest, coreRevision} from '../../../src/plan/cluster/core/read-core-object.js'
import type {JsonValue} from '../../../src/yaml/json-value.js'

const API = 'pkg.crossplane.io/v1'
const day = (number: number) => `2026-01-0${number}T00:00:00Z`
const condition = (type: string, since: number, status = 'True') => ({
  ...{type, status},
  lastTransitionTime: day(since),
})
const written = (since: number, fields: Readonly<Record<string, JsonValue>> = {'f:spec': {}}) => ({
  ...{manager: 'crossplane', operation: 'Update', time: day(since)},
  fieldsV1: fields,
})

function request(revision = 'sql-1') {
  return coreRequest('Provider', {
    ...{apiVersion: API, kind: 'Provider', metadata: {name: 'sql'}, spec: {package: 'h.io/sql:v1'}},
    status: {currentRevision: revision, conditions: [condition('Installed', 1), condition('Healthy', 2)]},
  })
}

interface Made {
  readonly name?: string
  readonly managedFields?: readonly Readonly<Record<string, JsonValue>>[]
  readonly conditions?: readonly ReturnType<typeof condition>[]
  readonly desiredState?: string
}

function revision({
  name = 'sql-1',
  managedFields = [written(1)],
  conditions = [condition('RevisionHealthy', 1)],
  desiredState = 'Active',
}: Made = {}) {
  return coreRevision('Provider', {
    ...{apiVersion: API, kind: 'ProviderRevision'},
    metadata: {
      name,
      creationTimestamp: day(1),
      labels: {'pkg.crossplane.io/package': 'sql'},
      managedFields: [...managedFields],
    },
    spec: {image: 'h.io/sql:v1', desiredState},
    status: {conditions: [...conditions]},
  })
}

describe('since when a package is healthy', () => {
  it.each<{name: string; revisions: readonly ReturnType<typeof revision>[]; want?: number}>([
    {name: 'the last change of a condition', revisions: [revision()], want: 2},
    {
      name: 'the last change of a condition of its revision',
      revisions: [revision({conditions: [condition('RevisionHealthy', 3)]})],
      want: 3,
    },
    {
      name: 'the activation of an old revision',
      revisions: [
        revision({managedFields: [written(4), {...written(9), subresource: 'status'}]}),
        revision({name: 'sql-2', desiredState: 'Inactive'}),
      ],
      want: 4,
    },
    {name: 'unknown without a record of writes', revisions: [revision({managedFields: []})]},
    {
      name: 'unknown without a record of writes of the spec',
      revisions: [revision({managedFields: [written(1, {'f:metadata': {}})]})],
    },
    {name: 'unknown with two active revisions', revisions: [revision(), revision({name: 'sql-2'})]},
    {name: 'unknown with an active revision that is not its own', revisions: [revision({name: 'sql-2'})]},
    {name: 'unknown without a revision', revisions: []},
    {
      name: 'unknown where a condition of its revision is not true',
      revisions: [
        revision({conditions: [condition('RevisionHealthy', 1), condition('RuntimeHealthy', 1, 'Unknown')]}),
      ],
    },
  ])('is $name', ({revisions, want}) => {
    const since = healthySince(request(), revisions)
    expect(since).toBe(want === undefined ? undefined : Date.parse(day(want)))
  })
})
