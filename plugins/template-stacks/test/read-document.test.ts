import {describe, expect, it} from '@jest/globals'
import {readRenderedText} from '../src/objects/read-document.js'

const CONFIG = 'apiVersion: v1\nkind: ConfigMap\n'

interface Case {
  readonly name: string
  readonly in: string
  readonly want: readonly string[]
  readonly errors?: readonly (readonly [message: string, line: number])[]
}

/** Lines of the template are ten more than those of the text. */
const read = (text: string) =>
  readRenderedText({file: 'a.yaml', text, document: 2, placeOf: line => ({file: 'a.yaml', line: line + 10})})

describe('a rendered text', () => {
  it.each<Case>([
    {name: 'an object', in: `${CONFIG}metadata: {name: a}`, want: ['a']},
    {name: 'nothing but a comment', in: '# nothing', want: []},
    {
      name: 'Windows line ends and a document end',
      in: `${CONFIG}metadata: {name: a}\n...\n`.replaceAll('\n', '\r\n'),
      want: ['a'],
    },
    {
      name: 'a list',
      in: `kind: List\napiVersion: v1\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: a}}\n- {apiVersion: v1, kind: Secret, metadata: {name: b}}`,
      want: ['a', 'b'],
    },
    {
      name: 'a list with an item without a kind',
      in: 'kind: List\napiVersion: v1\nitems:\n- {apiVersion: v1, metadata: {name: a}}',
      want: [],
      errors: [['item 1 of document 2 has no kind', 14]],
    },
    {name: 'no name', in: CONFIG, want: [], errors: [['document 2 has no metadata.name', 11]]},
    {
      name: 'a generated name',
      in: `${CONFIG}metadata: {generateName: a-}`,
      want: [],
      errors: [['document 2 has no metadata.name', 11]],
    },
    {
      name: 'a name that YAML reads as a boolean',
      in: `\n${CONFIG}metadata: {name: n}`,
      want: [],
      errors: [['document 2 has a metadata.name that is not a text; put it in quotes', 12]],
    },
    {
      name: 'no API version',
      in: 'kind: A\nmetadata: {name: a}',
      want: [],
      errors: [['document 2 has no apiVersion', 11]],
    },
    {name: 'no map', in: 'text', want: [], errors: [['document 2 is not an object', 11]]},
  ])('$name', ({in: text, want, errors = []}) => {
    const {objects, errors: found} = read(text)
    expect(objects.map(({object}) => (object.metadata as {name: string}).name)).toEqual(want)
    expect(found.map(({message, line}) => [message, line])).toEqual(errors)
  })

  it('names the line of a syntax error in the template', () => {
    const {errors} = read('a: b\nc: [')
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({file: 'a.yaml', rule: 'yaml-syntax'})
    expect(errors[0]?.line).toBeGreaterThan(10)
  })
})
