import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {entryPlace, withTag} from '../../src/declaration/with-tag.js'
import {CrossplaneError} from '../../src/errors.js'

const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
const fileOf = (text: string) => ({name: 'platform.yaml', bytes: Buffer.from(text)})

describe('withTag', () => {
  it.each([
    {name: 'a plain reference', in: '- package: example/app:v1', want: '- package: example/app:v2'},
    {name: 'a reference without a tag', in: '- package: example/app', want: '- package: example/app:v2'},
    {
      name: 'a registry with a port',
      in: '- package: r.example.org:5000/app',
      want: '- package: r.example.org:5000/app:v2',
    },
    {name: 'single quotes', in: "- package: 'example/app:v1'", want: "- package: 'example/app:v2'"},
    {name: 'double quotes', in: '- "package": "example/app:v1"', want: '- "package": "example/app:v2"'},
    {
      name: 'a comment with the same reference',
      in: '- package: example/app:v1 # example/app:v1 is the newest',
      want: '- package: example/app:v2 # example/app:v1 is the newest',
    },
    {
      name: 'flow style with a longer tag before it',
      in: '- {name: a, package: example/app:v1}\n- {package: other/example/app:v11, namespace: b}',
      want: '- {name: a, package: example/app:v2}\n- {package: other/example/app:v11, namespace: b}',
    },
    {
      name: 'an anchor that nothing repeats',
      in: '- package: &app example/app:v1',
      want: '- package: &app example/app:v2',
    },
    {
      name: 'a later key of the entry',
      in: '- namespace: team-a\n  package: example/app:v1   \n  name: app',
      want: '- namespace: team-a\n  package: example/app:v2   \n  name: app',
    },
  ])('edits $name', ({in: entries, want}) => {
    expect(withTag(fileOf(`${HEAD}packages:\n${entries}\n`), 0, 'v2')).toBe(`${HEAD}packages:\n${want}\n`)
  })

  it.each([
    {
      name: 'JSON',
      in: '{"apiVersion": "packages.kubectl-crossplane.dev/v1alpha1", "kind": "PackageDeclaration", "packages": [{"package": "example/app:v1"}]}',
    },
    {
      name: 'line breaks of Windows',
      in: `${HEAD}packages:\n- package: example/app:v1\n`.replaceAll('\n', '\r\n'),
    },
    {
      name: 'line breaks of old systems',
      in: `${HEAD}packages:\n- package: example/app:v1\n`.replaceAll('\n', '\r'),
    },
    {name: 'a byte order mark', in: `\ufeff---\n${HEAD}packages:\n- package: example/app:v1\n...\n`},
    {name: 'no last line break', in: `${HEAD}packages: [{package: example/app:v1}]`},
    {name: 'a list that ends below its key', in: `${HEAD}packages: [\n{package: example/app:v1}\n]\n`},
  ])('keeps $name', ({in: text}) => {
    expect(withTag(fileOf(text), 0, 'v2')).toBe(text.replace('app:v1', 'app:v2'))
  })

  it.each([
    {name: 'an alias', in: '- package: &app example/app:v1\n- {package: *app, name: b}', index: 1, line: 5},
    {
      name: 'an anchor that is repeated',
      in: '- package: &app example/app:v1\n- {package: *app, name: b}',
      line: 4,
    },
    {name: 'a merge', in: '- &one\n  package: example/app:v1\n- {<<: *one, name: b}', index: 1, line: 5},
    {name: 'an escape', in: '- package: "example\\/app:v1"', line: 4},
    {name: 'a folded scalar', in: '- package: >-\n    example/app:v1', line: 4},
    {name: 'a reference below its key', in: '# one\n- package:\n    example/app:v1', line: 5},
    {name: 'many comments', in: `- package: "example\\/app:v1" #${' example/app:v1'.repeat(20)}`, line: 4},
  ])('rejects $name, and names the line', ({in: entries, index = 0, line}) => {
    let thrown: unknown
    try {
      withTag(fileOf(`${HEAD}packages:\n${entries}\n`), index, 'v2')
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(CrossplaneError)
    expect(thrown).toMatchObject({
      code: 'input-invalid',
      diagnostics: [{file: 'platform.yaml'}],
      suggestions: [`Edit line ${line} of platform.yaml by hand: example/app:v2`],
    })
  })

  const label = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/)
  const tag = fc.stringMatching(/^v[0-9]{1,2}(\.[0-9]{1,2}){0,2}(-rc1)?$/)
  const comment = fc.stringMatching(/^[ -~]{0,20}$/)
  const layout = fc.record({
    quote: fc.constantFrom('', '"', "'"),
    before: fc.constantFrom('', 'namespace: team-a, ', 'name: example, '),
    isFlow: fc.boolean(),
    comment: fc.option(comment, {nil: undefined}),
  })
  type Layout = typeof layout extends fc.Arbitrary<infer T> ? T : never
  const entryOf = (reference: string, {quote, before, isFlow, comment: note}: Layout) => {
    const entry = isFlow
      ? `- {${before}package: ${quote}${reference}${quote}}`
      : `- ${before.replace(', ', '\n  ')}package: ${quote}${reference}${quote}`
    return `${entry}${note === undefined ? '' : ` #${note}`}\n`
  }

  it('changes no other character of any declaration', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({path: label, tag: fc.option(tag, {nil: undefined}), as: layout}), {
          minLength: 1,
          maxLength: 5,
          selector: ({path}) => path,
        }),
        fc.nat(),
        tag,
        fc.constantFrom('\n', '\r\n'),
        (entries, seed, next, lineBreak) => {
          const index = seed % entries.length
          const text = (tags: readonly (string | undefined)[]) =>
            `${HEAD}packages:\n${entries
              .map(({path, as}, at) => {
                const each = tags[at]
                return entryOf(`example/${path}${each === undefined ? '' : `:${each}`}`, as)
              })
              .join('')}`.replaceAll('\n', lineBreak)
          const tags = entries.map(each => each.tag)
          const want = text(tags.with(index, next))
          expect(withTag(fileOf(text(tags)), index, next)).toBe(want)
        },
      ),
    )
  })
})

describe('entryPlace', () => {
  it('is the line of the key', () => {
    const file = fileOf(`${HEAD}packages:\n- namespace: a\n  package: example/app:v1\n`)
    expect(entryPlace(file, 0)).toEqual({file: file.name, line: 5})
  })
})
