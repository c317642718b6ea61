import {describe, expect, it} from '@jest/globals'
import {composedKinds} from '../../../src/xpkg/content/composed-kinds.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'

const step = (name: string, input?: JsonObject): JsonObject => ({
  step: name,
  functionRef: {name},
  ...(input === undefined ? {} : {input}),
})
const base = {apiVersion: 'sql.example.org/v1', kind: 'Database'}
const pt = {apiVersion: 'pt.fn.crossplane.io/v1beta1', kind: 'Resources', resources: [{name: 'a', base}]}
const template = (text: string) => ({
  apiVersion: 'gotemplating.fn.crossplane.io/v1beta1',
  inline: {template: text},
})
const TEXT =
  'apiVersion: a.example.org/v1\nkind: One\n---\nkind: "Two"\napiVersion: {{ $x }}\n---\n  kind: Three\n  apiVersion: a.example.org/v1\n'

interface Row {
  readonly name: string
  readonly pipeline: readonly JsonObject[]
  readonly kinds: readonly string[]
  readonly unread: readonly string[]
}

const rows: readonly Row[] = [
  {
    name: 'patches and transforms are read completely',
    pipeline: [step('function-patch-and-transform', pt), step('crossplane-contrib-function-auto-ready')],
    kinds: ['sql.example.org/Database'],
    unread: [],
  },
  {
    name: 'so are inputs of any kind of the same function',
    pipeline: [
      step('crossplane-contrib-function-patch-and-transform', {...pt, apiVersion: 'own.example.org/v1'}),
    ],
    kinds: ['sql.example.org/Database'],
    unread: [],
  },
  {
    name: 'templates show kinds, and can compose others',
    pipeline: [step('function-go-templating', template(TEXT))],
    kinds: ['a.example.org/One', 'a.example.org/Three'],
    unread: ['function-go-templating'],
  },
  {
    name: 'an unknown function can compose anything',
    pipeline: [step('function-own'), step('function-own')],
    kinds: [],
    unread: ['function-own'],
  },
]

describe('the kinds that a Composition composes', () => {
  it.each(rows)('$name', ({pipeline, kinds, unread}) => {
    const composed = composedKinds({spec: {mode: 'Pipeline', pipeline}})
    expect({
      kinds: composed.kinds.map(({group, kind}) => `${group}/${kind}`),
      unread: composed.unread,
    }).toEqual({
      kinds,
      unread,
    })
  })

  it('without a pipeline are its bases', () => {
    expect(composedKinds({spec: {resources: [{base}]}}).kinds).toEqual([
      {group: 'sql.example.org', version: 'v1', kind: 'Database'},
    ])
  })
})
