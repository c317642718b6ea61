import {expect} from '@jest/globals'
import type {Command} from '@oclif/core'
import {parse} from '@oclif/core/parser'
import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {settleBooleans} from '../../src/cli/shell/flags/boolean-words.js'
import {withUpgradeValues} from '../../src/cli/declaration/lock-query.js'
import {runCli} from '../run-cli.js'
import {runProgram} from '../run-program.js'
import type {Argv} from './suggestion-case.js'

const ROOT = join(import.meta.dirname, '../..')
/** Commands of the program and of its plugins. */
const COMMANDS = [
  join(ROOT, 'src/commands'),
  ...readdirSync(join(ROOT, 'plugins')).map(name => join(ROOT, 'plugins', name, 'src/commands')),
]
const PROGRAM = 'kubectl crossplane '
const OTHER_PROGRAM = /^(?:chmod|git|kubectl|rm|skopeo) /

/** Fails unless a suggestion can be followed by the user of a command line that showed it. */
export async function expectFollowable(suggestion: string, argv: Argv): Promise<void> {
  const command = commandIn(suggestion)
  if (command?.startsWith(PROGRAM) === true) await parsed((await shellWords(command)).slice(2))
  else if (command !== undefined) await shellWords(command)
  else expect(suggestion).toMatch(/^[A-Z].*[^.]\.?$/)
  if (command !== suggestion) await expectProseToHold(suggestion.replace(command ?? '', ''), argv)
}

/** A command is the whole suggestion, or what follows its last colon. */
function commandIn(suggestion: string): string | undefined {
  if (OTHER_PROGRAM.test(suggestion)) return suggestion
  const after = suggestion.slice(suggestion.lastIndexOf(': ') + 2)
  if (OTHER_PROGRAM.test(after)) return after
  return /: (?<pipe>.+ \| kubectl crossplane .+)$/.exec(suggestion)?.groups?.['pipe']
}

/** Commands named in a sentence exist; its flags are those of the command that failed, and can be added or left out. */
async function expectProseToHold(sentence: string, argv: Argv): Promise<void> {
  const prose = sentence.replace(/\$\(.*?\)/g, '')
  const named = [...prose.matchAll(/kubectl crossplane ((?:[a-z]+(?: |$))+)/g)].map(([, words = '']) => words)
  for (const words of named) expect(commandAt(words.trim().split(' '))).toBeDefined()
  const [omitted = ''] = /^(?:Leave out|Omit|Remove) .*?(?=[,:.] |$)|without --[\w-]+/.exec(prose) ?? []
  for (const [flag] of omitted.matchAll(/--[a-z][\w-]*/g)) {
    expect({argv, isGiven: argv.some(word => word === flag || word.startsWith(`${flag}=`))}).toMatchObject({
      isGiven: true,
    })
  }
  const commands = [argv, ...named.map(words => words.trim().split(' '))].filter(words => commandAt(words))
  const flags = (await Promise.all(commands.map(commandOf)))
    .flatMap(command => Object.keys(command.flags))
    .flatMap(flag => [flag, `no-${flag}`])
  for (const [, name = ''] of prose.matchAll(/--([a-z][\w-]*(?:\.\w[\w-]*)*)/g)) expect(flags).toContain(name)
  const [, first] = /^(?:Pass|Or pass|Add) (?:a longer )?--([a-z][\w-]*(?:\.\w[\w-]*)*)/.exec(prose) ?? []
  if (first !== undefined) await expectAccepted(first, argv)
}

/** Fails if oclif rejects a flag together with the others of a command line. */
async function expectAccepted(name: string, argv: Argv): Promise<void> {
  const flag = (await commandOf(argv)).flags[name]
  const value =
    flag?.type === 'boolean'
      ? []
      : [(flag as {options?: readonly string[]}).options?.[0] ?? SAMPLES[name] ?? '1']
  const at = argv.indexOf(`--${name}`)
  const others = at === -1 ? argv : [...argv.slice(0, at), ...argv.slice(at + 1 + value.length)]
  await parsed([...others, `--${name}`, ...value])
}

/** Values of flags that have a form. */
const SAMPLES: Readonly<Record<string, string>> = {
  assume: 'a.example.org',
  owner: 'example.org=a/b',
  'solve-timeout': '20s',
}

/** The words of the program's command in a line as a shell reads them, or of its first command. */
async function shellWords(line: string): Promise<string[]> {
  const [first = ''] = line.split(' && ')
  const simple = first.split(' | ').at(-1) ?? ''
  const script = `set -f; printf '%s\\0' ${simple}; exit; ${line}`
  // With a socket as its standard input, bash would read the user's ~/.bashrc.
  const {stdout, stderr} = await runProgram('bash', ['--norc', '-c', script])
  expect({line, stderr}).toEqual({line, stderr: ''})
  return stdout.split('\0').slice(0, -1)
}

/** Parses a command line as oclif does: throws for an unknown command, flag or value. */
async function parsed(words: Argv): Promise<void> {
  if (words.includes('--help')) {
    expect((await runCli(...words)).status).toBe(0)
    return
  }
  const {flags, args, strict} = await commandOf(words)
  const settled = settleBooleans(withUpgradeValues(words).slice(commandAt(words)?.length ?? 0), {...flags})
  await parse([...settled.words], {flags, args, strict})
}

async function commandOf(words: Argv): Promise<typeof Command> {
  const id = commandAt(words)
  if (id === undefined) throw new Error(`unknown command: ${words.join(' ')}`)
  const module = (await import(fileOf(id) ?? '')) as {readonly default: typeof Command}
  return module.default
}

/** The words that a command line starts with and that name a command. */
function commandAt(words: Argv): Argv | undefined {
  return [1, 2, 3].map(length => words.slice(0, length)).find(id => fileOf(id) !== undefined)
}

/** The module of a command. */
function fileOf(id: Argv): string | undefined {
  return COMMANDS.map(folder => join(folder, `${id.join('/')}.ts`)).find(file => existsSync(file))
}
