import fc from 'fast-check'
import type {PackageFile} from '../../../src/unpack/package-file.js'
import type {JsonValue} from '../../../src/yaml/json-value.js'
import {writeYaml} from '../../../src/yaml/write-yaml.js'

/** Names that the reader knows, that nearly are such names, and that are not. */
const name = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...['app.yaml', 'install.yaml', 'behavior.yaml', 'crd.yaml', 'widgets.crd.yaml', 'group.yaml'],
      ...['resource.yaml', 'widget.resource.yaml', 'ui-schema.yaml', 'widget.v1.ui-schema.yaml'],
      ...['icon.svg', 'icon.', 'widget.icon.png', 'widget.v1.icon.gif', 'icon.constructor', 'README.md'],
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .stringMatching(/^[a-zA-Z._~%\u00e9\ud83d\ude00-]{1,12}$/u)
      .filter(text => !/^\.\.?$/.test(text)),
  },
)
const directory = fc.array(fc.constantFrom('a', 'b', 'a.b', 'resources', '__proto__'), {maxLength: 4})
const path = fc.tuple(directory, name).map(([segments, base]) => [...segments, base].join('/'))

const WORDS = [
  'title',
  'spec',
  'metadata',
  'name',
  'dependsOn',
  'crd',
  'permissionScope',
  'versions',
  'containers',
  'source',
]
const key = fc.oneof(
  fc.constantFrom(...WORDS, '__proto__', 'constructor', 'Title', ''),
  fc.string({maxLength: 6}),
)

const json: fc.Arbitrary<JsonValue> = fc.letrec<{value: JsonValue}>(tie => ({
  value: fc.oneof(
    {depthSize: 'small', withCrossShrink: true},
    fc.constantFrom<JsonValue>(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e21,
      2n ** 63n,
      '',
      'Cluster',
      'Namespaced',
      '5',
      'yes',
    ),
    fc.string({maxLength: 12}),
    fc.array(tie('value'), {maxLength: 4}),
    fc.dictionary(key, tie('value'), {maxKeys: 5}),
  ),
})).value

/** Text in the likeness of YAML: most of it is none. */
const yamlish = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '- ',
        ': ',
        '\n',
        '  ',
        '---\n',
        '&a ',
        '*a',
        '<<: ',
        '{',
        '}',
        '[',
        ']',
        '"',
        "'",
        '|\n',
        '#',
        '!!binary ',
        '? ',
        '\t',
      ),
      fc.constantFrom(...WORDS, '5', 'yes', '~', '1e999', '0x', 'null', '\u0000', '\u2028', '\ufeff'),
    ),
    {maxLength: 30},
  )
  .map(parts => Buffer.from(parts.join('')))

const content = fc.oneof(
  {weight: 1, arbitrary: fc.uint8Array({maxLength: 40})},
  {weight: 3, arbitrary: yamlish},
  {weight: 4, arbitrary: json.map(value => Buffer.from(writeYaml([value])))},
)

/** Files at random: no path twice. */
export const randomTree: fc.Arbitrary<PackageFile[]> = fc.uniqueArray(fc.record({path, bytes: content}), {
  maxLength: 8,
  selector: file => file.path,
})

type LineEdit = (lines: string[], at: number, word: string) => string[]

/** What happens to files that people edit in haste. */
const LINE_EDITS: readonly LineEdit[] = [
  (lines, at) => lines.filter((_, index) => index !== at),
  (lines, at) => lines.flatMap((line, index) => (index === at ? [line, line] : [line])),
  (lines, at, word) => lines.flatMap((line, index) => (index === at ? [line, word] : [line])),
  (lines, at, word) => lines.map((line, index) => (index === at ? line.replace(/:.*/, `: ${word}`) : line)),
  (lines, at) => lines.map((line, index) => (index === at ? `  ${line}` : line)),
  (lines, at) => lines.map((line, index) => (index === at ? line.replace(/^ {2}/, '') : line)),
  (lines, at) =>
    lines.map((line, index) => (index === at ? line.replace(/\w+:/, key => key.toUpperCase()) : line)),
]
const VALUES = [
  '5',
  '1.5',
  'true',
  'text',
  '~',
  '[]',
  '{}',
  '[{}]',
  '{a: 1}',
  '"5"',
  'Cluster',
  '---',
  '- x',
  '*a',
  '|',
]

interface Edit {
  readonly file: number
  readonly line: number
  readonly edit: LineEdit
  readonly word: string
}

const lineEdit: fc.Arbitrary<Edit> = fc.record({
  file: fc.nat(),
  line: fc.nat(),
  edit: fc.constantFrom(...LINE_EDITS),
  word: fc.constantFrom(...VALUES),
})

/** A package with a few lines of it changed. */
export function editedPackage(files: readonly PackageFile[]): fc.Arbitrary<PackageFile[]> {
  return fc.array(lineEdit, {minLength: 1, maxLength: 4}).map(edits => edits.reduce(applyEdit, [...files]))
}

function applyEdit(files: PackageFile[], {file, line, edit, word}: Edit): PackageFile[] {
  return files.map((each, index) => {
    if (index !== file % files.length) return each
    const lines = Buffer.from(each.bytes).toString('utf8').split('\n')
    return {...each, bytes: Buffer.from(edit(lines, line % lines.length, word).join('\n'))}
  })
}

/** A list in any order. */
export function anyOrder<T>(items: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...items], {minLength: items.length, maxLength: items.length})
}
