import {describe, expect, it} from '@jest/globals'
import {acceptedImpacts} from '../../../src/usage/objects/accepted-impact.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {CHANGES, COMPOSITE_CHANGES} from './composition-changes.js'
import {step} from './composition-fixtures.js'
import {
  compositeImpact,
  composing,
  compositionOf,
  crdOf,
  FIELDS,
  impact,
  impactOf,
  packageOf,
  patched,
  patchTo,
  provider,
  staged,
  TEXT,
  UNLABELED,
  XRD,
} from './impact-fixtures.js'

/** A composite resource. */
const shop = (name: string, of = 'one') => `---
apiVersion: town.example/v1
kind: Shop
metadata: {name: ${of}, namespace: a}
spec: {name: ${name}}
`

const within = (path: string) => path.replace(/^spec\.pipeline\[0\]\.input\.resources\[0\]\.?/, '')
const effects = (...args: Parameters<typeof impact>) =>
  impact(...args).findings.map(({verdict, path}) => `${verdict} ${within(path)}`.trim())

describe('impact on Compositions', () => {
  it.each(CHANGES)('finds $name', ({in: text, before = {}, after, want}) => {
    expect(effects(text, before, after).toSorted()).toEqual(want)
  })

  it.each(COMPOSITE_CHANGES)('finds $name of the composite resource', ({in: text, before, after, want}) => {
    const {findings} = compositeImpact(text, before, after)
    expect(findings.map(({verdict, path}) => `${verdict} ${within(path)}`)).toEqual(want)
  })

  it.each([
    {name: 'that is new', unread: []},
    {name: 'that could not be read before', unread: [{name: 'ovens.kit.example', reason: 'a'}]},
  ])('reports nothing else of a kind $name', ({unread}) => {
    const [kit] = provider({})
    const before = {...packageOf('example/kitchen', []), version: 'v0'}
    const old = {...before, surface: {...before.surface, unread}}
    const text = composing(
      '{label: 3, oven: 3}',
      `patches: [${patchTo('spec.nope')}, ${patchTo('spec.trays')}],
      readinessChecks: [{type: MatchString, fieldPath: status.nope, matchString: a}],
      connectionDetails: [{name: door, type: FromFieldPath, fromFieldPath: status.nope}]`,
    )
    const check = 'readinessChecks: [{type: MatchString, fieldPath: status.nope, matchString: a}]'
    const now = kit === undefined ? [] : [kit]
    const findings = [text, staged('{label: 3}', check)].flatMap(own => impactOf(own, [old], now).findings)
    expect(findings.map(({verdict, path}) => `${verdict} ${within(path)}`)).toEqual([
      'unread base',
      'unread base',
    ])
  })

  it('reports a field of the composite resource beside a kind that is new', () => {
    const shopOf = (fields: JsonObject) => packageOf('x/shops', [crdOf('Shop', {fields})])
    const text = patched('spec.name', 'spec.nope').slice(XRD.length).replace('town.example', 'kit.example')
    const findings = impactOf(text, [shopOf({name: TEXT})], [...provider({}), shopOf({})]).findings
    expect(findings.map(({verdict, path}) => `${verdict} ${within(path)}`)).toEqual([
      'lost patches[0].fromFieldPath',
      'unread base',
    ])
  })

  it('lists the steps of other functions as unread', () => {
    const other = '{step: other, functionRef: {name: function-kcl}, input: {source: a}}'
    expect(effects(compositionOf(other), {}, {})).toEqual(['unread spec.pipeline[0]'])
  })

  it('renders the composite resources among the objects', () => {
    const text = (name: string) => `${patched('spec.name', 'spec.label')}${shop(name)}`
    const after = {fields: {...FIELDS, label: {...TEXT, enum: ['a']}}}
    expect(effects(text('a'), {}, after)).toEqual(['meaning patches[0]'])
    expect(effects(text('b'), {}, after)).toContain('breaks patches[0].toFieldPath')
  })

  it('finds a composite resource that is newly rejected beside one that was', () => {
    const text = patched('spec.name', 'spec.label') + shop('z') + shop('b', 'two') + shop('b', 'three')
    const of = (names: readonly string[]) => ({fields: {...FIELDS, label: {...TEXT, enum: names}}})
    const {findings, totals, invalid} = impact(text, of(['a', 'b']), of(['a']))
    expect(totals.breaks).toBe(1)
    expect(findings.map(({message}) => message)).toContain(
      'spec.label: it must be "a" (Shop a/two and 1 more)',
    )
    expect(invalid.map(({message}) => message)).toEqual(['spec.label: it must be "a" or "b" (Shop a/one)'])
  })

  it('names the package of the composed resource, and counts the Composition', () => {
    const {findings, read, totals, invalid} = impact(
      composing('{zone: a, label: a}'),
      {},
      {fields: UNLABELED},
    )
    expect(new Set(findings.map(one => one.package))).toEqual(new Set(['example/kitchen']))
    expect(read.judged).toBe(1)
    expect(totals).toMatchObject({breaks: 1, lost: 1, unread: 0})
    expect(invalid.map(({path}) => within(path))).toEqual(['base.spec.zone'])
  })
})

/** A Composition of a template that names these kinds, the XRD of which is in a package. */
const templated = (...kinds: readonly string[]) => {
  const template = kinds.map(kind => `apiVersion: kit.example/v1\nkind: ${kind}\n`).join('---\n')
  const input = {apiVersion: 'fn.example/v1', kind: 'Input', inline: {template}, base: {a: 'b'}}
  return compositionOf(
    `{step: t, functionRef: {name: function-go-templating}, input: ${JSON.stringify(input)}}`,
  )
}
const kinds = (...names: readonly string[]) => names.map(name => crdOf(name, {}))

