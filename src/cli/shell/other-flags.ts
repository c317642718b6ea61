import {idIn} from './known-commands.js'

/** Flags of other programs, such as kubectl and Helm, that have another name here. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{'-f': 'declaration', '--filename': 'declaration', '--ns': 'namespace', '--kube-context': 'context'},
  ...{'--kube-as-user': 'as', '--kube-as-group': 'as-group', '--kube-ca-file': 'certificate-authority'},
  ...{'--out': 'output'},
}

/** Commands that select everything in all namespaces. */
const FOR_ALL = /^(?:package (?:list|outdated|tree|why|upgrade|drift|fleet|update)|services list|trace)$/
/** Commands whose first argument is a reference, and can have a tag. */
const WITH_TAG = /^package (?:install|upgrade|render|inspect|pull|impact)$/

/** A flag as it was typed. */
interface Typed {
  /** With its dashes, without a value. */
  readonly flag: string
  /** The value after `=`, or else the next word. */
  readonly value: string | undefined
  readonly isJoined: boolean
}

/**
 * Returns the command line that does what a flag of another program does there; undefined if none does. `ids` are the commands,
 * `flagNames` the flags of this one without dashes.
 */
export function wordsForOtherFlag(
  flag: string,
  argv: readonly string[],
  {ids, flagNames}: {readonly ids: readonly string[]; readonly flagNames: readonly string[]},
): readonly string[] | undefined {
  const typed = typedIn(flag, argv)
  const id = idIn(argv, ids).join(' ')
  if (/^(?:-f|--package-root)$/.test(flag) && id === 'package build') return ofFolder(typed, argv)
  const name = Object.hasOwn(OTHER_NAMES, flag) ? OTHER_NAMES[flag] : undefined
  if (name !== undefined && flagNames.includes(name)) return withFlagName(flag, name, argv)
  if (/^(?:-A|--all-namespaces|--all)$/.test(flag)) return withoutAll(typed, argv, id)
  if (flag === '--wait' && flagNames.includes('no-wait')) return waiting(typed, argv)
  return ofCommand(typed, argv, id)
}

function ofCommand(typed: Typed, argv: readonly string[], id: string): readonly string[] | undefined {
  if (typed.flag === '--version' && WITH_TAG.test(id)) return withTag(typed, argv)
  if (/^(?:-n|--namespace)$/.test(typed.flag) && id === 'package upgrade') return inNamespace(typed, argv)
  if (/^(?:-w|--watch)$/.test(typed.flag) && id === 'package list')
    return ['package', 'status', ...argv.slice(2)]
  if (typed.flag === '--cascade' && id === 'package uninstall') return keepingResources(typed, argv)
  return undefined
}

function typedIn(flag: string, argv: readonly string[]): Typed {
  const joined = argv.find(word => word.startsWith(`${flag}=`))
  const value = joined === undefined ? argv[argv.indexOf(flag) + 1] : joined.slice(flag.length + 1)
  return {flag, value, isJoined: joined !== undefined}
}

/** The command line with another name of a flag. */
export function withFlagName(flag: string, name: string, argv: readonly string[]): readonly string[] {
  return argv.map(word =>
    word === flag || word.startsWith(`${flag}=`) ? word.replace(flag, `--${name}`) : word,
  )
}

/** The command line without a flag; `hasValue` tells whether the next word belongs to it. */
function without({flag, isJoined}: Typed, argv: readonly string[], hasValue: boolean): readonly string[] {
  if (isJoined) return argv.filter(word => !word.startsWith(`${flag}=`))
  const at = argv.indexOf(flag)
  return [...argv.slice(0, at), ...argv.slice(at + (hasValue ? 2 : 1))]
}

function isFlag(word = ''): boolean {
  return word.startsWith('-')
}

/** Where nothing is named, everything is selected. */
function withoutAll(typed: Typed, argv: readonly string[], id: string): readonly string[] | undefined {
  const rest = without(typed, argv, false)
  const isAll = !rest
    .slice(id.split(' ').length)
    .some((word, at, words) => !isFlag(word) && !isFlag(words[at - 1]))
  return FOR_ALL.test(id) && !typed.isJoined && isAll ? rest : undefined
}

/** Commands wait unless they have `--no-wait`. */
function waiting(typed: Typed, argv: readonly string[]): readonly string[] | undefined {
  if (!typed.isJoined || typed.value === 'true') return without(typed, argv, false)
  return typed.value === 'false' ? [...without(typed, argv, true), '--no-wait'] : undefined
}

/** A reference without a tag or a digest; no path, also not one of Windows (`c:/a`). The parser of references is not loaded for a flag. */
const WITHOUT_TAG = /^(?![a-z]:\/)[a-z\d](?:[^:@]|:(?=.*\/))*$/i

/** `install PACKAGE --version v1` is `install PACKAGE:v1`. */
function withTag(typed: Typed, argv: readonly string[]): readonly string[] | undefined {
  const [noun = '', verb = '', reference = '', ...others] = without(typed, argv, true)
  if (!WITHOUT_TAG.test(reference) || !/^\w[\w.-]*$/.test(typed.value ?? '')) return undefined
  return [noun, verb, `${reference}:${typed.value ?? ''}`, ...others]
}

/** kubectl's `--cascade=orphan` deletes an object and keeps what it owns. */
function keepingResources(typed: Typed, argv: readonly string[]): readonly string[] | undefined {
  return typed.value === 'orphan' ? [...without(typed, argv, true), '--custom-resources=keep'] : undefined
}

/** `xpkg build -f DIR` of Crossplane's own command line is `build DIR`. */
function ofFolder(typed: Typed, argv: readonly string[]): readonly string[] | undefined {
  const rest = without(typed, argv, true)
  if (!/^[^-]/.test(typed.value ?? '') || rest.some((word, at) => at > 2 || word.startsWith('-')))
    return undefined
  return [...rest, typed.value ?? '']
}

/** `upgrade NAME -n team` is `upgrade team/NAME`, and `list -n team` has the names; undefined for repositories, which are in any namespace. */
function inNamespace(typed: Typed, argv: readonly string[]): readonly string[] | undefined {
  const [noun = '', verb = '', name, ...others] = without(typed, argv, true)
  if (!/^[^-]/.test(typed.value ?? '')) return undefined
  if (name === undefined) return [noun, 'list', '-n', typed.value ?? '']
  const isName = !/^-|^$|\//.test(name) && others.every(word => word.startsWith('-'))
  return isName ? [noun, verb, `${typed.value ?? ''}/${name}`, ...others] : undefined
}
