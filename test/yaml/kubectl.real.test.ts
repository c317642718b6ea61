import {describe, expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import type {JsonValue} from '../../src/yaml/json-value.js'
import {writeJson, writeYaml} from '../../src/yaml/write-yaml.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {FLOATS, INTEGERS, KEYS, STRINGS, WORDS} from './scalar-table.js'
import {refusal, values} from './yaml-text.js'

const HEAD = 'apiVersion: made.up/v1\nkind: Probe\nmetadata: {name: probe, labels: {read: back}}\n'

/** What kubectl makes of a stream: it reads YAML, and answers in JSON without asking any server. */
function kubectl(stream: string): {readonly status: number | null; readonly objects: unknown[]} {
  const args = ['label', '--local', '--overwrite', '-f', '-', '-o', 'json', 'read=back']
  const {status, stdout} = spawnSync('kubectl', args, {input: stream, encoding: 'utf8', maxBuffer: 2 ** 28})
  const objects = status === 0 ? stdout.split(/(?<=^\}\n)/m).map(text => JSON.parse(text) as unknown) : []
  return {status, objects}
}

/** kubectl reads large integers into doubles. */
function asDoubles(value: JsonValue): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part)),
  )
}

const scalars = [...[...WORDS, ...INTEGERS, ...FLOATS].map(([text]) => text), ...STRINGS]
const tagged = [
  '!!str 1',
  '!!int "12"',
  '!!float 1',
  '!!bool "yes"',
  '!!null ""',
  '!!binary aGk=',
  '!local yes',
  '! 1',
]

const structures = [
  'a: &x {b: 1, c: 2}\nd:\n  c: 3\n  <<: *x\ne:\n  <<: *x\n  c: 4\n',
  'a: {<<: [{b: 1, c: 1}, {c: 2, d: 2}]}\n',
  'a: &x [&x 1, *x]\nb: *x\n',
  '&x a: &y 1\nb: *x\n*y : c\n',
  'a: {"<<": 1}\n',
  'a: 1\na: 2\n',
  'a: [\nb,\nc\n]\nd: {\n"e": [\n1\n]\n}\n',
  'a: "b\nc\n\nd"\ne: \'f\n\n\n  g\'\n',
  'a: "b\\\n  c\\\n\n\n  d\\\\\n\n  e \\\n  f"\n',
  'a: b\n  c\n\n\n  d\ne: f\n',
  'a: |\n  b\n   c\n\n  d\n\ne: >\n  f\n  g\n\n  h\n   i\n  j\n\n\nk: |+\n  l\n\n\nm: >-\n\n  n\n',
  'a: |2\n    b\n   c\nd: >1\n  e\n f\n',
  'a: "\\x41\\u00e9\\U0001F600\\n\\t\\"\\\\\\0\\e\\N\\_\\L\\P"\n',
  '? a\n: b\n? c\n? |\n  d\n: e\n',
  'a:\n- b\n- - c\n  - d\n-\n  e: f\n  g: h\n- \ni:\n',
  'a: [b: 1, "c":2, {d, e: }, [], {}]\n',
  'a: [b:c, d#e, -f, "g",]\n',
  'a: b # c\n# d\ne: "#" # f\n',
  'a: \ufeffb\n',
  'ключ: 値\né: 😀\n',
  'a: !!str [1]\nb: !!int {c: 1}\n',
  'a\tb: c\td\t\n',
  `? ${'a'.repeat(1500)}\n: b\n`,
]

const indented = (text: string) => `spec:\n${text.replace(/^(?=[^\n])/gm, '  ')}`

describeReal('YAML, compared with kubectl', missingTool('kubectl'), () => {
  describe.each([
    {name: 'a scalar as a value', texts: [...scalars, ...tagged].map(text => `spec:\n  value: ${text}\n`)},
    {
      name: 'a scalar as a key',
      texts: KEYS.map(([text]) => `spec:\n  ${text.replaceAll('\n', '\n  ')}: x\n`),
    },
    {name: 'a structure', texts: structures.map(indented)},
    {name: 'a structure at the margin', texts: structures},
  ])('$name', ({texts}) => {
    const {objects} = kubectl(texts.map(text => HEAD + text).join('---\n'))

    it.each(texts.map((text, index) => [text, index] as const))('is the same: %j', (text, index) => {
      expect(values(HEAD + text).map(asDoubles)).toStrictEqual([objects[index]])
    })
  })

  it.each([
    'a: b: c\n',
    'a:\n\tb: 1\n',
    'a:\n  b: 1\n c: 2\n',
    'a: [1,\n',
    'a: "b\n',
    'a: *x\n',
    'a: &x [*x]\n',
    'a: .inf\n',
    '~: a\n',
    '[a]: b\n',
    'a: !!int b\n',
    'a: !!binary x\n',
    '<<: a\n',
    'a: "\\ud800"\n',
    'a: "\\U00110000"\n',
    'a: \x07\n',
    'a: b\nc\n',
    `a: &a [${'x,'.repeat(100)}]\nb: &b [${'*a,'.repeat(100)}]\nc: [${'*b,'.repeat(100)}]\n`,
  ])('is rejected by both: %j', text => {
    const refused = expect.stringMatching(/^yaml-[a-z-]+:\d+$/)
    expect([kubectl(HEAD + text).status, refusal(HEAD + text)]).toStrictEqual([1, refused])
  })
})

