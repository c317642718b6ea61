import {expect, it} from '@jest/globals'
import {judgeCrds} from '../../../../src/plan/cluster/core/crd-gate.js'
import {coreRequest} from '../../../../src/plan/cluster/core/read-core-object.js'
import {type InstanceSurvey, NO_INSTANCES} from '../../../../src/plan/cluster/state/instance-survey.js'
import type {JsonObject} from '../../../../src/yaml/json-value.js'
import type {XpkgObject} from '../../../../src/xpkg/content/xpkg.js'

const REQUEST = coreRequest('Provider', {
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'Provider',
  metadata: {name: 'a'},
  spec: {package: 'h.io/a:v1'},
})

const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'gates.example.org'},
  spec: {
    group: 'example.org',
    names: {kind: 'Gate', plural: 'gates'},
    scope: 'Cluster',
    versions: [
      {name: 'v1alpha1', served: true},
      {name: 'v1', served: true},
    ],
  },
  status: {storedVersions: ['v1alpha1', 'v1']},
}

function defines(
  versions: readonly string[],
  scope: 'Cluster' | 'Namespaced' = 'Cluster',
  served = versions,
): XpkgObject {
  const kind = {group: 'example.org', kind: 'Gate', plural: 'gates', scope}
  return {
    ...{
      role: 'crd',
      apiVersion: CRD.apiVersion,
      kind: CRD.kind,
      name: CRD.metadata.name,
      file: '',
      line: 1,
      functions: [],
    },
    defines: {...kind, versions},
    crds: [{...kind, singular: 'gate', served, stored: 'v1'}],
  }
}

function judged(objects: readonly XpkgObject[], total: number, keepsInstances = false) {
  const counts = new Map([[CRD.metadata.name, {total, first: [{name: 'mine'}]}]])
  const instances = {
    counts,
    specs: new Map<string, JsonObject>(),
    connectionKeys: new Map(),
    surveys: new Map<string, InstanceSurvey>(),
  }
  const verdict = judgeCrds([{request: REQUEST, crds: [CRD], objects}], instances, {keepsInstances})
  return {
    rejected: verdict.rejections.map(({rule}) => rule),
    risks: [...verdict.risks.values()].flat().map(({rule}) => rule),
    lost: verdict.impact.crds.map(({instances: number}) => number),
  }
}

const NOTHING = {rejected: [], risks: [], lost: []}

it.each([
  {name: 'all versions', objects: [defines(['v1alpha1', 'v1'])], total: 1, want: NOTHING},
  {
    name: 'no stored version',
    objects: [defines(['v1'])],
    total: 0,
    want: {...NOTHING, rejected: ['crd-version-removed']},
  },
  {
    name: 'a version that is not served',
    objects: [defines(['v1alpha1', 'v1'], 'Cluster', ['v1'])],
    total: 1,
    want: {...NOTHING, risks: ['crd-version-unserved']},
  },
  {
    name: 'another scope',
    objects: [defines(['v1alpha1', 'v1'], 'Namespaced')],
    total: 0,
    want: {...NOTHING, rejected: ['crd-scope-changed']},
  },
  {name: 'no CRD, without custom resources', objects: [], total: 0, want: NOTHING},
  {
    name: 'no CRD, with custom resources',
    objects: [],
    total: 2,
    want: {rejected: ['instances-exist'], risks: [], lost: [2]},
  },
  {
    name: 'no CRD, with custom resources to keep',
    objects: [],
    total: 2,
    keeps: true,
    want: {...NOTHING, lost: [2]},
  },
])('judges a version with $name', ({objects, total, keeps, want}) => {
  expect(judged(objects, total, keeps)).toEqual(want)
})

it.each([
  {
    name: 'rejects custom resources that the new schema does not accept',
    survey: {...NO_INSTANCES, total: 2, rejected: {total: 1, first: ['mine: spec.size: must be set']}},
    want: {...NOTHING, rejected: ['instances-rejected']},
  },
  {
    name: 'warns of fields that custom resources lose',
    survey: {...NO_INSTANCES, total: 2, pruned: {total: 1, first: ['mine']}, prunedFields: ['spec.size']},
    want: {...NOTHING, risks: ['fields-pruned']},
  },
])('$name', ({survey, want}) => {
  const [name, total] = [CRD.metadata.name, 2]
  const schema = {openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object'}}}}
  const versions = CRD.spec.versions.map(version => ({...version, schema}))
  const instances = {
    counts: new Map([[name, {total, first: [{name: 'mine'}]}]]),
    specs: new Map([[name, {...CRD.spec, versions}]]),
    connectionKeys: new Map(),
    surveys: new Map([[name, survey]]),
  }
  const change = {request: REQUEST, crds: [CRD], objects: [defines(['v1alpha1', 'v1'])]}
  const {rejections, risks, impact} = judgeCrds([change], instances, {keepsInstances: false})
  expect({
    rejected: rejections.map(({rule}) => rule),
    risks: [...risks.values()].flat().map(({rule}) => rule),
    lost: impact.crds,
  }).toEqual(want)
})

it('names the custom resources that prevent a change, as for packages of v0.12', () => {
  const instances = {
    counts: new Map([[CRD.metadata.name, {total: 2, first: [{name: 'mine'}, {name: 'other'}]}]]),
    specs: new Map<string, JsonObject>(),
    connectionKeys: new Map(),
    surveys: new Map<string, InstanceSurvey>(),
  }
  const change = {request: REQUEST, crds: [CRD], objects: [defines(['v1'])]}
  expect(judgeCrds([change], instances, {keepsInstances: false}).rejections).toEqual([
    {
      severity: 'error',
      rule: 'crd-version-removed',
      message:
        'CustomResourceDefinition gates.example.org: the package removes the stored version v1alpha1, which the API server rejects, and 2 custom resources exist (mine, other)',
      subject: {object: 'CustomResourceDefinition gates.example.org'},
      suggestions: [
        'kubectl get gates.example.org --all-namespaces',
        'Upgrade to a version of the package that still has it, and migrate the custom resources.',
      ],
    },
  ])
})
