import {expect, it} from '@jest/globals'
import {judgeCrds} from '../../../../src/plan/cluster/core/crd-gate.js'
import {coreRequest} from '../../../../src/plan/cluster/core/read-core-object.js'
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
  const instances = new Map([[CRD.metadata.name, {total, first: [{name: 'mine'}]}]])
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
    want: {rejected: ['crd-version-removed'], risks: ['crd-version-removed'], lost: []},
  },
  {
    name: 'a version that is not served',
    objects: [defines(['v1alpha1', 'v1'], 'Cluster', ['v1'])],
    total: 1,
    want: {...NOTHING, risks: ['crd-version-removed']},
  },
  {
    name: 'another scope',
    objects: [defines(['v1alpha1', 'v1'], 'Namespaced')],
    total: 0,
    want: {...NOTHING, rejected: ['crd-version-removed']},
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
