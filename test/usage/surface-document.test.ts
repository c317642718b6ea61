import {describe, expect, it} from '@jest/globals'
import {createHash} from 'node:crypto'
import {cachedSurface} from '../../src/package/xpkg/cached-surface.js'
import {surfaceOfXpkg} from '../../src/package/xpkg/surface.js'
import {
  SURFACE_FORMAT,
  surfaceDocument,
  surfaceKey,
  surfaceOfDocument,
} from '../../src/usage/surface-document.js'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {present} from '../outcome.js'

const crd = (
  kind: string,
  fields: string,
  role = 'apiextensions.k8s.io/v1\nkind: CustomResourceDefinition',
) =>
  `apiVersion: ${role}
metadata: {name: ${kind.toLowerCase()}s.example.org}
spec:
  group: example.org
  scope: Cluster
  names: {plural: ${kind.toLowerCase()}s, kind: ${kind}, singular: ${kind.toLowerCase()}, listKind: ${kind}List}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, description: It, properties: {spec: {type: object, properties: {${fields}}}}}}
`
const MRD = 'apiextensions.crossplane.io/v1alpha1\nkind: ManagedResourceDefinition'
const meta = (kind: string) =>
  `apiVersion: meta.pkg.crossplane.io/v1\nkind: ${kind}\nmetadata: {name: a}\nspec: {capabilities: [safe-start]}\n`
const XRD = `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: xnets.example.org}
spec:
  group: example.org
  names: {plural: xnets, kind: XNet}
  claimNames: {plural: nets, kind: Net}
  connectionSecretKeys: [a]
  versions: [{name: v1, served: true, referenceable: true, schema: {openAPIV3Schema: {type: object}}}]
`
const COMPOSITION = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: nets}
spec:
  compositeTypeRef: {apiVersion: example.org/v1, kind: XNet}
  mode: Pipeline
  pipeline:
  - step: a
    functionRef: {name: function-patch-and-transform}
    input: {apiVersion: pt.fn.crossplane.io/v1beta1, kind: Resources, resources: [{name: q, base: {apiVersion: example.org/v1, kind: Db}}]}
  - {step: b, functionRef: {name: function-other}}
