import {describe, expect, it} from '@jest/globals'
import type {ChangedXpkgSet} from '../../../src/package/xpkg/changed-set.js'
import {judgeXpkgs} from '../../../src/pipeline/git/judge-xpkgs.js'
import type {XpkgVersion} from '../../../src/plan/git/xpkg-losses.js'
import {examineXpkg} from '../../../src/xpkg/content/examine-xpkg.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {json, scriptedApi, servedKinds, statusOf} from '../../cluster/api/scripted-api.js'

const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'inputs.fn.example.org'},
  spec: {
    ...{group: 'fn.example.org', scope: 'Cluster', names: {kind: 'Input', plural: 'inputs'}},
    versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}],
  },
}
const COMPOSITION = {
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  metadata: {name: 'c'},
  spec: {
    compositeTypeRef: {apiVersion: 'example.org/v1', kind: 'X'},
    ...{mode: 'Pipeline', pipeline: [{step: 'one', functionRef: {name: 'acme-fn'}}]},
  },
}

function version(kind: string, ...objects: readonly object[]): XpkgVersion {
  const metadata = {apiVersion: 'meta.pkg.crossplane.io/v1', kind, metadata: {name: 'p'}}
  const bytes = Buffer.from([metadata, ...objects].map(object => JSON.stringify(object)).join('\n---\n'))
  const {xpkg} = examineXpkg([{path: 'package.yaml', bytes}])
  return {kind, capabilities: ['composition'], objects: xpkg?.objects ?? []}
}

const FN = 'h.io/acme/fn'
const changeTo = (after: XpkgVersion | undefined, before: XpkgVersion): ChangedXpkgSet => ({
  set: {
    changes: [{repository: FN, versions: 'v1 -> v2', before, kept: new Map(), ...(after && {after})}],
    after: [{repository: 'h.io/acme/config', ...version('Configuration', COMPOSITION)}],
  },
  filesOf: () => Promise.resolve([]),
})

/** A cluster with these objects: in lists, by resource, and by name. */
function clusterWith(
  lists: Readonly<Record<string, readonly JsonObject[]>>,
  objects: Readonly<Record<string, JsonObject>>,
) {
  const {api} = scriptedApi(
    ({url: {pathname}}) => {
      const name = pathname.split('/').at(-1) ?? ''
      const list = lists[name]
      if (list !== undefined) return json({metadata: {}, items: list})
      const object = objects[name]
      return object === undefined ? statusOf(404, 'NotFound', 'none') : json(object)
    },
    undefined,
    servedKinds({
      'pkg.crossplane.io/v1': {providers: 'Provider', functions: 'Function'},
      'pkg.crossplane.io/v1beta1': {locks: 'Lock'},
      'apiextensions.k8s.io/v1': {customresourcedefinitions: CRD.kind},
      'fn.example.org/v1': {inputs: 'Input'},
    }),
  )
  return api
}

const UPGRADE = {request: {kind: 'upgrade', names: []}, keepsInstances: false} as const

describe('a commit with packages of a current Crossplane', () => {
  it.each([true, false])('loses no function that is called, with assumed instances %s', async assumed => {
    const change = changeTo(undefined, version('Function'))
    expect(await judgeXpkgs({...UPGRADE, assumeNoInstances: assumed}, {xpkgs: change})).toMatchObject([
      {severity: 'error', rule: 'xpkg-function-lost'},
    ])
  })

  it('loses no CRD of a Function that its Crossplane installed, with a cluster', async () => {
    const owned = {...CRD, metadata: {...CRD.metadata, ownerReferences: [{uid: 'of-fn'}]}}
    const lists: Readonly<Record<string, JsonObject[]>> = {
      functions: [{metadata: {name: 'acme-fn', uid: 'of-fn'}, spec: {package: `${FN}:v1`}}],
      customresourcedefinitions: [owned],
      inputs: [{metadata: {name: 'mine', uid: 'of-mine'}}],
    }
    const api = clusterWith(lists, {[CRD.metadata.name]: owned})
    const change = changeTo(version('Function'), version('Function', CRD))
    const judged = await judgeXpkgs(
      {...UPGRADE, assumeNoInstances: false},
      {xpkgs: change},
      {api, context: 'test'},
    )
    expect(judged.filter(({rule}) => rule === 'instances-exist')).toMatchObject([
      {severity: 'error', message: expect.stringContaining('1 custom resource')},
    ])
  })

  // Custom resources are no part of what the Lock says.
  it.each([false, true])(
    'keeps the version of a Function under an everyday name that the Lock requires, with assumed instances %s',
    async assumed => {
      const lock = {
        ...{apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock'},
        metadata: {name: 'lock', uid: 'of-lock'},
        packages: [
          {
            ...{name: 'acme-config-0', kind: 'Configuration', source: 'h.io/acme/config', version: 'v1'},
            dependencies: [{kind: 'Function', package: FN, constraints: '>=v1'}],
          },
        ],
      }
      const functions = [{metadata: {name: 'my-fn', uid: 'of-fn'}, spec: {package: `${FN}:v1`}}]
      const judged = await judgeXpkgs(
        {...UPGRADE, assumeNoInstances: assumed},
        {xpkgs: changeTo(version('Function'), version('Function'))},
        {api: clusterWith({functions}, {lock}), context: 'test'},
      )
      expect(judged.filter(({rule}) => rule === 'xpkg-other-name')).toMatchObject([
        {severity: 'error', message: expect.stringContaining('my-fn')},
      ])
    },
  )
})
