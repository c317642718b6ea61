import {dump} from 'js-yaml'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import {below, pick} from '../soak/campaign.js'
import {generatedText, generatedValue, type Texts} from './generated-value.js'

const KEYS = [
  'spec',
  'type',
  'x-kubernetes-int-or-string',
  'a.b/c',
  '$ref',
  '_',
  'yes',
  'n',
  '1',
  '0x1F',
  '1.5',
]
const SENTENCE =
  'the Name of this resource - set by "users" - isn\'t [required]; see https://example.org/a#b, {too}.'

/** Texts and keys like those of CRDs, and now and then others. */
const USUAL: Texts = {
  text: next =>
    next() < 0.1
      ? generatedText(next)
      : Array.from({length: below(next, 4)}, () => SENTENCE.slice(below(next, 40), below(next, 110))).join(
          pick(next, [' ', '\n', '\n\n', '\n ', ': ', ' #', '  ', '\t']),
        ),
  key: next => (next() < 0.02 ? generatedText(next) : pick(next, KEYS)),
}

/** Returns YAML in one of the styles of programs: folded or not, with lists in the column of their keys or deeper. */
export function generatedYaml(next: () => number): string {
  const texts = next() < 0.1 ? undefined : USUAL
  const keys = ['kind', ...KEYS.filter(() => next() < 0.2)]
  const value = Object.fromEntries(keys.map(key => [key, generatedValue(next, texts, 2)]))
  return unquotedKeys(next() < 0.3 ? writeYaml([value]) : styled(next, value))
}

function styled(next: () => number, value: unknown): string {
  return dump(asDoubles(value), {
    noRefs: true,
    seqNoIndent: next() < 0.5,
    lineWidth: pick(next, [-1, 20, 80]),
    flowLevel: pick(next, [-1, -1, 1, 2, 3]),
    indent: pick(next, [2, 2, 2, 4]),
    quoteStyle: pick(next, ['single', 'double']),
    forceQuotes: next() < 0.3,
  })
}

/** Programs quote a key that is not text by itself; authors do not. */
function unquotedKeys(text: string): string {
  return text.replaceAll(/^([ -]*)['"](\w+|1\.5)['"]:/gm, '$1$2:')
}

/** js-yaml writes no bigints. */
function asDoubles(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part)),
  )
}

/** Returns the same text with up to three errors of those who edit and merge files. */
export function mutatedYaml(next: () => number, text: string): string {
  let result = text
  for (let edits = 1 + below(next, 3); edits > 0; edits--) result = pick(next, EDITS)(next, result)
  return result
}

type Edit = (next: () => number, text: string) => string

const INSERTED: readonly string[] = [
  ...[
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\t',
    ': ',
    ':',
    ' #',
    '#',
    '- ',
    '-',
    "'",
    '"',
    '\\',
    '|\n',
    '>-\n',
    '|2\n',
    '? ',
  ],
  ...[
    '---\n',
    '...\n',
    '\n---\n',
    '&a ',
    '*a',
    '!!str ',
    '<<: ',
    '[]',
    '{}',
    '[',
    '}',
    ',',
    '%',
    '@',
    '~',
    '\\n',
  ],
  ...[
    '# comment\n',
    '\n# comment\n',
    'key: value\n',
    '- item\n',
    'y',
    '0',
    '1_0',
    '0x1f',
    '.5',
    '\\u00e9',
    '\ufeff',
  ],
]

const EDITS: readonly Edit[] = [
  // a character less
  (next, text) => spliced(text, below(next, text.length + 1), 1, ''),
  // text inserted, or in the place of a character
  (next, text) => spliced(text, below(next, text.length + 1), below(next, 2), pick(next, INSERTED)),
  (next, text) => spliced(text, below(next, text.length + 1), 0, generatedText(next)),
  // a line less, twice, elsewhere
  onLines((next, lines) => void lines.splice(below(next, lines.length), 1)),
  onLines((next, lines) => {
    const at = below(next, lines.length)
    lines.splice(below(next, lines.length + 1), 0, lines[at] ?? '')
  }),
  onLines((next, lines) => {
    const [line = ''] = lines.splice(below(next, lines.length), 1)
    lines.splice(below(next, lines.length + 1), 0, line)
  }),
  // a line further left or right
  onLines((next, lines) => {
    const at = below(next, lines.length)
    const line = lines[at] ?? ''
    lines.splice(at, 1, next() < 0.5 ? ' '.repeat(1 + below(next, 4)) + line : line.replace(/^ {1,2}/, ''))
  }),
  // a line joined to the next, or divided at a blank
  onLines((next, lines) => {
    const at = below(next, lines.length)
    lines.splice(at, 2, `${lines[at]}${pick(next, ['', ' '])}${(lines[at + 1] ?? '').trimStart()}`)
  }),
  onLines((next, lines) => {
    const at = below(next, lines.length)
    const line = lines[at] ?? ''
    const blank = line.indexOf(' ', below(next, line.length + 1))
    if (blank !== -1)
      lines.splice(at, 1, line.slice(0, blank), ' '.repeat(below(next, 12)) + line.slice(blank + 1))
  }),
  // the end cut off
  (next, text) => text.slice(0, below(next, text.length + 1)),
]

function spliced(text: string, at: number, length: number, inserted: string): string {
  return text.slice(0, at) + inserted + text.slice(at + length)
}

function onLines(edit: (next: () => number, lines: string[]) => void): Edit {
  return (next, text) => {
    const lines = text.split('\n')
    edit(next, lines)
    return lines.join('\n')
  }
}
