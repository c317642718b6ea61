import {describe, expect, it} from '@jest/globals'
import type {Command} from '@oclif/core'
import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {settleBooleans} from '../../src/cli/shell/flags/boolean-words.js'
import {ofOldCrossplane} from '../../src/cli/shell/help/command-families.js'
import {helpWidth} from '../../src/cli/shell/help/program-help.js'
import {type CliResult, runCli} from '../run-cli.js'
import {rowsOf} from '../rows-of.js'
import {runBuilt, runProgram} from '../run-program.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const COMMANDS = join(import.meta.dirname, '../../src/commands')

/** The parts of a command class that help shows; oclif's types have flags even where a class has none. */
interface Described {
  readonly summary?: string
  readonly examples?: readonly Command.Example[]
  readonly flags?: Readonly<Record<string, {readonly summary?: string; readonly hidden?: boolean}>>
  readonly args: Readonly<Record<string, {readonly description?: string; readonly ignoreStdin?: boolean}>>
  readonly mostUsed?: readonly string[]
}

const named: (Required<Described> & {readonly name: string; readonly id: readonly string[]})[] = []
for (const path of readdirSync(COMMANDS, {recursive: true, encoding: 'utf8'}).sort()) {
  if (!path.endsWith('.ts')) continue
  const {default: command} = (await import(join(COMMANDS, path))) as {default: Described}
  const {summary = '', examples = [], flags = {}, args, mostUsed = []} = command
  const id = path.replace(/\.ts$/, '').split('/')
  named.push({name: id.join(' '), id, summary, examples, flags, args, mostUsed})
}

describe('the description of every command', () => {
  it('matches the commands', () => {
    expect(named.map(({name}) => name)).toEqual(expect.arrayContaining(['package render', 'version']))
  })

  it.each(named)('$name: has a summary without a period', ({summary}) => {
    expect(summary).toMatch(/^[A-Z][^\n]*[^.\n]$/)
  })

  it.each(named)('$name: describes every flag and argument without a period', ({flags, args}) => {
    const missing = [
      ...Object.entries(flags).filter(([, {summary}]) => !/^[A-Z].*[^.]$/.test(summary ?? '')),
      ...Object.entries(args).filter(([, {description}]) => !/^[A-Z].*[^.]$/.test(description ?? '')),
    ]
    expect(missing.map(([name]) => name)).toEqual([])
  })

  it.each(named)('$name: takes no argument from standard input', ({args}) => {
    const greedy = Object.entries(args).filter(([, {ignoreStdin}]) => ignoreStdin !== true)
    expect(greedy.map(([name]) => name)).toEqual([])
  })

  it.each(named)('$name: shows existing flags with --help', ({flags, mostUsed}) => {
    expect(mostUsed.filter(name => !(name in flags))).toEqual([])
  })

  it.each(named)('$name: has examples that use a flag, if there are flags', ({examples, flags}) => {
    const words = examples.flatMap(example =>
      (typeof example === 'string' ? example : example.command)
        .split(/\s+/)
        .filter(word => word.startsWith('-')),
    )
    expect(examples.length).toBeGreaterThan(0)
    if (Object.keys(flags).length > 0) expect(words.length).toBeGreaterThan(0)
  })
})

interface Named {
  readonly name: string
  readonly id: readonly string[]
}

/** What each command prints for `--help-all`. */
const helps = new Map<string, Promise<CliResult>>()

function helpOf({name, id}: Named): Promise<CliResult> {
  const help = helps.get(name) ?? runCli(...id, '--help-all')
  helps.set(name, help)
  return help
}

/** What each command prints for `--help` on a terminal of 80 columns. */
const ownHelps = new Map<string, Promise<CliResult>>()

function ownHelpOf({name, id}: Named): Promise<CliResult> {
  const help = ownHelps.get(name) ?? ownHelp(id)
  ownHelps.set(name, help)
  return help
}

async function ownHelp(id: readonly string[]): Promise<CliResult> {
  process.env.COLUMNS = '80'
  try {
    return await runCli(...id, '--help')
  } finally {
    delete process.env.COLUMNS
  }
}

/** Command lines as a shell reads them: for each, the words of each command of a pipeline. */
async function shellWords(lines: readonly string[]): Promise<string[][][]> {
  const print =
    'kubectl() { printf "%s\\0" "$@"; printf "\\1"; }; jq() { :; }; pass() { :; }; kustomize() { :; }; '
  const script = `${print} for line; do eval "$line" | cat; printf "\\2"; done`
  const {status, stdout, stderr} = await runProgram('bash', ['--norc', '-c', script, 'bash', ...lines], {
    cwd: folder,
  })
  expect({lines, status, stderr}).toEqual({lines, status: 0, stderr: ''})
  return split(stdout, '\u0002').map(line => split(line, '\u0001').map(words => split(words, '\0')))
}

