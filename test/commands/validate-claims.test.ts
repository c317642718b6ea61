import {expect, it} from '@jest/globals'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const home = temporaryFolder()
const meta = (kind: string) => `apiVersion: meta.pkg.crossplane.io/v1\nkind: ${kind}\nmetadata: {name: a}\n`

writeTree(home, {
  'packages/team/sql@v1.0.0/crossplane.yaml': meta('Provider'),
  'packages/team/sql@v1.0.0/crd.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: dbs.example.org}
spec:
  group: example.org
  scope: Cluster
  names: {plural: dbs, kind: Db, singular: db, listKind: DbList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {zone: {type: string, maxLength: 2}}}}}}
`,
  'packages/team/net@v1.0.0/crossplane.yaml': meta('Configuration'),
  'packages/team/net@v1.0.0/xrd.yaml': `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: xnets.example.org}
spec:
  group: example.org
  names: {plural: xnets, kind: XNet}
  claimNames: {plural: nets, kind: Net}
  defaultCompositionRef: {name: std}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {zone: {type: string}}}}}}
`,
  'crossplane-packages.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
coreVersion: v2.3.4
packages: [{package: registry.example.org/team/sql}, {package: registry.example.org/team/net}]
`,
  'objects/composition.yaml': `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: other}
spec:
  compositeTypeRef: {apiVersion: example.org/v1, kind: XNet}
  mode: Pipeline
  pipeline:
  - step: compose
    functionRef: {name: function-patch-and-transform}
    input:
      apiVersion: pt.fn.crossplane.io/v1beta1
      kind: Resources
      resources:
      - name: db
        base: {apiVersion: example.org/v1, kind: Db}
        patches: [{type: FromCompositeFieldPath, fromFieldPath: spec.zone, toFieldPath: spec.zone}]
`,
})

it.each([
  ['the Composition that it names', '{zone: long, compositionRef: {name: other}}', ['spec.zone']],
  ['no other one than the default of the XRD, which a package has', '{zone: long}', []],
])('package validate renders a claim with %s', async (_with, spec, places) => {
  writeTree(home, {
    'objects/claim.yaml': `apiVersion: example.org/v1\nkind: Net\nmetadata: {name: a, namespace: a}\nspec: ${spec}\n`,
  })
  const flags = [
    ...['--declaration', join(home, 'crossplane-packages.yaml')],
    ...['--packages', join(home, 'packages'), '--offline', '-o', 'json'],
  ]
  const {stdout} = await runCli('package', 'validate', join(home, 'objects'), ...flags)
  const {findings} = JSON.parse(stdout) as {readonly findings: readonly {readonly message: string}[]}
  expect(findings.map(({message}) => message.split(':')[0])).toEqual(places)
})
