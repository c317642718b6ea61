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

function installed(name: string) {
  const [repository, reference] = [`${REGISTRY}/${name}`, `${REGISTRY}/${name}:v1.0.0`]
  return {
    ...{repository, reference, tag: 'v1.0.0', kind: 'Provider' as const, name, uid: name, created: ''},
    ...{isResolved: true, isByCore: false, isTerminating: false, resolved: reference},
    object: {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: {name}},
  }
}
