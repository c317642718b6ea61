import {describe, expect, it} from '@jest/globals'
import type {Command} from '@oclif/core'
import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'

const COMMANDS = join(import.meta.dirname, '../../src/commands')

/** What a command class says of itself; one that declares no flags has none, whatever oclif's types say. */
interface Described {
  readonly summary?: string
  readonly examples?: readonly Command.Example[]
  readonly flags?: Readonly<Record<string, {readonly summary?: string; readonly hidden?: boolean}>>
  readonly args: Readonly<Record<string, {readonly description?: string; readonly ignoreStdin?: boolean}>>
}

const named: (Required<Described> & {readonly name: string; readonly id: readonly string[]})[] = []
for (const path of readdirSync(COMMANDS, {recursive: true, encoding: 'utf8'}).sort()) {
  if (!path.endsWith('.ts')) continue
  const {default: command} = (await import(join(COMMANDS, path))) as {default: Described}
  const {summary = '', examples = [], flags = {}, args} = command
  const id = path.replace(/\.ts$/, '').split('/')
  named.push({name: id.join(' '), id, summary, examples, flags, args})
}

describe('what every command says of itself', () => {
  it('there are commands to look at', () => {
    expect(named.map(({name}) => name)).toEqual(expect.arrayContaining(['package render', 'version']))
  })

  it.each(named)('$name: a summary of one sentence', ({summary}) => {
    expect(summary).toMatch(/^[A-Z][^\n]*[.]$/)
  })

  it.each(named)('$name: every flag has a summary, every argument a description', ({flags, args}) => {
    const silent = [
      ...Object.entries(flags).filter(([, {summary}]) => !/^\S.*[.]$/.test(summary ?? '')),
      ...Object.entries(args).filter(([, {description}]) => !/^\S.*[.]$/.test(description ?? '')),
    ]
    expect(silent.map(([name]) => name)).toEqual([])
  })

  it.each(named)('$name: no argument is taken from standard input', ({args}) => {
    const greedy = Object.entries(args).filter(([, {ignoreStdin}]) => ignoreStdin !== true)
    expect(greedy.map(([name]) => name)).toEqual([])
  })

  it.each(named)('$name: examples, with long flags that there are', ({examples, flags}) => {
    const words = examples.map(example =>
      (typeof example === 'string' ? example : example.command)
        .split(/\s+/)
        .filter(word => word.startsWith('-')),
    )
    const known = new Set(Object.keys(flags).map(name => `--${name}`))
    expect(words.length).toBeGreaterThan(0)
    expect(words.flat().filter(word => !known.has(word.split('=')[0] ?? ''))).toEqual([])
    if (known.size > 0) expect(words.flat().length).toBeGreaterThan(0)
  })
})

describe('help', () => {
  /** Help of help is help of the program. */
  const helped = named.filter(({name}) => name !== 'help')

  it.each(helped)('$name: --help, -h and the help command print the same', async ({id, summary}) => {
    const help = await runCli(...id, '--help')
    expect(help).toEqual({
      status: 0,
      stdout: expect.stringContaining(`$ kubectl crossplane ${id.join(' ')}`),
      stderr: '',
    })
    expect(help.stdout.split('\n')[0]).toBe(summary)
    expect(help.stdout).toMatch(/^EXAMPLES?$/m)
    expect(await runCli(...id, '-h')).toEqual(help)
    expect(await runCli('help', ...id)).toEqual(help)
  })

  it('flags come before or after it', async () => {
    const help = await runCli('package', 'render', '--help')
    expect(await runCli('package', 'render', './x', '--output', 'json', '-h')).toEqual(help)
  })

  it.each(helped)('$name: no other name for the program, and nothing hidden', async ({id, flags}) => {
    const {stdout} = await runCli(...id, '--help')
    const lines = stdout.split('\n').filter(line => line.trimStart().startsWith('$'))
    expect(lines.filter(line => !line.includes('$ kubectl crossplane '))).toEqual([])
    const hidden = Object.keys(flags).filter(name => flags[name]?.hidden === true)
    expect(hidden.filter(name => stdout.includes(`--${name}`))).toEqual([])
  })

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
      stdout: expect.stringContaining('$ kubectl crossplane [COMMAND]'),
      stderr: '',
    })
  })

  it.each(
    [['package'], ['package', '--help'], ['help', 'package']].map(argv => ({name: argv.join(' '), argv})),
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
