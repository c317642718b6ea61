import {describe, expect, it} from '@jest/globals'
import {judgeShared, type ObjectHolder, sharedObjects} from '../../../src/resolve/xpkg/shared-objects.js'
import {examineXpkg} from '../../../src/xpkg/content/examine-xpkg.js'

const CRD = (name: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${name}.example.org}
spec:
  group: example.org
  scope: Cluster
  names: {plural: ${name}, singular: one${name}, kind: K${name}}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
const XRD = (plural: string, claims = '') => `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: ${plural}.example.org}
spec:
  group: example.org
  names: {plural: ${plural}, kind: X}
${claims === '' ? '' : `  claimNames: {plural: ${claims}, kind: C}\n`}  versions: [{name: v1, served: true, referenceable: true, schema: {openAPIV3Schema: {type: object}}}]
`
const COMPOSITION = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: c}
spec: {compositeTypeRef: {apiVersion: example.org/v1, kind: X}, mode: Pipeline, pipeline: []}
`
const WEBHOOK = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: crossplane-validation}
`

function holder(repository: string, kind: string, ...objects: readonly string[]): ObjectHolder {
  const metadata = `apiVersion: meta.pkg.crossplane.io/v1\nkind: ${kind}\nmetadata: {name: p}\n`
  const files = [{path: 'package.yaml', bytes: Buffer.from([metadata, ...objects].join('---\n'))}]
  return {repository, kind, objects: examineXpkg(files).xpkg?.objects ?? []}
}

describe('sharedObjects', () => {
  it.each([
    {
      name: 'a CRD of two providers',
      holders: [holder('h/a', 'Provider', CRD('as')), holder('h/b', 'Provider', CRD('as'), CRD('bs'))],
      want: [{object: 'CustomResourceDefinition as.example.org', repositories: ['h/a', 'h/b']}],
    },
    {
      name: 'the claims of an XRD and a CRD',
      holders: [holder('h/a', 'Configuration', XRD('xs', 'as')), holder('h/b', 'Provider', CRD('as'))],
      want: [{object: 'CompositeResourceDefinition xs.example.org', repositories: ['h/a', 'h/b']}],
    },
    {
      name: 'a Composition',
      holders: [holder('h/a', 'Configuration', COMPOSITION), holder('h/b', 'Configuration', COMPOSITION)],
      want: [{object: 'Composition c', repositories: ['h/a', 'h/b']}],
    },
    {
      name: 'a definition of an active revision',
      holders: [
        holder('h/a', 'Provider', CRD('as')),
        {
          repository: 'h/b',
          kind: 'Provider',
          objects: [
            {
              apiVersion: 'apiextensions.crossplane.io/v1alpha1',
              kind: 'ManagedResourceDefinition',
              name: 'as.example.org',
            },
          ],
        },
      ],
      want: [{object: 'CustomResourceDefinition as.example.org', repositories: ['h/a', 'h/b']}],
    },
    {
      name: 'webhooks, which Crossplane names after the package',
      holders: [holder('h/a', 'Provider', WEBHOOK), holder('h/b', 'Provider', WEBHOOK)],
      want: [],
    },
    {
      name: 'CRDs of Functions for a Crossplane that does not install them',
      holders: [holder('h/a', 'Function', CRD('as')), holder('h/b', 'Function', CRD('as'))],
      want: [],
    },
    {
      name: 'CRDs of Functions for a Crossplane that installs them',
      holders: [holder('h/a', 'Function', CRD('as')), holder('h/b', 'Function', CRD('as'))],
      coreVersion: 'v2.2.0',
      want: [{object: 'CustomResourceDefinition as.example.org', repositories: ['h/a', 'h/b']}],
    },
    {
      name: 'different CRDs',
      holders: [holder('h/a', 'Provider', CRD('as')), holder('h/b', 'Provider', CRD('bs'))],
      want: [],
    },
  ])('$name', ({holders, coreVersion, want}) => {
    expect(sharedObjects(holders, coreVersion)).toEqual(want)
  })
})

describe('judgeShared', () => {
  const shared = [{object: 'CustomResourceDefinition as.example.org', repositories: ['h/a', 'h/b']}]
  const of = (former: Readonly<Record<string, ObjectHolder | undefined>>) => ({
    objectsOf: (repository: string) => Promise.resolve(former[repository]?.objects),
    coreVersion: undefined,
  })
  const [a, b] = [holder('h/a', 'Provider', CRD('as')), holder('h/b', 'Provider', CRD('as'))]

  it('warns of what the set had before', async () => {
    const warnings = await judgeShared(shared, new Map(), of({'h/a': a, 'h/b': b}))
    expect(warnings).toMatchObject([{severity: 'warning', rule: 'xpkg-shared-object'}])
  })

  it.each([
    {name: 'nothing', former: {}},
    {name: 'one of them', former: {'h/a': a}},
    {name: 'both, one without the object', former: {'h/a': a, 'h/b': holder('h/b', 'Provider', CRD('bs'))}},
  ])('rejects what a set that had $name introduces', async ({former}) => {
    const requirers = new Map([['h/b', ['h/app:v1.0.0']]])
    await expect(judgeShared(shared, requirers, of(former))).rejects.toMatchObject({
      code: 'ambiguous-owner',
      diagnostics: [{rule: 'xpkg-shared-object', message: expect.stringContaining('h/app:v1.0.0')}],
    })
  })
})
