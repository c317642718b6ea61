import {describe, expect, it} from '@jest/globals'
import {MAX_DEPTH, MAX_VALUES} from '../../src/yaml/anchors.js'
import {MAX_FILE_BYTES} from '../../src/yaml/source-text.js'
import {refusal, values} from './yaml-text.js'

const nested = (depth: number, inner: string) => '['.repeat(depth) + inner + ']'.repeat(depth)
const inBlocks = (depth: number) => `${'- '.repeat(depth)}a\n`
const mappings = (depth: number) =>
  Array.from({length: depth}, (_, level) => `${' '.repeat(level)}a:\n`).join('')
const list = (alias: string, count: number) => `[${Array.from({length: count}, () => alias).join(', ')}]`

describe('depth', () => {
  it.each([
    {name: 'empty brackets', in: nested(MAX_DEPTH, '')},
    {name: 'brackets around text', in: nested(MAX_DEPTH, 'a')},
    {name: 'lists of lists', in: inBlocks(MAX_DEPTH)},
    {name: 'mappings', in: mappings(MAX_DEPTH)},
    {name: 'an alias deep down', in: `a: &x ${nested(40, '')}\nb: ${nested(59, '*x')}\n`},
  ])('can be a hundred: $name', ({in: text}) => {
    expect(values(text)).toHaveLength(1)
  })

  it.each([
    {name: 'empty brackets', in: nested(MAX_DEPTH + 1, ''), want: 'yaml-limit:1'},
    {name: 'brackets around text', in: nested(MAX_DEPTH + 1, 'a'), want: 'yaml-limit:1'},
    {name: 'lists of lists', in: inBlocks(MAX_DEPTH + 1), want: 'yaml-limit:1'},
    {name: 'mappings', in: mappings(MAX_DEPTH + 2), want: `yaml-limit:${MAX_DEPTH + 1}`},
    {name: 'many more', in: nested(1_000_000, ''), want: 'yaml-limit:1'},
    {name: 'explicit keys', in: '? '.repeat(10_000), want: 'yaml-limit:1'},
    {
      name: 'an alias deep down',
      in: `a: &x ${nested(40, '')}\nb: ${nested(60, '*x')}\n`,
      want: 'yaml-limit:2',
    },
    {
      name: 'aliases that pile up',
      in: `a: &a0 []\n${Array.from({length: 120}, (_, i) => `b${i}: &a${i + 1} [*a${i}]\n`).join('')}`,
      want: `yaml-limit:${MAX_DEPTH}`,
    },
    {
      name: 'an anchor in the deepest place of another',
      in: `a: &x [&y ${nested(60, '')}]\nb: ${nested(40, '*y')}\n`,
      want: 'yaml-limit:2',
    },
  ])('cannot be more: $name', ({in: text, want}) => {
    expect(refusal(text)).toBe(want)
  })
})

describe('the size of repeated aliases', () => {
  const laughs = (width: number, levels: number) =>
    `a0: &a0 ${list('x', width)}\n${Array.from({length: levels}, (_, i) => `a${i + 1}: &a${i + 1} ${list(`*a${i}`, width)}\n`).join('')}`
  const text = 'x'.repeat(1_000_000)

  it.each([
    {name: 'a billion laughs', in: laughs(10, 9), want: 'yaml-limit:4'},
    {
      name: 'by merging',
      in: `a: &a {${Array.from({length: 200}, (_, i) => `k${i}: 1`).join(', ')}}\nb: {<<: ${list('*a', 5000)}}\n`,
      want: 'yaml-limit:2',
    },
    {name: 'a long text', in: `a: &a ${text}\nb: ${list('*a', 20)}\n`, want: 'yaml-limit:2'},
    {
      name: 'a long text a little deeper',
      in: `a: &a [${text}]\nb: &b ${list('*a', 4)}\nc: ${list('*b', 4)}\n`,
      want: 'yaml-limit:3',
    },
    {name: 'a long key', in: `a: &a {? ${text}\n: 1}\nb: ${list('*a', 20)}\n`, want: 'yaml-limit:3'},
    {
      name: 'a long text as a key',
      in: `a: &a ${text}\nb: [${Array.from({length: 20}, () => '{*a : 1}').join(', ')}]\n`,
      want: 'yaml-limit:2',
    },
  ])('is limited: $name', ({in: given, want}) => {
    expect(refusal(given)).toBe(want)
  })

  it('is not expanded: this would not end', () => {
    expect(refusal(laughs(50, 90))).toBe('yaml-limit:3')
  })

  it('can be large in a small file, as in go-yaml', () => {
    const [value] = values(laughs(5, 3))
    expect(JSON.stringify(value).split('x')).toHaveLength(5 + 25 + 125 + 625 + 1)
  })

  it('can be a large share of a large file', () => {
    const own = Array.from({length: 500}, (_, i) => `- {name: n${i}, <<: *x}\n`).join('')
    expect(
      values(`a: &x {${Array.from({length: 50}, (_, i) => `k${i}: 1`).join(', ')}}\nb:\n${own}`),
    ).toHaveLength(1)
  })

  it('is counted per document', () => {
    const document = `a: &a ${list('x', 30)}\nb: ${list('*a', 30)}\n`
    expect(values(Array.from({length: 200}, () => document).join('---\n'))).toHaveLength(200)
  })
})

describe('size', () => {
  it('can be 16 MiB', () => {
    const [value] = values(`a: ${'x'.repeat(MAX_FILE_BYTES - 4)}\n`)
    expect(Object.values(value as object)[0]).toHaveLength(MAX_FILE_BYTES - 4)
  })

  it.each([
    {name: 'one byte more', in: Buffer.alloc(MAX_FILE_BYTES + 1, 'x'), want: 'yaml-limit:1'},
    {
      name: 'more values than a file can have',
      in: `[\n${'1,'.repeat(MAX_VALUES + 1)}]`,
      want: 'yaml-limit:2',
    },
    {
      name: 'more than that, by an alias',
      in: `a: &a [${'1,'.repeat(0.4 * MAX_VALUES)}]\nb: [*a, *a]\n`,
      want: 'yaml-limit:2',
    },
    {name: 'a file of nothing but lines', in: `a: |\n${'\n'.repeat(4_000_000)}`, want: 'yaml-limit:600000'},
    {name: 'a file of nothing but dashes', in: '-\n'.repeat(4_000_000), want: 'yaml-limit:300001'},
    {
      name: 'a tag that overflows the parser',
      in: `a: !${'x'.repeat(MAX_FILE_BYTES - 10)} b`,
      want: 'yaml-limit:1',
    },
    {
      name: 'more lines too far left than can be moved',
      in: `a:\n${'- [\n]\n'.repeat(100_000)}`,
      want: 'yaml-syntax',
    },
  ])('is limited: $name', ({in: given, want}) => {
    expect(refusal(given)).toMatch(new RegExp(`^${want}`))
  })
})