/** The parts of a text that each end with a mark. */
function split(text: string, mark: string): string[] {
  return text.split(mark).slice(0, -1)
}

const folder = writeTree(temporaryFolder(), {password: 'secret'})

describe('the examples in help', () => {
  it.each(named.filter(({name}) => name !== 'help'))(
    '$name: can be pasted into a shell',
    async ({name, id, examples}) => {
      const {stdout} = await helpOf({name, id})
      const [, section = ''] = /^EXAMPLES?\n([\s\S]*)/m.exec(stdout) ?? []
      const lines = section
        .split('\n')
        .map(line => line.trim())
        .filter(line => line !== '' && !line.startsWith('#') && !/^[A-Z]+$/.test(line))
      expect(lines).toHaveLength(examples.length)
      // jq reads the output of the program: only what comes before it is run.
      const runs = lines.map(line => line.split(' | jq ')[0]?.replace(/^pass .* \| /, '') ?? '')
      const {Parser, flags, args, strict} = await parts(name)
      for (const commands of await shellWords(runs)) {
        const [words = []] = commands.slice(-1)
        expect(words.slice(0, 1 + id.length)).toEqual(['crossplane', ...id])
        const settled = settleBooleans(words.slice(1 + id.length), {...flags})
        await Parser.parse([...settled.words], {flags, args, strict})
      }
    },
  )
})

/** What oclif parses a command line of a command by. */
async function parts(command: string) {
  const {default: Class} = (await import(join(COMMANDS, `${command.replaceAll(' ', '/')}.ts`))) as {
    default: typeof Command
  }
  return {
    Parser: await import('@oclif/core/parser'),
    flags: Class.flags,
    args: Class.args,
    strict: Class.strict,
  }
}

