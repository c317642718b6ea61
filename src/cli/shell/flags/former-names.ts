import {CrossplaneError} from '../../../errors.js'
import {listAll, nearest, quoted} from '../../../text.js'

/** Words of an earlier release in a command line, and the current ones. */
export interface FormerWords {
  readonly former: string
  readonly now: string
}

interface NamedFlag {
  readonly type?: string
  readonly multiple?: boolean
  readonly char?: string
  readonly options?: readonly string[]
  readonly formerNames?: readonly string[]
  readonly fileFlag?: string
}

type NamedFlags = Readonly<Record<string, NamedFlag>>

/** The words of a command line with the current names, and the former ones that were replaced. */
export interface RenamedWords {
  readonly words: readonly string[]
  readonly renamed: readonly FormerWords[]
}

/** Lets a flag also be written with names of earlier releases, of which a warning tells. */
export function formerly<Flag>(flag: Flag, ...formerNames: readonly string[]): Flag {
  return {...flag, formerNames}
}

/** Lets a format also be the path of a file, as in earlier releases, which is now the value of another flag. */
export function formerlyFile<Flag>(flag: Flag, fileFlag: string): Flag {
  return {...flag, fileFlag}
}

/**
 * Returns the current names of flags by their former ones. A name that the command uses for another flag now is none; of two flags that
 * had one name, the command had the last.
 */
export function currentNames(flags: NamedFlags): ReadonlyMap<string, string> {
  const pairs = Object.entries(flags).flatMap(([name, {formerNames = []}]) =>
    formerNames.map(former => [former, name] as const),
  )
  return new Map(pairs.filter(([former]) => flags[former] === undefined))
}

/**
 * Returns the words of a command line with the names that flags have now. Words after `--` stay as they are. Throws `usage`
 * for an unknown format that could be the name of a folder, and for a flag that is passed by both names.
 */
export function withNewNames(words: readonly string[], flags: NamedFlags): RenamedWords {
  const end = words.includes('--') ? words.indexOf('--') : words.length
  const renamed = new Map<string, FormerWords>()
  const note = (former: string, now: string) => renamed.set(former, {former, now})
  const own = filesMoved(withNames(words.slice(0, end), flags, note), flags, note)
  return {words: [...own, ...words.slice(end)], renamed: [...renamed.values()]}
}

type Note = (former: string, now: string) => void

function withNames(words: readonly string[], flags: NamedFlags, note: Note): string[] {
  const names = currentNames(flags)
  return words.map((word, at) => {
    const former = nameIn(word)
    const now = former.startsWith('--') ? names.get(former.slice('--'.length)) : undefined
    if (now === undefined) return word
    const {type, multiple} = flags[now] ?? {}
    const own = [former, ...wordsFor(now, flags)]
    const others = words.filter((_, other) => other !== at).map(nameIn)
    if (type === 'option' && multiple !== true) {
      expectOnce(
        former,
        others.find(name => own.includes(name)),
      )
    }
    note(former, `--${now}`)
    return `--${now}${word.slice(former.length)}`
  })
}

/** The flag of a word as it is typed, such as `--name` or `-n`; empty for a value. */
function nameIn(word: string): string {
  return /^(?:--[^=]+|-[^-])/s.exec(word)?.[0] ?? ''
}

function wordsFor(name: string, flags: NamedFlags): readonly string[] {
  const char = flags[name]?.char
  return [`--${name}`, ...(char === undefined ? [] : [`-${char}`])]
}

/** The words of the user are named, not those that replace them. */
function expectOnce(former: string, other: string | undefined): void {
  if (other === undefined) return
  const message =
    other === former ? `${former} cannot be repeated` : `${former} and ${other} are the same flag: pass one`
  throw new CrossplaneError('usage', message)
}

function filesMoved(words: readonly string[], flags: NamedFlags, note: Note): readonly string[] {
  const [name, flag] = Object.entries(flags).find(([, {fileFlag}]) => fileFlag !== undefined) ?? []
  if (name === undefined || flag?.fileFlag === undefined) return words
  const {char = '', options = [], fileFlag} = flag
  const joined = new RegExp(`^(?:--${name}=|-${char}=?)(?<value>.+)$`, 's')
  const isAlone = (word?: string) => word === `--${name}` || word === `-${char}`
  let other = words.map(nameIn).find(typed => wordsFor(fileFlag, flags).includes(typed))
  const valueOf = (word: string, before: string) =>
    isAlone(before) ? word : joined.exec(word)?.groups?.value
  return words.flatMap((word, at) => {
    const before = words[at - 1] ?? ''
    const value = valueOf(word, before)
    if (value === undefined || options.includes(value)) {
      const isFile = isAlone(word) && !options.includes(words[at + 1] ?? options[0] ?? '')
      return isFile ? [] : [word]
    }
    expectFile(value, name, {options, fileFlag})
    const typed = nameIn(isAlone(before) ? before : word)
    expectOnce(typed, other)
    other = typed
    note(`--${name} FILE`, `--${fileFlag} FILE`)
    return [`--${fileFlag}=${value}`]
  })
}

/** A word without a dot or a slash is rather a format that is misspelled. */
function expectFile(
  value: string,
  name: string,
  {options, fileFlag}: {readonly options: readonly string[]; readonly fileFlag: string},
): void {
  if (/[./]/.test(value)) return
  const message = `invalid --${name} ${quoted(value)}: must be one of ${listAll(options, 'or')}`
  const format = nearest(value, options)
  throw new CrossplaneError('usage', message, {
    suggestions: [
      ...(format === undefined ? [] : [`Write --${name} ${format}.`]),
      `Write --${fileFlag} ${value} if that is the file or folder to write.`,
    ],
  })
}
