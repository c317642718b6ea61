import {describe, expect, it} from '@jest/globals'
import {random} from '../shuffled.js'
import {generatedYaml, mutatedYaml} from './generated-text.js'
import {fastReading} from './js-yaml-reader.js'
import {FLOATS, INTEGERS, KEYS, STRINGS, WORDS} from './scalar-table.js'

const scalars = [
  ...new Set([...[...WORDS, ...INTEGERS, ...FLOATS, ...KEYS].map(([text]) => text), ...STRINGS]),
]

describe('plain block style is read fast, as js-yaml reads it', () => {
  it.each([
    {name: 'nothing', in: ''},
    {name: 'comments', in: '\n# a\n  # b\n'},
    {name: 'documents', in: '---\na: 1\n---\n---\n# c\n- b\n---\n'},
    {
      name: 'collections',
      in: 'a:\n  b:\n  - c: d\n    e:\n    -   f\n    - - g\n      - h\n  -\n    i: {}\n  -\nj: []\nk:\n',
    },
    {
      name: 'plain text on several lines',
      in: 'a: b\n  c\n\n\n  d - "e" [f] a#b\n- b\n'.replace('\n- b', '\ng: h'),
    },
    {
      name: 'quotes on several lines',
      in: 'a: \'b\'\'s\n\n  c\n    d\'\ne: "f\\n\\\n\n  g \\"h\\"\n\n  \\u00e9"\n',
    },
    {
      name: 'blocks',
      in: 'a: |\n\n  b\n   c\n\nd: >-\n  e\n  f\n\n    g\n  h\n\n\ni: |+\n  j\n\n# k\nl:\n- |-\n  m\n',
    },
    {name: 'a comment after text', in: 'a: b\n  # c\nd:\n- e\n# f\n- g\n'},
    {
      name: 'collections in brackets and braces on one line',
      in: `a: {b: 1, c: {}, d: [ ] , e: [ f g , -1, "h, i", 'j: k' ] }\n- {l: m}\n`.replace(
        /\n- .*/,
        '\nb: []  ',
      ),
    },
    {
      name: 'such collections in lists',
      in: '- {a: b}\n- [c, [d], {e: f/g.h-i_j}]\n- k: {l: yes, m: null, n: 1.50}\n',
    },
    {name: 'no line break at the end', in: 'a:\n  b: c'},
  ])('$name', ({in: text}) => {
    expect(fastReading(text)).toBe('same')
  })

  it.each(scalars)('the scalar %j, or not at all', text => {
    const texts = [
      `a: ${text}\n`,
      `- ${text}\n`,
      `${text}: b\n`,
      `a:\n- b: ${text}\n  ${text}: c\n- ${text}\n`,
      `a: {b: ${text}, ${text}: c}\n`,
      `- [${text}]\n- [ b, ${text} , c ]\n`,
      `- [[${text}], '${text}', "${text}"]\n`,
    ]
    expect(texts.map(fastReading)).not.toContain('other')
  })

  it('most generated texts, and mutated ones only where that is the same', () => {
    const next = random(1)
    const seen = {none: 0, same: 0, other: 0}
    for (let count = 0; count < 2000; count++) {
      const text = generatedYaml(next)
      seen[fastReading(text)]++
      seen[fastReading(mutatedYaml(next, text))]++
    }
    expect({...seen, same: seen.same > 1000}).toStrictEqual({none: expect.any(Number), same: true, other: 0})
  })
})

describe('a text is left to js-yaml', () => {
  it.each([
    {name: 'with duplicate keys', in: 'a: 1\na: 2\n'},
    {name: 'with a key that objects inherit', in: 'constructor: 1\n'},
    ...[
      '[b\n  ]',
      '[b,]',
      '[]c',
      '{b}',
      '{b: }',
      '{"b": c}',
      '{b: "\\\\"}',
      "['b''c']",
      '[b: c]',
      '[?b]',
    ].map(text => ({
      name: `with the collection ${text}`,
      in: `a: ${text}\n`,
    })),
    {name: 'with a collection as a key', in: '{a: b}: c\n'},
    {name: 'with a duplicate key in braces', in: 'a: {b: 1, b: 2}\n'},
    {name: 'with a collection that stays open', in: 'a: [b\nc: d\n'},
    {name: 'with a comment after a collection', in: 'a: {} # b\n'},
    {name: 'with too many levels of brackets', in: `a: ${'['.repeat(21)}${']'.repeat(21)}\n`},
    {name: 'with anchors', in: 'a: &b c\n'},
    {name: 'with tags', in: 'a: !!str b\n'},
    {name: 'with merges', in: '<<: a\n'},
    {name: 'with directives', in: '%YAML 1.1\n---\na: b\n'},
    {name: 'with an end mark', in: 'a: b\n...\n'},
    {name: 'with tabs as blanks', in: 'a:\tb\n'},
    {name: 'with a comment beside a value', in: 'a: b # c\n'},
    {name: 'with an explicit key', in: '? a\n: b\n'},
    {name: 'with text alone', in: 'a\n'},
    {name: 'with a mapping within a line', in: 'a: b: c\n'},
    {name: 'with a line too far right', in: 'a: 1\n  b: 2\n'},
    {name: 'with a line too far left', in: 'a:\n  b: 1\n c: 2\n'},
    {name: 'with quotes that are too far left', in: 'a: "b\nc"\n'},
    {name: 'with quotes that stay open', in: 'a: "b\nc: d\n'},
    {name: 'with an escape of half a character', in: 'a: "\\ud800"\n'},
    {name: 'with a number that is too large', in: 'a: 99999999999999999999\n'},
    {name: 'with infinity', in: 'a: .inf\n'},
    {name: 'with a block of a given indentation', in: 'a: |2\n   b\n'},
    {name: 'with more than a hundred levels', in: `${'- '.repeat(101)}a\n`},
    {name: 'with more values than a file may have', in: '- a\n'.repeat(200_001)},
  ])('$name', ({in: text}) => {
    expect(fastReading(text)).toBe('none')
  })
})