`
const POLICY = `apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceActivationPolicy
metadata: {name: p}
spec: {activate: ['*']}
`

const located = (...texts: readonly string[]) => ({
  ...{name: 'p', readFrom: 'p', repositoryPath: 'p'},
  files: texts.map((text, at) => ({
    path: at === 0 ? 'crossplane.yaml' : `${at}.yaml`,
    bytes: Buffer.from(text),
  })),
})
const PACKAGES = [
  located(
    meta('Provider'),
    crd('Db', 'a: {type: integer, default: 3}'),
    crd('Mine', 'a: {type: string}', MRD),
  ),
  located(meta('Configuration'), XRD, COMPOSITION, POLICY),
  located(meta('Function'), crd('Input', 'a: {type: boolean}')),
]

/** A cache in memory, with what it was asked. */
function memory() {
  const documents = new Map<string, JsonObject>()
  const cache = {
    surface: (key: string) => Promise.resolve(documents.get(key)),
    rememberSurface: (key: string, document: JsonObject) => {
      documents.set(key, JSON.parse(JSON.stringify(document)) as JsonObject)
      return Promise.resolve()
    },
  }
  return {documents, cache}
}

describe('what was read of a package', () => {
  it.each([false, true])('is the same from a cache, described: %s', async isDescribed => {
    const {cache, documents} = memory()
    for (const one of PACKAGES) {
      const surface = surfaceOfXpkg(one, {isDescribed})
      expect(await cachedSurface(one, {isDescribed, cache})).toEqual(surface)
      expect(await cachedSurface(one, {isDescribed, cache})).toEqual(surface)
    }
    expect(documents.size).toBe(3)
  })

  it('has whole Compositions if they are requested, from a document of their own', async () => {
    const {cache, documents} = memory()
    const one = located(meta('Configuration'), XRD, COMPOSITION)
    const plain = await cachedSurface(one, {cache})
    expect(plain).toEqual(surfaceOfXpkg(one))
    const read = async () => await cachedSurface(one, {cache, hasCompositions: true})
    const whole = await read()
    expect(whole).toEqual({...plain, compositions: [expect.objectContaining({kind: 'Composition'})]})
    expect(await read()).toEqual(whole)
    expect(await cachedSurface(one, {hasCompositions: true})).toEqual(whole)
    const [key = '', ...others] = [...documents.keys()].filter(name => name.endsWith(' compositions'))
    expect({others, documents: documents.size}).toEqual({others: [], documents: 2})
    documents.set(key, {compositions: [1]})
    expect(await read()).toEqual(whole)
  })

  it('has another key for other content, and for other parts of it', () => {
    const [first, ...others] = PACKAGES.map(({files}) => surfaceKey(files, {}))
    const file = (path: string, text: string) => ({path, bytes: Buffer.from(text)})
    const keys = [
      ...[present(first), ...others, surfaceKey(present(PACKAGES[0]).files, {isDescribed: true})],
      surfaceKey([file('a', 'bc')], {}),
      surfaceKey([file('ab', 'c')], {}),
      surfaceKey([file('a', 'b'), file('c', '')], {}),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })

  // What was cached by another format would be read as this one.
  it('has another format if it is read in another way', () => {
    const documents = PACKAGES.map(one => surfaceDocument(surfaceOfXpkg(one)))
    const hash = createHash('sha256').update(JSON.stringify(documents)).digest('hex')
    expect({format: SURFACE_FORMAT, hash}).toEqual({
      format: 5,
      hash: '7a5ad7c5ffc23a9be55be39fc1d1249baa01a4b695db28b6ba4413a8cbd628e6',
    })
  })

  it('shares specs that two packages have', async () => {
    const {cache} = memory()
    const [same, other] = [crd('Db', 'a: {type: integer}'), crd('Net', 'a: {type: string}')]
    const releases = [located(meta('Provider'), same), located(meta('Provider'), other, same)]
    const read = async () => {
      const specs = new Map()
      const [old, now] = [
        await cachedSurface(present(releases[0]), {cache, specs}),
        await cachedSurface(present(releases[1]), {cache, specs}),
      ]
      return {isShared: old.crds[0]?.spec === now.crds[1]?.spec, old, now}
    }
    const {old, now} = await read()
    expect(await read()).toEqual({isShared: true, old, now})
  })

  it('is not cached with an integer that JSON cannot have', async () => {
    const {cache, documents} = memory()
    const one = located(meta('Provider'), crd('Db', 'a: {type: integer, default: 18446744073709551615}'))
    expect(await cachedSurface(one, {cache})).toEqual(surfaceOfXpkg(one))
    expect(documents.size).toBe(0)
  })

  const deep = (levels: number): JsonObject => (levels === 0 ? {} : {properties: {a: deep(levels - 1)}})

  it.each<readonly [string, (document: JsonObject) => JsonObject]>([
    ['nothing', () => ({})],
    ['CRDs that are no list', document => ({...document, crds: {}})],
    ['a CRD without a name', document => ({...document, crds: [{kind: 'A'}]})],
    ['a CRD of no source', ({crds, ...document}) => ({...document, crds: [{...first(crds), source: 'x'}]})],
    [
      'a choice of Compositions that is unknown',
      ({crds, ...document}) => ({...document, crds: [{...first(crds), choice: {enforced: 1}}]}),
    ],
    ['a CRD that is text', document => ({...document, crds: ['a']})],
    [
      'a schema of any depth',
      ({crds, ...document}) => ({...document, crds: [{...first(crds), spec: JSON.stringify(deep(200))}]}),
    ],
    ['a spec that is no JSON', ({crds, ...document}) => ({...document, crds: [{...first(crds), spec: '{'}]})],
    [
      'a spec that is no object',
      ({crds, ...document}) => ({...document, crds: [{...first(crds), spec: '1'}]}),
    ],
    ['facts that are no texts', document => ({...document, facts: {permission: [1]}})],
    ['no facts', ({facts: _facts, ...document}) => document],
    [
      'policies without a name',
      ({activation, ...document}) => ({
        ...document,
        activation: {...(activation as JsonObject), policies: [{}]},
      }),
    ],
    [
      'a Composition without uses',
      ({activation, ...document}) => ({
        ...document,
        activation: {...(activation as JsonObject), compositions: [{kind: 'a', name: 'b', file: 'c'}]},
      }),
    ],
    [
      'objects without a role',
      ({activation, ...document}) => ({
        ...document,
        activation: {...(activation as JsonObject), objects: [{name: 'a'}]},
      }),
    ],
  ])('is read again in place of a document with %s', async (_name, change) => {
    const one = present(PACKAGES[0])
    const surface = surfaceOfXpkg(one)
    const hostile = change(present(surfaceDocument(surface)))
    expect(surfaceOfDocument(hostile)).toBeUndefined()
    const {cache, documents} = memory()
    documents.set(surfaceKey(one.files, {}), hostile)
    expect(await cachedSurface(one, {cache})).toEqual(surface)
  })
})

function first(crds: JsonObject[string] | undefined): JsonObject {
  return (crds as readonly JsonObject[])[0] ?? {}
}
