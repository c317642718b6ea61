import {nearest} from '../../text.js'
import {ofCrossplaneCli} from './crossplane-cli.js'

/** Verbs of kubectl, Helm and other package managers, and those of `package`. */
const OTHER_VERBS: Readonly<Record<string, string>> = {
  ...{get: 'list', ls: 'list', delete: 'uninstall', remove: 'uninstall', rm: 'uninstall'},
  ...{
    describe: 'inspect',
    show: 'inspect',
    info: 'inspect',
    view: 'inspect',
    apply: 'install',
    add: 'install',
    template: 'render',
  },
  ...{update: 'upgrade', deps: 'tree', dependencies: 'tree', explain: 'why'},
}

/** The command line with the command that was meant; undefined if none resembles it. */
export function correctedWords(
  text: string,
  argv: readonly string[],
  ids: readonly string[],
): readonly string[] | undefined {
  const typed = text.split(' ')
  return (
    ofCrossplaneCli(argv, ids) ??
    ofOwnVerb(typed, argv, ids) ??
    ofOtherVerb(typed, argv, ids) ??
    ofOtherNoun(typed, argv, ids) ??
    intendedWords(text, argv, ids)
  )
}

/** The command line with the verb of `package`: `package get` and `get packages` are `package list`. */
function ofOtherVerb(
  [first = '', second = '']: readonly string[],
  argv: readonly string[],
  ids: readonly string[],
): readonly string[] | undefined {
  const hasNoun = /^packages?$/.test(first)
  const word = hasNoun ? second : first
  const other = Object.hasOwn(OTHER_VERBS, word) ? OTHER_VERBS[word] : undefined
  if (other === undefined || !ids.includes(`package ${other}`)) return undefined
  const verb = ids.includes(`package ${word}`) ? word : other
  const rest = argv.slice(hasNoun || /^packages?$/.test(second) ? 2 : 1)
  return ['package', verb, ...withoutTypes(verb, rest)]
}

/** The command of a noun that is also a verb of other programs: `template tst` is `template test`, not `helm template`. */
function ofOwnVerb(
  [noun = '', verb = '']: readonly string[],
  argv: readonly string[],
  ids: readonly string[],
): readonly string[] | undefined {
  if (!Object.hasOwn(OTHER_VERBS, noun)) return undefined
  const own = ids.filter(id => id.startsWith(`${noun} `)).map(id => id.slice(noun.length + 1))
  const near = nearest(verb, own)
  return near === undefined ? undefined : [noun, near, ...argv.slice(2)]
}

/** Drops the types that stand before the flags of `kubectl get TYPE`: `package list` has no argument. */
function withoutTypes(verb: string, words: readonly string[]): readonly string[] {
  if (verb !== 'list') return words
  const start = words.findIndex(word => word.startsWith('-'))
  return start === -1 ? [] : words.slice(start)
}

/** The command line without a noun that the command does not have: `package login` is `registry login`. */
function ofOtherNoun(
  [noun = '', ...typed]: readonly string[],
  argv: readonly string[],
  ids: readonly string[],
): readonly string[] | undefined {
  if (!ids.some(id => id.startsWith(`${noun} `))) return undefined
  for (let length = typed.length; length > 0; length -= 1) {
    const words = typed.slice(0, length).join(' ')
    const command = ids.includes(words) ? words : verbOfOther(noun, words, ids, argv.slice(1 + length))
    if (command !== undefined) return [...command.split(' '), ...argv.slice(1 + length)]
  }
  return ofNextNoun(typed, argv, ids)
}

/**
 * The command that has the verb. Many say `package` for everything; after another noun, only arguments and a verb that
 * one command has tell that it is not just one that the noun lacks: the packages are not the list of `services list`.
 */
function verbOfOther(
  noun: string,
  verb: string,
  ids: readonly string[],
  following: readonly string[],
): string | undefined {
  const isClear = following.length > 0 && ids.filter(id => id.endsWith(` ${verb}`)).length === 1
  return noun === 'package' || isClear ? nounless(verb, ids) : undefined
}

/** The command of the noun that follows another one, or the help of that noun: `package cache lst` is `cache list`. */
function ofNextNoun(
  typed: readonly string[],
  argv: readonly string[],
  ids: readonly string[],
): readonly string[] | undefined {
  const [noun = ''] = typed
  const own = ids.filter(id => id.startsWith(`${noun} `))
  if (own.length === 0) return undefined
  const near = nearest(typed.slice(0, 2).join(' '), own)?.split(' ')
  return near === undefined ? [noun, '--help'] : [...near, ...argv.slice(1 + near.length)]
}

/** The command line with the command that was probably meant. */
function intendedWords(
  text: string,
  argv: readonly string[],
  ids: readonly string[],
): readonly string[] | undefined {
  const typed = text.split(' ')
  const [verb = ''] = typed
  const ofVerb = nounless(verb, ids)
  const near = ofVerb === undefined ? (nearest(text, ids) ?? nearestPrefix(typed, ids)) : undefined
  if (near !== undefined) {
    const words = near.split(' ')
    const start = argv.findIndex((_, index) =>
      typed.slice(0, words.length).every((word, at) => argv[index + at] === word),
    )
    return [...words, ...(start === -1 ? ['--help'] : argv.slice(start + words.length))]
  }
  const command = ofVerb ?? nounless(nearest(verb, verbsOf(ids)) ?? '', ids)
  return command === undefined ? ofNearNoun(typed, argv, ids) : [...command.split(' '), ...argv.slice(1)]
}

/** The command line with a noun that is spelled right: `pakage list` is `package list`, and `pakage` its help. */
function ofNearNoun(
  [first = '', verb = '']: readonly string[],
  argv: readonly string[],
  ids: readonly string[],
): readonly string[] | undefined {
  const noun = nearest(first, [
    ...new Set(ids.flatMap(id => (id.includes(' ') ? (id.split(' ')[0] ?? []) : []))),
  ])
  if (noun === undefined) return undefined
  return ids.includes(`${noun} ${verb}`) ? [noun, ...argv.slice(1)] : [noun, '--help']
}

/** The command of packages, or else the first one, whose verb is the first word: `install` is `package install`. */
function nounless(verb: string, ids: readonly string[]): string | undefined {
  const verbs = ids.filter(id => id.endsWith(` ${verb}`))
  return verbs.find(id => id.startsWith('package ')) ?? verbs[0]
}

/** The verbs of commands that have a noun. */
function verbsOf(ids: readonly string[]): string[] {
  return ids.flatMap(id => (id.includes(' ') ? id.split(' ').slice(-1) : []))
}

/** The command that the first words resemble, where arguments follow them. */
function nearestPrefix(typed: readonly string[], ids: readonly string[]): string | undefined {
  const lengths = [...new Set(ids.map(id => id.split(' ').length))].sort((a, b) => b - a)
  for (const length of lengths) {
    if (typed.length <= length) continue
    const ofLength = ids.filter(id => id.split(' ').length === length)
    const candidate = nearest(typed.slice(0, length).join(' '), ofLength)
    if (candidate !== undefined) return candidate
  }
  return undefined
}
