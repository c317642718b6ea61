import type {Candidate, CommandModel} from './command-model.js'
import {type CommandPosition, commandPosition, flagOf, type GivenFlags} from './command-position.js'
import type {Completion} from './completion.js'
import {completePackage, type KnownPackage} from './complete-package.js'
import {argumentKind, flagValueKind, type ValueKind} from './value-kind.js'

/** Port: the names in local files. Sources that cannot be read have no names; nothing throws. */
export interface KnownNames {
  /** `flags` can name other files than those that commands use by default. */
  packages(flags: GivenFlags): Promise<readonly KnownPackage[]>
  /** The installs in the lock, as `NAMESPACE/NAME`. */
  installs(flags: GivenFlags): Promise<readonly string[]>
  /** The CRDs of the rendered folder. */
  crds(flags: GivenFlags): Promise<readonly string[]>
  /** The contexts of the kubeconfig. */
  contexts(flags: GivenFlags): Promise<readonly string[]>
  /** The registries with stored credentials. */
  registries(): Promise<readonly string[]>
}

/** Completes the last of the words that follow `kubectl crossplane`; it is empty after a space. */
export async function complete(
  words: readonly string[],
  model: CommandModel,
  names: KnownNames,
): Promise<Completion> {
  const [current = '', ...reversed] = words.map(withoutQuotes).reverse()
  const typed = reversed.reverse()
  if (typed[0] === 'help') return nextWords(model, typed.slice(1), current)
  const position = commandPosition(model, typed)
  if (position === undefined) return nextWords(model, typed, current)
  return await completeIn(position, current, {
    rules: model.rules,
    packages: () => names.packages(position.flags),
    installs: () => names.installs(position.flags),
    crds: () => names.crds(position.flags),
    contexts: () => names.contexts(position.flags),
    registries: () => names.registries(),
  })
}

/** A shell without a parser for words, such as bash, passes the quotes of a word. */
function withoutQuotes(word: string): string {
  const quote = word[0]
  if (quote !== '"' && quote !== "'") return word
  return word.slice(1, word.length > 1 && word.endsWith(quote) ? -1 : undefined)
}

/** Completes the name of a command by its next word. */
function nextWords({commands, topics}: CommandModel, typed: readonly string[], current: string): Completion {
  const candidates = new Map<string, Candidate>()
  for (const {id, summary} of [...topics, ...commands]) {
    const words = id.split(' ')
    const value = words[typed.length]
    if (value === undefined || !typed.every((word, index) => words[index] === word)) continue
    if (words.length === typed.length + 1) candidates.set(value, {value, description: summary})
  }
  return {candidates: startingWith([...candidates.values()], current), otherwise: 'nothing'}
}

/** The values that are not in the commands themselves. */
interface KnownValues {
  readonly rules: readonly Candidate[]
  packages(): Promise<readonly KnownPackage[]>
  installs(): Promise<readonly string[]>
  crds(): Promise<readonly string[]>
  contexts(): Promise<readonly string[]>
  registries(): Promise<readonly string[]>
}

async function completeIn(
  position: CommandPosition,
  current: string,
  values: KnownValues,
): Promise<Completion> {
  const {command, openFlag, flagsEnded} = position
  if (openFlag !== undefined) return await completeValue(flagValueKind(openFlag), current, values)
  if (flagsEnded || !current.startsWith('-')) {
    return await completeValue(nextArgument(position), current, values)
  }
  const [name = '', ...value] = current.split('=')
  const flag = flagOf(command, name)
  if (value.length === 0)
    return {candidates: startingWith(flagNames(position), current), otherwise: 'nothing'}
  if (flag === undefined || !current.startsWith('--')) return NOTHING
  const kind = flag.takesValue ? flagValueKind(flag) : BOOLEAN
  return after(`${name}=`, await completeValue(kind, value.join('='), values))
}

const BOOLEAN: ValueKind = {kind: 'choices', choices: [{value: 'true'}, {value: 'false'}]}
const NOTHING: Completion = {candidates: [], otherwise: 'nothing'}

function nextArgument({command, arguments: typed}: CommandPosition): ValueKind {
  const next = command.args[typed.length] ?? (command.isVariadic ? command.args.at(-1) : undefined)
  return next === undefined ? {kind: 'text'} : argumentKind(command.id, next)
}

function flagNames({command, flags: typed}: CommandPosition): readonly Candidate[] {
  const left = command.flags.filter(({name, isRepeatable}) => isRepeatable || typed[name] === undefined)
  return [
    ...left.map(({name, summary}) => ({value: `--${name}`, description: summary})),
    {value: '--help', description: 'Show help for the command'},
  ]
}

async function completeValue(kind: ValueKind, current: string, values: KnownValues): Promise<Completion> {
  switch (kind.kind) {
    case 'choices':
      return {candidates: startingWith(kind.choices, current), otherwise: 'nothing'}
    case 'rules':
      return {candidates: startingWith(values.rules, current), otherwise: 'nothing'}
    case 'installs':
    case 'contexts':
    case 'crds':
    case 'registries':
      return {candidates: startingWith(named(await values[kind.kind]()), current), otherwise: 'nothing'}
    case 'packages':
    case 'repositories':
      return await completePackageOrPath(kind.kind, current, values)
    case 'text':
      return NOTHING
    default:
      return {candidates: [], otherwise: kind.kind}
  }
}

/** Completes a path to a package in a folder, as which no repository begins, or a name. */
async function completePackageOrPath(
  kind: 'packages' | 'repositories',
  current: string,
  values: KnownValues,
): Promise<Completion> {
  if (/^[.~/]/.test(current)) return {candidates: [], otherwise: 'files'}
  return completePackage(await values.packages(), current, kind === 'packages')
}

/** Names from files; one that begins with a dash would be read as a flag. */
function named(names: readonly string[]): readonly Candidate[] {
  return names.filter(name => !name.startsWith('-')).map(value => ({value}))
}

function startingWith(candidates: readonly Candidate[], start: string): readonly Candidate[] {
  return candidates.filter(({value}) => value.startsWith(start))
}

/** Prepends the part of the word before the value, since shells replace whole words. */
function after(start: string, completion: Completion): Completion {
  const candidates = completion.candidates.map(candidate => ({
    ...candidate,
    value: `${start}${candidate.value}`,
  }))
  return {...completion, candidates}
}
