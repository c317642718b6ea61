import {describe, expect, it} from '@jest/globals'
import {type JsonValue, readYaml} from 'kubectl-crossplane/plugin'
import {schemaOf, schemaViolations} from '../../../test/json-schema.js'
import {readRings} from '../src/rings.js'

const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageRings\n'
const read = (text: string) => readRings(Buffer.from(text), 'rings.yaml')

function errorsOf(text: string): readonly string[] {
  try {
    read(text)
    return []
  } catch (error) {
    return (error as {diagnostics: readonly {message: string}[]}).diagnostics.map(({message}) => message)
  }
}

describe('the file of rings', () => {
  it('has rings of homes, in their order', () => {
    expect(
      read(`${HEAD}rings: [{name: a, homes: [{path: c/a, context: x}]}, {name: b, homes: [{path: c/b}]}]\n`),
    ).toEqual([
      {name: 'a', homes: [{path: 'c/a', context: 'x'}]},
      {name: 'b', homes: [{path: 'c/b'}]},
    ])
  })

  it('has a schema, which knows all fields', () => {
    const violations = (text: string): readonly unknown[] => {
      const value: JsonValue = readYaml(Buffer.from(text), 'rings.yaml')[0]?.value ?? null
      return schemaViolations(schemaOf('package-rings'), value)
    }
    expect(violations(ring('{path: c/a, context: x}'))).toEqual([])
    expect(violations(ring('{path: c/a, url: x}'))).not.toEqual([])
  })

  it.each([
    {name: 'another kind', in: 'rings: [{name: a, homes: [{path: a}]}]', want: 'not a PackageRings'},
    {name: 'no rings', in: `${HEAD}rings: []`, want: 'rings is not a list of 1 to 100'},
    {name: 'a path out of the folder', in: ring('{path: ../x}'), want: 'not a folder below'},
    {name: 'an absolute path', in: ring('{path: /etc}'), want: 'not a folder below'},
    {name: 'the folder of Git', in: ring('{path: a/.git/x}'), want: 'not a folder below'},
    {name: 'a control character', in: ring('{path: "a\\u001b[2J"}'), want: 'not a line of text'},
    {name: 'a direction of text', in: ring('{path: a, context: "x\\u202ey"}'), want: 'not a line of text'},
    {name: 'a home in two rings', in: ring('{path: a}, {path: a}'), want: 'the home "a" is listed twice'},
    {name: 'an unknown field', in: ring('{path: a, url: x}'), want: 'unknown field "url"'},
    {name: 'too many homes', in: ring('{path: a},'.repeat(1001)), want: 'not a list of 1 to 1000'},
  ])('must not have $name', ({in: text, want}) => {
    expect(errorsOf(text).join('\n')).toContain(want)
  })
})

function ring(homes: string): string {
  return `${HEAD}rings: [{name: a, homes: [${homes}]}]\n`
}
