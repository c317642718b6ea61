import {expect, it} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {localFile, localFiles} from '../../../src/adapters/local-files.js'
import {localPackage} from '../../../src/adapters/local-package.js'
import {packagesFolder} from '../../../src/adapters/packages-folder.js'
import {closureInCluster} from '../../../src/pipeline/cluster/core/closure-in-cluster.js'
import {observedLosses} from '../../../src/pipeline/cluster/core/lost-uses.js'
import {DIGEST, provider, state} from '../../plan/cluster/core/requests-that-move.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'

const REGISTRY = 'registry.example.org/x'

const meta = (kind: string, name: string) =>
  `apiVersion: meta.pkg.crossplane.io/v1\nkind: ${kind}\nmetadata: {name: ${name}}\n`
const crd = (...versions: readonly string[]) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gates.example.org}
spec:
  group: example.org
  scope: Cluster
  names: {kind: Gate, plural: gates, singular: gate, listKind: GateList}
  versions: [${versions.map((name, index) => `{name: ${name}, served: true, storage: ${index === 0}, schema: {openAPIV3Schema: {type: object}}}`).join(', ')}]
`
const COMPOSITION = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: app}
spec:
  compositeTypeRef: {apiVersion: example.org/v1, kind: XApp}
  mode: Pipeline
  pipeline:
    - step: make
      functionRef: {name: function-patch-and-transform}
      input:
        apiVersion: pt.fn.crossplane.io/v1beta1
        kind: Resources
        resources: [{name: gate, base: {apiVersion: example.org/v1beta1, kind: Gate}}]
`

const PORTS = {
  sources: {directory: localPackage, files: localFiles, file: localFile},
  folder: packagesFolder(
    writeTree(mkdtempSync(join(temporaryFolder(), 'losses-')), {
      'x/old@v1.0.0/crossplane.yaml': meta('Provider', 'old'),
      'x/old@v1.0.0/crd.yaml': crd('v1', 'v1beta1'),
      'x/new@v1.0.0/crossplane.yaml': meta('Provider', 'new'),
      'x/new@v1.0.0/crd.yaml': crd('v1'),
      'x/app@v1.0.0/crossplane.yaml': meta('Configuration', 'app'),
      'x/app@v1.0.0/composition.yaml': COMPOSITION,
    }),
  ),
  remote: {},
}

/** What is lost if a package comes in the place of others. */
async function losses(former: string, leaving: readonly string[]) {
  const [old, app] = [
    provider(`x-${former}`, `${REGISTRY}/${former}`),
    provider('x-app', `${REGISTRY}/app`, {}, 'Configuration'),
  ]
  const closure = await closureInCluster(
    {
      roots: [{repository: `${REGISTRY}/new`, version: 'v1.0.0'}],
      upgraded: [],
      budget: {isSpent: () => false},
    },
    state([], []),
    PORTS,
  )
  const query = {packages: PORTS, settings: {coreVersion: 'v2.3.0'}}
  return await observedLosses({closure}, state([old, app], []), query, leaving)
}

it('names what a Composition uses of a package that leaves', async () => {
  const {losses: lost, lossRisks} = await losses('old', [`${REGISTRY}/old`])
  expect(lost).toEqual([
    expect.objectContaining({
      severity: 'error',
      rule: 'xpkg-kind-lost',
      message: expect.stringMatching(/^Gate\.example\.org\/v1beta1 .* Composition app uses it$/),
    }),
  ])
  expect(lossRisks.flatMap(([, risks]) => risks)).toEqual([])
})

it('warns of a package that leaves and cannot be read', async () => {
  const {losses: lost, lossRisks} = await losses('gone', [`${REGISTRY}/gone`])
  expect(lost).toEqual([])
  expect(lossRisks).toEqual([
    [
      expect.objectContaining({name: 'x-gone'}),
      [
        expect.objectContaining({
          rule: 'xpkg-use-unknown',
          message: expect.stringContaining(`not known: ${REGISTRY}/gone`),
        }),
      ],
    ],
  ])
})

it('says nothing of a package that stays', async () => {
  expect(await losses('old', [])).toEqual({losses: [], lossRisks: []})
})

it('says nothing of a package by digest of which the tag is selected', async () => {
  const repository = `${REGISTRY}/gone`
  const old = provider('x-gone', repository, {spec: {package: `${repository}@${DIGEST}`}})
  const selected = {repository, version: 'v1.0.0', digest: DIGEST, kind: 'Provider'} as const
  const closure = {packages: [{...selected, dependencies: []}], names: new Map()}
  const query = {packages: PORTS, settings: {coreVersion: 'v2.3.0'}}
  expect(await observedLosses({closure}, state([old], []), query)).toEqual({losses: [], lossRisks: []})
})