describe('impact on what other functions compose', () => {
  it.each([
    {name: 'one kind, beside one that no package defines', of: ['Oven', 'Pan', 'Other'], after: ['Pan']},
    {name: 'one kind, beside one that stays', of: ['Oven', 'Pan'], after: ['Pan']},
    {name: 'all kinds', of: ['Oven', 'Pan'], after: []},
  ])('finds the loss of $name', ({of, after}) => {
    const [old, now] = [['Oven', 'Pan'], after].map(names => [packageOf('x/kit', kinds(...names))])
    const {findings} = impactOf(templated(...of), old ?? [], now ?? [])
    const lost = findings.filter(({verdict}) => verdict === 'unserved')
    expect(lost.map(({composed, package: name}) => [composed?.kind, name])).toEqual(
      ['Oven', 'Pan'].filter(kind => !after.includes(kind)).map(kind => [kind, 'x/kit']),
    )
  })

  it('accepts the loss of one kind, and not that of another', () => {
    const hashes = ['Oven', 'Pan'].map(kind => {
      const {findings} = impactOf(templated(kind), [packageOf('x/kit', kinds('Oven', 'Pan'))], [])
      const stopping = findings.filter(({verdict}) => verdict === 'unserved')
      return acceptedImpacts(stopping, new Map([['x/kit', 'a']]), new Map())['x/kit']?.hash
    })
    expect(new Set(hashes).size).toBe(2)
  })

  it('accepts what one composite resource shows, and not what another one does', () => {
    const narrow = {fields: {...FIELDS, trays: {type: 'integer', maximum: 5}}}
    const from = (...shops: readonly string[]) => {
      const {findings} = impact(`${patched('spec.size', 'spec.trays')}${shops.join('')}`, {}, narrow)
      const stopping = findings.filter(({verdict}) => verdict === 'breaks')
      const hash = acceptedImpacts(stopping, new Map(), new Map())['example/kitchen']?.hash
      return {hash, shown: stopping.map(({composites}) => composites?.map(({name}) => name))}
    }
    const sized = (name: string, size: number) => `---
apiVersion: town.example/v1
kind: Shop
metadata: {name: ${name}, namespace: a}
spec: {size: ${size}}
`
    const [one, again] = [from(sized('a', 9)), from(sized('a', 8), sized('b', 2))]
    const [two, order] = [from(sized('a', 9), sized('c', 7)), from(sized('c', 7), sized('a', 9))]
    expect([one.shown, two.shown]).toEqual([[['a']], [['a', 'c']]])
    expect([again.hash, order.hash]).toEqual([one.hash, two.hash])
    expect(two.hash).not.toBe(one.hash)
  })

  it('calls a field that the schema of an input drops lost', () => {
    const input = (base: JsonObject) => {
      const properties = {inline: {type: 'object', properties: {template: TEXT}}, base}
      const schema = {openAPIV3Schema: {type: 'object', properties}}
      return [packageOf('x/fn', [crdOf('Input', {version: {schema}}, 'function-input')])]
    }
    const text = templated().replaceAll('fn.example', 'kit.example')
    const {findings} = impactOf(
      text,
      input({type: 'object', properties: {a: TEXT}}),
      input({type: 'object', properties: {}}),
    )
    expect(findings.map(({verdict, path, package: name}) => [verdict, path, name])).toEqual([
      ['lost', 'spec.pipeline[0].input.base.a', 'x/fn'],
      ['unread', 'spec.pipeline[0]', 'x/fn'],
    ])
  })
})

describe('the package of an effect on a Composition', () => {
  const shops = (fields: JsonObject) => packageOf('x/shops', [crdOf('Shop', {fields})])
  const [named, unnamed]: readonly [JsonObject, JsonObject] = [{name: TEXT}, {}]
  const text = (steps: string) =>
    compositionOf(steps).slice(XRD.length).replace('town.example/v1', 'kit.example/v1')
  const patches =
    'patches: [{type: FromCompositeFieldPath, fromFieldPath: spec.name, toFieldPath: spec.label}]'
  const base = 'base: {apiVersion: kit.example/v1, kind: Oven, spec: {}}'
  const own = text(step(`resources: [{name: oven, ${base}, ${patches}}]`))
  const later = text(
    `${step(`resources: [{name: oven, ${base}}]`)}, ${step(`resources: [{name: oven, ${patches}}]`, 'more')}`,
  )
  it.each([
    {name: 'the composite resource', in: own, fields: FIELDS, xrd: unnamed, want: 'x/shops'},
    {name: 'the composed resource', in: own, fields: UNLABELED, xrd: named, want: 'x/kit'},
    {name: 'the one of an earlier step', in: later, fields: UNLABELED, xrd: named, want: 'x/kit'},
  ])('is that of $name where it changes', ({in: composition, fields, xrd, want}) => {
    const {findings} = impactOf(
      composition,
      [packageOf('x/kit', [crdOf('Oven', {})]), shops(named)],
      [packageOf('x/kit', [crdOf('Oven', {fields})]), shops(xrd)],
    )
    const stopping = findings.filter(({verdict}) => verdict === 'breaks' || verdict === 'lost')
    expect(stopping.map(finding => finding.package)).toEqual([want])
  })
})
