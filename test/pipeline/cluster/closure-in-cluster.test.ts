import {expect, it} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {localFile, localFiles} from '../../../src/adapters/local-files.js'
import {localPackage} from '../../../src/adapters/local-package.js'
import {packagesFolder} from '../../../src/adapters/packages-folder.js'
import {closureInCluster} from '../../../src/pipeline/cluster/core/closure-in-cluster.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'

const REGISTRY = 'registry.example.org/x'
const provider = (name: string, ...requires: readonly string[]) => ({
  [`x/${name}@v1.0.0/crossplane.yaml`]: `apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata: {name: ${name}}
spec:
  dependsOn: [${requires.map(one => `{provider: ${REGISTRY}/${one}, version: ">=v1.0.0"}`).join(', ')}]
`,
})

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.org}
spec:
  group: example.org
  scope: Cluster
  names: {kind: Thing, plural: things, singular: thing, listKind: ThingList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
const COMPOSITION = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: app}
spec:
  compositeTypeRef: {apiVersion: example.org/v1, kind: XApp}
  mode: Pipeline
  pipeline: [{step: make, functionRef: {name: make}}]
`

const folder = writeTree(mkdtempSync(join(temporaryFolder(), 'closure-')), {
  ...provider('a', 'base'),
  ...provider('b', 'family', 'base'),
  ...provider('base'),
  ...provider('family'),
})

it.each([
  {named: ['a'], judged: ['a', 'base'], sources: ['a', 'base']},
  {named: ['b'], judged: ['b', 'base', 'family'], sources: ['b', 'base', 'family']},
  {named: undefined, judged: ['a', 'b', 'base', 'family'], sources: ['a', 'b', 'base', 'family']},
])('judges what is named, $named, and what that leads to', async ({named, judged, sources}) => {
  const rootOf = (name: string) => ({repository: `${REGISTRY}/${name}`, version: 'v1.0.0'})
  const prefixes = sources.map(name => ({prefix: `${REGISTRY}/${name}`, line: 3}))
  const closure = await closureInCluster(
    {
      roots: [rootOf('a'), rootOf('b')],
      ...(named === undefined ? {} : {named: named.map(rootOf)}),
      upgraded: [],
      teams: [{file: 'policy.yaml', limits: {}, sources: prefixes}],
      budget: {isSpent: () => false},
    },
    {
      // What is installed can be read.
      requests: ['a', 'b', 'family'].map(installed),
      revisions: [],
      lock: {entries: []},
    },
    {
      sources: {directory: localPackage, files: localFiles, file: localFile},
      folder: packagesFolder(folder),
      remote: {},
    },
  )
  const shortNames = (names: Iterable<string>) => [...names].map(name => name.split('/').at(-1)).sort()
  expect(shortNames(closure.judged)).toEqual(judged)
  expect(shortNames(closure.packages.map(({repository}) => repository))).toEqual(['a', 'b', 'base', 'family'])
})

const PORTS = {
  sources: {directory: localPackage, files: localFiles, file: localFile},
  folder: packagesFolder(
    writeTree(mkdtempSync(join(temporaryFolder(), 'waiting-')), {
      'x/one@v1.0.0/crossplane.yaml':
        'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: one}\n',
      'x/one@v1.0.0/crd.yaml': CRD,
      'x/two@v1.0.0/crossplane.yaml':
        'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: two}\n',
      'x/two@v1.0.0/crd.yaml': CRD,
      'x/app@v1.0.0/crossplane.yaml':
        'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: app}\n',
      'x/app@v1.0.0/composition.yaml': COMPOSITION,
    }),
  ),
  remote: {},
}

async function installing(name: string, requests: readonly ReturnType<typeof installed>[]) {
  return await closureInCluster(
    {
      roots: [{repository: `${REGISTRY}/${name}`, version: 'v1.0.0'}],
      upgraded: [],
      budget: {isSpent: () => false},
    },
    {requests, revisions: [], lock: {entries: []}},
    PORTS,
  )
}

it('knows what a request defines that Crossplane has not read yet', async () => {
  await expect(installing('two', [installed('one')])).rejects.toMatchObject({
    code: 'ambiguous-owner',
    diagnostics: [
      expect.objectContaining({message: expect.stringMatching(/x\/one is requested in the cluster/)}),
    ],
  })
  const leaving = {...installed('one'), isTerminating: true}
  expect((await installing('two', [leaving])).notes).toEqual([])
})

it('says of which request it cannot read what it defines', async () => {
  const {notes} = await installing('two', [installed('missing')])
  expect(notes).toEqual([
    expect.objectContaining({
      rule: 'xpkg-request-unread',
      message: expect.stringMatching(/^provider\.pkg\.crossplane\.io\/missing .*cannot be read: /),
    }),
  ])
})

it('knows a function by its name in the cluster, also before Crossplane has installed it', async () => {
  const rules = async (...requests: readonly ReturnType<typeof installed>[]) =>
    (await installing('app', requests)).notes.map(({rule}) => rule)
  const make = {...installed('missing'), kind: 'Function' as const, name: 'make'}
  expect(await rules()).toEqual(['xpkg-function-missing'])
  expect(await rules(make)).toEqual(['xpkg-request-unread'])
  expect(await rules({...make, kind: 'Provider'})).toEqual(['xpkg-function-missing', 'xpkg-request-unread'])
})

function installed(name: string) {
  const [repository, reference] = [`${REGISTRY}/${name}`, `${REGISTRY}/${name}:v1.0.0`]
  return {
    ...{repository, reference, tag: 'v1.0.0', name, uid: name, created: ''},
    kind: 'Provider' as 'Provider' | 'Function',
    ...{isResolved: true, isByCore: false, isTerminating: false, resolved: reference},
    object: {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: {name}},
  }
}
