import type {Candidate, KnownArgument, KnownFlag} from './command-model.js'

/** What the value of a flag or an argument is. `text` cannot be completed. */
export type ValueKind =
  | {readonly kind: 'choices'; readonly choices: readonly Candidate[]}
  | {
      readonly kind:
        | 'contexts'
        | 'crds'
        | 'files'
        | 'folders'
        | 'installs'
        | 'packages'
        | 'registries'
        | 'repositories'
        | 'rules'
        | 'text'
    }

type SimpleKind = Exclude<ValueKind['kind'], 'choices'>

/** By the name of the flag, otherwise by the name of the value in help. */
const FLAG_KINDS: ReadonlyMap<string, SimpleKind> = new Map([
  ['--context', 'contexts'],
  ['FILE', 'files'],
  ['PATH', 'files'],
  ['ROOT|FILE', 'files'],
  ['FILE|CRD', 'files'],
  ['DIR', 'folders'],
  ['URL|DIR', 'folders'],
  ['REF', 'packages'],
  ['[PACKAGE]', 'packages'],
  ['RULE', 'rules'],
])

const LIST_FORMATS = ['text', 'wide', 'name', 'json', 'yaml', 'jsonpath=']

/** Choices that the command checks itself, because others are valid, too. */
const OPEN_CHOICES: ReadonlyMap<string, readonly string[]> = new Map([
  ['FORMAT', LIST_FORMATS],
  ['FORMAT|GRAPH', [...LIST_FORMATS, 'dot', 'mermaid']],
  ['OS/ARCH', ['linux/amd64', 'linux/arm64']],
])

/** By the ID of the command and the name of the argument, otherwise by that name alone. */
const ARGUMENT_KINDS: ReadonlyMap<string, SimpleKind> = new Map([
  ['package status name', 'installs'],
  ['package history name', 'installs'],
  ['package rollback name', 'installs'],
  ['package uninstall name', 'installs'],
  ['package versions ref', 'repositories'],
  ['package why name', 'repositories'],
  ['package migrate crd', 'crds'],
  ['package move old', 'installs'],
  ['package move new', 'repositories'],
  ['package provides crd', 'crds'],
  ['registry index rebuild ref', 'repositories'],
  ['registry logout host', 'registries'],
  ['package compare before', 'packages'],
  ['package compare after', 'packages'],
  ['package validate path', 'files'],
  ['ref', 'packages'],
  ['image', 'packages'],
  ['package', 'packages'],
  ['file', 'files'],
  ['path', 'folders'],
  ['dir', 'folders'],
])

/** Returns what the value of a flag is. */
export function flagValueKind({name, choices, valueName = ''}: KnownFlag): ValueKind {
  const listed = choices ?? OPEN_CHOICES.get(valueName)
  if (listed !== undefined) return ofChoices(listed)
  return {kind: FLAG_KINDS.get(`--${name}`) ?? FLAG_KINDS.get(valueName) ?? 'text'}
}

/** Returns what an argument of a command is. */
export function argumentKind(id: string, {name, choices}: KnownArgument): ValueKind {
  if (choices !== undefined) return ofChoices(choices)
  return {kind: ARGUMENT_KINDS.get(`${id} ${name}`) ?? ARGUMENT_KINDS.get(name) ?? 'text'}
}

function ofChoices(choices: readonly string[]): ValueKind {
  return {kind: 'choices', choices: choices.map(value => ({value}))}
}