describe('help', () => {
  /** Help of help is help of the program. */
  const helped = named.filter(({name}) => name !== 'help')

  it('of another command has no warning of oclif where NODE_ENV is development', async () => {
    expect(await runBuilt(['help', 'version', '-h'], {env: {NODE_ENV: 'development'}})).toEqual({
      status: 0,
      signal: null,
      stdout: expect.stringContaining('kubectl crossplane version'),
      stderr: '',
    })
  })

  it.each(helped)('$name: has a summary, its usage and examples', async ({name, id, summary}) => {
    const help = await ownHelpOf({name, id})
    expect(help).toEqual({
      status: 0,
      stdout: expect.stringContaining(`\n  kubectl crossplane ${id.join(' ')}`),
      stderr: '',
    })
    expect(help.stdout.split('\n')[0]).toBe(summary)
    expect(help.stdout).toMatch(/^EXAMPLES?$/m)
  })

  // One of each number of words: what finds a command does not know any.
  it.each(named.filter(({name}) => ['version', 'package render', 'registry index list'].includes(name)))(
    '$name: --help, -h and the help command print the same',
    async ({id}) => {
      const help = await runCli(...id, '--help')
      expect(await runCli(...id, '-h')).toEqual(help)
      expect(await runCli('help', ...id)).toEqual(help)
      const [noun = '', ...verb] = id
      if (verb.length > 0) expect(await runCli(noun, 'help', ...verb)).toEqual(help)
    },
  )

  it.each(helped)('$name: --help has at most 60 rows of 80 columns', async ({name, id}) => {
    const {stdout} = await ownHelpOf({name, id})
    expect(rowsOf(stdout)).toBeLessThanOrEqual(60)
    expect(stdout).toMatch(/[^\n]\n$/)
  })

  it.each(helped)(
    '$name: --help-all has every flag, and --help names it for the rest',
    async ({name, id, flags}) => {
      const [own, all] = [await ownHelpOf({name, id}), await helpOf({name, id})]
      const shown = Object.keys(flags).filter(flag => flags[flag]?.hidden !== true)
      const lacks = (text: string) => shown.filter(flag => !new RegExp(`--${flag}(?![\\w-])`).test(text))
      expect(lacks(all.stdout)).toEqual([])
      if (lacks(own.stdout).length > 0)
        expect(own.stdout).toContain(`Use "kubectl crossplane ${id.join(' ')} --help-all" for`)
    },
  )

  it('is printed wherever the flag is', async () => {
    const help = await runCli('package', 'render', '--help')
    expect(await runCli('package', 'render', './x', '--output', 'json', '--help')).toEqual(help)
    const all = await runCli('package', 'render', '--help-all')
    expect(await runCli('package', 'render', './x', '--output', 'json', '--help-all')).toEqual(all)
  })

  it('prints the description before the flags', async () => {
    const {stdout} = await runCli('package', 'render', '--help-all')
    const headers = stdout.split('\n').filter(line => /^[A-Z ]+$/.test(line) && line !== '')
    expect(headers.indexOf('DESCRIPTION')).toBeLessThan(headers.findIndex(line => line.endsWith('FLAGS')))
  })

  it('is as wide as the terminal', async () => {
    expect([
      helpWidth({isTTY: true, columns: 200}, {COLUMNS: '50'}),
      helpWidth({isTTY: true, columns: 20}, {}),
      helpWidth({}, {COLUMNS: '70'}),
      helpWidth({}, {}),
    ]).toEqual([200, 40, 70, 100])
    process.env.COLUMNS = '60'
    try {
      const {stdout} = await runCli('package', 'render', '--help-all')
      const wide = stdout.split('\n').filter(line => line.length > 64 && !line.startsWith('  kubectl'))
      expect(wide).toEqual([])
    } finally {
      delete process.env.COLUMNS
    }
  })

  it.each(helped)(
    '$name: uses only the name of the plugin, and shows nothing hidden',
    async ({name, id, flags}) => {
      const {stdout} = await helpOf({name, id})
      expect(stdout).not.toMatch(/^\s*kubectl-crossplane /m)
      const hidden = Object.keys(flags).filter(name => flags[name]?.hidden === true)
      expect(hidden.filter(name => new RegExp(`--${name}(?![\\w-])`).test(stdout))).toEqual([])
    },
  )

  it.each(
    [[], ['--help'], ['-h'], ['help'], ['help', '--help']].map(argv => ({
      name: argv.join(' ') || '(nothing)',
      argv,
    })),
  )('of the program: $name', async ({argv}) => {
    const want = await runCli('--help')
    expect(await runCli(...argv)).toEqual(want)
    expect(want).toEqual({
      status: 0,
      stdout: expect.stringContaining('kubectl crossplane [COMMAND]'),
      stderr: '',
    })
  })

  it('of the program has ten commands to begin with, and all of them with --help-all', async () => {
    const [own, all] = [await runCli(), await runCli('--help-all')]
    const ids = named.map(({name}) => name)
    const listed = (text: string) => ids.filter(id => text.includes(`\n  ${id} `))
    expect(listed(own.stdout)).toHaveLength(10)
    expect(ids.filter(id => !listed(all.stdout).includes(id))).toEqual([])
    expect(own.stdout).toContain('Use "kubectl crossplane --help-all" for all commands')
  })

  it('lists what only packages of Crossplane v0.12 need under one heading', async () => {
    const {stdout} = await runCli('--help-all')
    const [current = '', old = ''] = stdout.split('ONLY FOR PACKAGES OF CROSSPLANE V0.12')
    expect(current).not.toMatch(/^ {2}(manager|services|template) /m)
    expect(['manager:run', 'template:lint', 'services run', 'package:lint'].map(ofOldCrossplane)).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(old).toMatch(/^ {2}package translate /m)
    expect(old).not.toMatch(/^ {2}package install /m)
  })

  it('of many commands: options prints the flags of clusters, registries and the cache', async () => {
    const {status, stdout} = await runCli('options')
    expect({status, headers: stdout.match(/^[A-Z]+ FLAGS$/gm)}).toEqual({
      status: 0,
      headers: ['CLUSTER FLAGS', 'REGISTRY FLAGS', 'CACHE FLAGS', 'GLOBAL FLAGS'],
    })
    expect(stdout).toMatch(
      /--context=NAME .*\n(.*\n)*.*--mirror=FROM=TO\.\.\. .*\n(.*\n)*.*--offline .*\n(.*\n)*.*--quiet /,
    )
  })

  it.each(
    [['package'], ['package', '--help'], ['help', 'package'], ['package', 'help']].map(argv => ({
      name: argv.join(' '),
      argv,
    })),
  )('of a noun: $name', async ({argv}) => {
    const {status, stdout, stderr} = await runCli(...argv)
    const verbs = named.flatMap(({id}) => (id[0] === 'package' ? [id[1] ?? ''] : []))
    expect({status, stderr, lacks: verbs.filter(verb => !stdout.includes(` package ${verb} `))}).toEqual({
      status: 0,
      stderr: '',
      lacks: [],
    })
  })
})
