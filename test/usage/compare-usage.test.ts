import {describe, expect, it} from '@jest/globals'
import {compareUsage} from '../../src/usage/objects/compare-usage.js'
import {readObjects} from '../../src/usage/objects/read-objects.js'
import {crdSurface, type PackageSurface} from '../../src/usage/package-surface.js'
import {validateObjects} from '../../src/usage/validation/validate-objects.js'
import type {JsonObject} from '../../src/yaml/json-value.js'

function surface(fields: JsonObject, part: Partial<PackageSurface> = {}) {
  const schema = {type: 'object', properties: {spec: {type: 'object', properties: fields}}}
  const crd = {
    ...{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'},
    metadata: {name: 'dbs.example.org'},
    spec: {
      ...{group: 'example.org', scope: 'Cluster'},
      names: {plural: 'dbs', kind: 'Db', singular: 'db', listKind: 'DbList'},
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: schema}}],
    },
  }
  const facts = {permission: [], image: [], capability: [], dependency: [], function: [], composition: []}
  return [
    {
      ...{package: 'example/a', version: 'v1'},
      surface: {crds: [crdSurface(crd, 'crd')], facts, unread: [], ...part},
    },
  ]
}

const UNREAD = surface({}, {crds: [], unread: [{name: 'dbs.example.org', reason: 'no'}]})

function objects(...specs: readonly string[]) {
  const files = specs.map((spec, at) => ({
    path: `${at}.yaml`,
    bytes: Buffer.from(`apiVersion: example.org/v1\nkind: Db\nmetadata: {name: a}\nspec: ${spec}\n`),
  }))
  return readObjects(files)
}

function judged(
  before: ReturnType<typeof surface>,
  after: ReturnType<typeof surface>,
  ...specs: readonly string[]
) {
  const {findings, invalid, totals} = compareUsage(before, after, objects(...specs), {})
  return {
    findings: findings.map(({verdict, path}) => `${verdict} ${path}`.trim()),
    invalid: invalid.map(({path}) => path),
    totals: Object.fromEntries(Object.entries(totals).filter(([, total]) => total > 0)),
  }
}

const INTEGER = {size: {type: 'integer'}}
const TEXT = {size: {type: 'string'}}

describe('compareUsage', () => {
  it('does not judge a kind whose CRD could not be read', () => {
    const unread = {findings: ['unread'], invalid: [], totals: {unread: 1}}
    expect(judged(surface(TEXT), UNREAD, '{}')).toEqual(unread)
    expect(judged(UNREAD, surface(TEXT), '{}')).toEqual(unread)
    expect(judged(UNREAD, UNREAD, '{}')).toEqual(unread)
  })

  it('counts objects with the same name in several files', () => {
    const {totals} = judged(surface(TEXT), surface(INTEGER), '{size: a}', '{size: b}')
    expect(totals).toEqual({breaks: 2})
  })

  it.each([
    {name: 'a variable', spec: '{size: "${SIZE}"}'},
    {name: 'a variable beside text', spec: '{size: "a-${SIZE:=3}"}'},
    {name: 'a template', spec: '{size: "{{ .Values.size }}"}'},
    {name: 'a value that SOPS encrypted', spec: '{size: "ENC[AES256_GCM,data:a,iv:b,tag:c,type:int]"}'},
  ])('does not judge $name', ({spec}) => {
    const unread = {findings: ['unread spec.size'], invalid: [], totals: {unread: 1}}
    expect(judged(surface(TEXT), surface(INTEGER), spec)).toEqual(unread)
    const limited = surface({size: {type: 'integer', maximum: 3}})
    expect(judged(surface(INTEGER), limited, spec)).toEqual(unread)
    // Whatever it becomes has the same effect.
    const wider = surface({...INTEGER, zone: {type: 'string'}})
    expect(judged(surface(INTEGER), wider, spec)).toEqual({findings: [], invalid: [], totals: {}})
  })

  it('does not judge a key with a variable', () => {
    const {findings, invalid} = judged(surface(TEXT), surface(INTEGER), '{"${KEY}": 1}')
    expect({findings, invalid}).toEqual({findings: ['unread spec["${KEY}"]'], invalid: []})
  })

  it('judges what no variable changes', () => {
    const {findings, invalid} = judged(surface(TEXT), surface(INTEGER), '{size: {a: "${A}"}, zone: "${Z}"}')
    expect({findings, invalid}).toEqual({findings: [], invalid: ['spec.size.a', 'spec.zone', 'spec.size']})
  })
})

describe('validateObjects', () => {
  const validated = (packages: ReturnType<typeof surface>, spec: string) => {
    const {findings, unread} = validateObjects(packages, objects(spec), {allowUnknown: []})
    return {findings: findings.map(({rule}) => rule), unread: unread.map(({path = ''}) => path)}
  }

  it('does not judge a kind whose CRD could not be read', () => {
    expect(validated(UNREAD, '{}')).toEqual({findings: [], unread: ['']})
  })

  it.each([
    {name: 'the first of two definitions', inactive: [false, false], want: ['invalid']},
    {name: 'the active one after an inactive one', inactive: [true, false], want: []},
    {name: 'the active one before an inactive one', inactive: [false, true], want: ['invalid']},
  ])('takes $name of a kind', ({inactive, want}) => {
    const packages = [surface(INTEGER), surface(TEXT)].flatMap((own, at) =>
      own.map(each => {
        const crds = each.surface.crds.map(crd => ({...crd, isInactive: inactive[at] === true}))
        return {...each, surface: {...each.surface, crds}}
      }),
    )
    expect(validated(packages, '{size: text}')).toEqual({findings: want, unread: []})
  })

  it.each(['${SIZE}', '{{ .Values.size }}'])('does not judge %s', text => {
    expect(validated(surface(INTEGER), `{size: "${text}"}`)).toEqual({findings: [], unread: ['spec.size']})
    expect(validated(surface(INTEGER), `{size: {a: "${text}"}}`)).toEqual({
      findings: ['invalid', 'unknown-field'],
      unread: [],
    })
  })
})
