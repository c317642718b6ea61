import {describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import type {JsonValue} from '../../src/yaml/json-value.js'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {type JsonSchema, schemaViolations} from '../json-schema.js'
import {FULL, HEAD, ONE} from './declarations.js'

describe('the published schema of a declaration', () => {
  const schema = JSON.parse(
    readFileSync('docs/schemas/package-declaration.v1alpha1.json', 'utf8'),
  ) as JsonSchema
  const valueOf = (text: string): JsonValue => readYaml(Buffer.from(text), 'x')[0]?.value ?? null

  it.each([
    {name: 'everything', reason: 'it is all described', in: FULL, want: 0},
    {name: 'the least', reason: 'nothing else is required', in: ONE, want: 0},
    {
      name: 'the example',
      reason: 'a declaration starts empty',
      in: readFileSync('examples/platform/crossplane-packages.yaml', 'utf8'),
      want: 0,
    },
    {name: 'an unknown field', reason: 'as when it is read', in: `${ONE}onwers: {}\n`, want: 1},
    {name: 'no packages', reason: 'entries can be in packages.d', in: HEAD, want: 0},
    {name: 'an unknown setting', reason: 'as when it is read', in: `${ONE}render: {noPin: true}\n`, want: 1},
    {name: 'another value', reason: 'as when it is read', in: `${ONE}render: {api: stack}\n`, want: 1},
    {name: 'another layout', reason: 'as when it is read', in: `${ONE}layout: helm\n`, want: 1},
    {name: 'an unknown setting of Flux', reason: 'as when it is read', in: `${ONE}flux: {url: a}\n`, want: 1},
  ])('$name: $reason', ({in: text, want}) => {
    expect(schemaViolations(schema, valueOf(text))).toHaveLength(want)
  })
})
