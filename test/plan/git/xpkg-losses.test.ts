import {expect, it} from '@jest/globals'
import {setLosses, type XpkgVersion} from '../../../src/plan/git/xpkg-losses.js'
import {examineXpkg} from '../../../src/xpkg/content/examine-xpkg.js'

const KIND = 'Bucket'
const crd = (...served: readonly string[]) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: buckets.example.org}
spec:
  group: example.org
  scope: Cluster
  names: {plural: buckets, singular: bucket, kind: ${KIND}}
  versions:
${served.map((name, i) => `  - {name: ${name}, served: true, storage: ${i === 0}, schema: {openAPIV3Schema: {type: object}}}\n`).join('')}`
const composition = (step: string) => `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: c}
spec:
  compositeTypeRef: {apiVersion: example.org/v1, kind: X}
  mode: Pipeline
  pipeline:
  - step: one
    functionRef: {name: ${step}}
    input:
      apiVersion: pt.fn.crossplane.io/v1beta1
      kind: Resources
      resources: [{name: b, base: {apiVersion: example.org/v1, kind: ${KIND}}}]
`
const POLICY = `apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceActivationPolicy
metadata: {name: mine}
spec: {activate: ['*']}
`

function version(
  kind: string,
  objects: readonly string[] = [],
  capabilities: readonly string[] = [],
): XpkgVersion {
  const metadata = `apiVersion: meta.pkg.crossplane.io/v1\nkind: ${kind}\nmetadata: {name: p}\n`
  const bytes = Buffer.from([metadata, ...objects].join('---\n'))
  return {kind, capabilities, objects: examineXpkg([{path: 'package.yaml', bytes}]).xpkg?.objects ?? []}
}

const pipeline = '{mode: Pipeline, pipeline: [{step: one, functionRef: {name: acme-function-a}}]}'
const OPERATIONS = [
  {kind: 'Operation', spec: pipeline},
  {kind: 'CronOperation', spec: `{schedule: '* * * * *', operationTemplate: {spec: ${pipeline}}}`},
  {
    kind: 'WatchOperation',
    spec: `{watch: {apiVersion: v1, kind: Secret}, operationTemplate: {spec: ${pipeline}}}`,
  },
].map(({kind, spec}) => ({
  kind,
  config: version('Configuration', [
    `apiVersion: ops.crossplane.io/v1alpha1\nkind: ${kind}\nmetadata: {name: o}\nspec: ${spec}\n`,
  ]),
}))

const NO_KEPT = new Map<string, readonly string[]>()
const config = version('Configuration', [composition('acme-function-a'), POLICY])
const provider = version('Provider', [crd('v1')])
const fn = version('Function', [], ['composition'])
const inert = version('Function', [], ['operation'])
const newer = version('Provider', [crd('v2')])

it.each([
  {
    name: 'a function that leaves',
    changes: [{repository: 'h.io/acme/function-a', versions: 'v1', before: fn, kept: NO_KEPT}],
    after: [
      {repository: 'h.io/config', ...config},
      {repository: 'h.io/provider', ...provider},
    ],
    want: [{rule: 'xpkg-function-lost', lost: 'Function acme-function-a', by: ['Composition c']}],
  },
  {
    name: 'a function that loses its capability',
    changes: [
      {repository: 'h.io/acme/function-a', versions: 'v1 -> v2', before: fn, kept: NO_KEPT, after: inert},
    ],
    after: [
      {repository: 'h.io/config', ...config},
      {repository: 'h.io/provider', ...provider},
      {repository: 'h.io/acme/function-a', ...inert},
    ],
    want: [{rule: 'xpkg-capability-lost', lost: 'Function acme-function-a', by: ['Composition c']}],
  },
  {
    name: 'a version of a composed kind that is not served any more',
    changes: [
      {repository: 'h.io/provider', versions: 'v1 -> v2', before: provider, kept: NO_KEPT, after: newer},
    ],
    after: [
      {repository: 'h.io/config', ...config},
      {repository: 'h.io/acme/function-a', ...fn},
      {repository: 'h.io/provider', ...newer},
    ],
    want: [{rule: 'xpkg-kind-lost', lost: 'Bucket.example.org/v1', by: ['Composition c']}],
  },
  {
    name: 'a composed kind whose provider leaves',
    changes: [{repository: 'h.io/provider', versions: 'v1', before: provider, kept: NO_KEPT}],
    after: [
      {repository: 'h.io/config', ...config},
      {repository: 'h.io/acme/function-a', ...fn},
    ],
    want: [{rule: 'xpkg-kind-lost', lost: 'Bucket.example.org/v1', by: ['Composition c']}],
  },
  {
    name: 'an activation policy',
    changes: [
      {
        ...{repository: 'h.io/config', versions: 'v1 -> v2', before: config, kept: NO_KEPT},
        after: version('Configuration'),
      },
    ],
    after: [{repository: 'h.io/config', ...version('Configuration')}],
    want: [{rule: 'xpkg-policy-lost', lost: 'ManagedResourceActivationPolicy mine', by: []}],
  },
  {
    name: 'nothing where another package takes over, or the former version cannot be read',
    changes: [
      {repository: 'h.io/provider', versions: 'v1', before: provider, kept: NO_KEPT},
      {
        repository: 'h.io/config',
        versions: 'v1 -> v2',
        before: {reason: 'gone'},
        after: config,
        kept: NO_KEPT,
      },
    ],
    after: [
      {repository: 'h.io/config', ...config},
      {repository: 'h.io/other', ...provider},
      {repository: 'h.io/acme/function-a', ...fn},
    ],
    want: [],
  },
])('finds $name', ({changes, after, want}) => {
  const losses = setLosses({changes, after})
  expect(losses).toMatchObject(want)
  expect(losses).toHaveLength(want.length)
})

it.each(OPERATIONS)('finds the function that a $kind calls', ({kind, config: calling}) => {
  const others = [{repository: 'h.io/config', ...calling}]
  const change = {repository: 'h.io/acme/function-a', versions: 'v1', kept: NO_KEPT}
  const lost = (before: XpkgVersion, after?: XpkgVersion) =>
    setLosses({
      changes: [{...change, before, ...(after === undefined ? {} : {after})}],
      after: [...others, ...(after === undefined ? [] : [{repository: change.repository, ...after}])],
    }).map(({rule, of, by}) => ({rule, of, by}))
  const by = [`${kind} o`]
  expect(lost(inert)).toMatchObject([{rule: 'xpkg-function-lost', by}])
  const of = 'loses the capability operation'
  expect(lost(inert, fn)).toEqual([{rule: 'xpkg-capability-lost', of, by}])
  expect(lost(fn, version('Function', [], ['Composition', 'Operation']))).toEqual([])
  expect(lost(inert, version('Function', [], []))).toEqual([])
})

it('compares capabilities as a core does', () => {
  const after = version('Function', [], ['Com-Position'])
  const change = {repository: 'h.io/acme/function-a', versions: 'v1 -> v2', before: fn, kept: NO_KEPT, after}
  const set = [
    {repository: 'h.io/config', ...config},
    {repository: 'h.io/provider', ...provider},
    {repository: 'h.io/acme/function-a', ...after},
  ]
  expect(setLosses({changes: [change], after: set})).toEqual([])
})