const shapes = [
  ...[
    '',
    ' ',
    '  ',
    '\n',
    '\n\n',
    ' \n',
    '\n ',
    '\t',
    '\t\n',
    '\n\t',
    '\r',
    '\r\n',
    'a\rb',
    'a\r\nb\n',
    'a\n',
    'a\n\n',
  ],
  ...[
    'a\nb',
    'a\n\nb\n',
    ' a\nb',
    '  a\n b\n',
    '\na',
    '\n\n  a\n',
    'a \nb  \n',
    'a\n \nb',
    'a\n  \n',
    'a\t\nb\t',
    'a\n\tb',
  ],
  ...[
    '\ta\nb',
    ' \ta\nb',
    'a\n---\nb',
    '---\na',
    '...\n',
    'a\n# b\n',
    '# a\nb',
    '- a\n- b',
    'a: b\nc: d\n',
    '? a\n: b',
  ],
  ...[
    '-',
    '- ',
    '-a',
    '--',
    '---',
    '--- ',
    '...',
    '?',
    '? ',
    '?a',
    ':',
    ': ',
    ':a',
    'a:',
    'a: b',
    'a :b',
    'a #b',
    'a#b',
    '#a',
  ],
  ...[
    '&a',
    '*a',
    '!a',
    '!!str',
    '|',
    '>',
    '|-',
    '%a',
    '@a',
    '`a',
    '"',
    "'",
    '"a"',
    "'a'",
    "it's",
    'a"b',
    "''",
    '""',
    '\\',
    'a\\',
  ],
  ...[
    '[',
    ']',
    '[]',
    '[a',
    '{',
    '}',
    '{}',
    '{{ a }}',
    'a,b',
    ', a',
    'a]',
    'a}',
    '=',
    '<<',
    '<',
    '~a',
    'a ',
    ' a',
    'a  b',
    '\xa0',
  ],
  ...[
    '\0',
    '\x07',
    '\b',
    '\x1b[31m',
    '\x7f',
    '\x80',
    '\x85',
    'a\x85b',
    '\x9f',
    '\u2028',
    'a\u2028b',
    '\u2029',
    '\u2028\nb',
    '\ufeff',
  ],
  ...[
    '\ufeffa\nb',
    '\ufffd',
    '\ufffe',
    '\uffff',
    'é',
    'ä\nö\n',
    '値',
    '😀',
    '😀\n👩‍👩‍👧\n',
    '\u{10ffff}',
    '\u200b',
    '\u202e',
    'a\u0301',
  ],
  ...[
    'yes',
    'No',
    'ON',
    'off',
    'y',
    'N',
    'true',
    'TRUE',
    'null',
    'Null',
    '~',
    'nan',
    '.nan',
    '.inf',
    '-.INF',
    'inf',
    'NaN',
  ],
  ...[
    '0',
    '1',
    '-1',
    '+1',
    '00',
    '007',
    '08',
    '0o7',
    '0O17',
    '0x1f',
    '0X1F',
    '0b1',
    '0B11',
    '0b+1',
    '-0b1',
    '1_000',
    '1_',
    '_1',
    '0x_1',
  ],
  ...[
    '1.0',
    '1.',
    '.5',
    '+.5',
    '.5_5',
    '1e3',
    '1E+3',
    '1e',
    'e1',
    '1e400',
    '9'.repeat(30),
    '1:2',
    '12:30:45',
    '190:20:30.15',
    '1,000',
  ],
  ...[
    '2001-01-01',
    '2001-1-1',
    '2001-12-14t21:59:43.10-05:00',
    '2001-12-14 21:59:43',
    '1.2.3',
    '1Gi',
    '100m',
    '1e3Gi',
    'v1',
    '=1',
  ],
]

describeReal('written YAML, compared with kubectl', missingTool('kubectl'), () => {
  const written: readonly {readonly name: string; readonly spec: JsonValue}[] = [
    ...[...new Set([...shapes, ...scalars])].map(text => ({
      name: JSON.stringify(text),
      spec: {value: text, keys: {[text]: 'key'}, list: [text, [text]], deep: [{[text]: {[text]: text}}]},
    })),
    {
      name: 'numbers',
      spec: [0, 1.5, -1e-7, 1e20, 1e21, 5e-324, 2 ** 53 - 1, 2 ** 53, 2n ** 53n + 1n, -(2n ** 63n)],
    },
    {name: 'other values', spec: {a: [true, false, null, [], {}, [[]], [{}]], b: {}, c: null}},
    {name: 'long words', spec: {a: 'word '.repeat(40_000), b: 'x'.repeat(200_000)}},
    {name: 'long lines', spec: {a: 'line of text\n'.repeat(17_000), b: `${'\n'.repeat(200_000)}a`}},
    {name: 'long escapes', spec: {a: '\x07'.repeat(200_000), b: `"'`.repeat(100_000)}},
    {name: 'long keys', spec: {['a'.repeat(1025)]: 1, [`${'b '.repeat(1000)}\n`]: {c: 2}}},
    {name: 'depth', spec: Array.from({length: 90}).reduce<JsonValue>(value => [{a: value}], 'b')},
  ]
  const objects = written.map(({spec}) => ({
    apiVersion: 'made.up/v1',
    kind: 'Probe',
    metadata: {name: 'probe', labels: {read: 'back'}},
    spec,
  }))

  describe.each([
    {name: 'as YAML', answer: kubectl(writeYaml(objects))},
    {name: 'as JSON', answer: kubectl(objects.map(writeJson).join(''))},
  ])('$name', ({answer}) => {
    it.each(written.map(({name}, index) => ({name, index})))('is the same: $name', ({index}) => {
      expect(answer.objects[index]).toStrictEqual(asDoubles(objects[index] ?? null))
    })
  })
})
