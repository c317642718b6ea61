import {CrossplaneError} from '../../../errors.js'
import {listAll, quoted} from '../../../text.js'

/** The properties of a flag by which the words of a command line are read. */
interface WordFlag {
  readonly type: string
  readonly char?: string
  readonly aliases?: readonly string[]
  readonly charAliases?: readonly string[]
  /** The values of a flag that has only these. */
  readonly options?: readonly string[]
  /** The value of a flag that none of its values follows. */
  readonly bareValue?: string
}

export type WordFlags = Readonly<Record<string, WordFlag>>

/** A word, and the boolean flag that it sets or resets. */
interface ReadWord {
  readonly word: string
  readonly flag?: string
}

/** The values of Go's `strconv.ParseBool`, which kubectl reads boolean flags with. */
const TRUE = ['1', 't', 'T', 'true', 'TRUE', 'True']
const FALSE = ['0', 'f', 'F', 'false', 'FALSE', 'False']
/** The words that are meant as a value where they follow a flag; 1 is also a REVISION, as in `rollback NAME --yes 1`. */
const MISTAKEN = [...TRUE, ...FALSE].filter(word => word !== '1')

/** The words of a command line, and the boolean flags that the last word for them turns off. */
export interface SettledWords {
  readonly words: readonly string[]
  readonly off: ReadonlySet<string>
}

/** The word by which `settleBooleans` leaves a boolean flag that is off. */
export function offWord(flag: string): string {
  return `--${flag}=false`
}

/**
 * Returns the words of a command line with at most one word for each boolean flag: the last one, `--FLAG` or `-F` if the
 * flag is on, `--FLAG=false` if it is off. A flag with a bare value gets it as `--FLAG=VALUE`. Throws `usage` for another
 * value of a boolean flag, and for such a value as the word after either flag. Other words stay as they are.
 */
export function settleBooleans(words: readonly string[], flags: WordFlags): SettledWords {
  const read = readWords(words, namesOf(flags))
  const last = new Map(read.flatMap(({flag}, at) => (flag === undefined ? [] : [[flag, at]])))
  const settled = read.filter(({flag}, at) => flag === undefined || last.get(flag) === at)
  const off = settled.flatMap(({word, flag}) => (flag !== undefined && word === offWord(flag) ? [flag] : []))
  return {words: settled.map(({word}) => word), off: new Set(off)}
}

interface NamedFlag extends Pick<WordFlag, 'options' | 'bareValue'> {
  readonly name: string
  readonly isBoolean: boolean
}

/** Flags by the words that stand for them, such as `--yes` and `-y`. */
function namesOf(flags: WordFlags): ReadonlyMap<string, NamedFlag> {
  return new Map(
    Object.entries(flags).flatMap(([name, {type, char, aliases = [], charAliases = [], ...values}]) => {
      const flag = {name, isBoolean: type === 'boolean', ...values}
      const words = [name, ...aliases].map(text => `--${text}`)
      const letters = [...(char === undefined ? [] : [char]), ...charAliases].map(letter => `-${letter}`)
      return [...words, ...letters].map(word => [word, flag])
    }),
  )
}

function readWords(words: readonly string[], names: ReadonlyMap<string, NamedFlag>): ReadWord[] {
  const read: ReadWord[] = []
  let at = 0
  while (at < words.length) {
    const word = words[at] ?? ''
    if (word === '--') break
    const parts = word.startsWith('--') ? [readLong(word, names)] : readShort(word, names)
    if (!word.includes('=')) expectNoValueOf(parts, names, words[at + 1])
    read.push(...parts.map(part => withBareValue(part, words[at + 1], names)))
    at += 1
    if (!takesNext(read.at(-1)?.word ?? '', names)) continue
    read.push(...words.slice(at, at + 1).map(value => ({word: value})))
    at += 1
  }
  return [...read, ...words.slice(at).map(word => ({word}))]
}

/** Rejects `--yes false`, which would turn the flag on, and name an install `false`; so would `--dry-run false`. */
function expectNoValueOf(parts: readonly ReadWord[], names: ReadonlyMap<string, NamedFlag>, next = ''): void {
  const flag = names.get(parts.at(-1)?.word ?? '')
  if (flag === undefined || !MISTAKEN.includes(next)) return
  const {name, isBoolean, bareValue, options = []} = flag
  if (!isBoolean && bareValue === undefined) return
  const message = `${quoted(next)} is not read as the value of --${name}`
  throw new CrossplaneError('usage', message, {
    suggestions: [
      isBoolean
        ? howToWrite(name)
        : `Write ${listAll(
            options.map(value => `--${name}=${value}`),
            'or',
          )}.`,
      'To pass it as an argument, write it before the flag.',
    ],
  })
}

function howToWrite(flag: string): string {
  return `Write --${flag} or --${flag}=false.`
}

function withBareValue(
  part: ReadWord,
  next: string | undefined,
  names: ReadonlyMap<string, NamedFlag>,
): ReadWord {
  const {name, bareValue, options = []} = names.get(part.word) ?? {}
  if (name === undefined || bareValue === undefined || options.includes(next ?? '')) return part
  return {word: `--${name}=${bareValue}`}
}

/** Reports whether the value of a flag is the next word. */
function takesNext(word: string, names: ReadonlyMap<string, NamedFlag>): boolean {
  return names.get(word)?.isBoolean === false
}

function readLong(word: string, names: ReadonlyMap<string, NamedFlag>): ReadWord {
  const equals = word.indexOf('=')
  const flag = names.get(equals === -1 ? word : word.slice(0, equals))
  if (flag?.isBoolean !== true) return {word}
  return equals === -1 ? {word, flag: flag.name} : valued(flag.name, word.slice(equals + 1))
}

/** Reads letters in one word, such as `-yq` or `-y=false`; the rest after one with a value is that value. */
function readShort(word: string, names: ReadonlyMap<string, NamedFlag>): ReadWord[] {
  if (!word.startsWith('-')) return [{word}]
  const read: ReadWord[] = []
  for (let at = 1; at < word.length; at += 1) {
    const flag = names.get(`-${word.charAt(at)}`)
    if (flag?.isBoolean !== true) return [...read, {word: `-${word.slice(at)}`}]
    if (word[at + 1] === '=') return [...read, valued(flag.name, word.slice(at + 2))]
    read.push({word: `-${word.charAt(at)}`, flag: flag.name})
  }
  return read.length === 0 ? [{word}] : read
}

function valued(flag: string, value: string): ReadWord {
  if (TRUE.includes(value)) return {word: `--${flag}`, flag}
  if (FALSE.includes(value)) return {word: offWord(flag), flag}
  throw new CrossplaneError('usage', `invalid --${flag} ${quoted(value)}: must be true or false`, {
    suggestions: [howToWrite(flag)],
  })
}
