import {describe, expect, it} from '@jest/globals'
import type {Command} from '@oclif/core'
import {parse} from '@oclif/core/parser'
import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from './run-cli.js'
import {runProgram} from './run-program.js'
import type {SuggestionCase} from './suggestions/suggestion-case.js'

const FOLDER = join(import.meta.dirname, 'suggestions')
const COMMANDS = join(import.meta.dirname, '../src/commands')
const PROGRAM = 'kubectl crossplane '

const cases: SuggestionCase[] = []
for (const file of readdirSync(FOLDER).sort()) {
  if (file === 'suggestion-case.ts') continue
  const module = (await import(join(FOLDER, file))) as {readonly CASES: readonly SuggestionCase[]}
  cases.push(...module.CASES)
}

/** The suggestions of the failure of a command line, which are the lines after its message. */
async function suggestionsOf(argv: readonly string[]): Promise<string[]> {
  const {status, stderr} = await runCli(...argv)
  expect({argv, status}).not.toEqual({argv, status: 0})
  return stderr.split('\n').flatMap(line => (line.startsWith('Try: ') ? [line.slice('Try: '.length)] : []))
}

/** The words of a line as a shell reads them. */
async function shellWords(line: string): Promise<string[]> {
  const {stdout, stderr} = await runProgram('bash', ['-c', `set -f; printf '%s\\0' ${line}`])
  expect({line, stderr}).toEqual({line, stderr: ''})
  return stdout.split('\0').slice(0, -1)
}

/** Parses a command line as oclif does: throws for an unknown command, flag or value. */
async function parsed(words: readonly string[]): Promise<void> {
  if (words.includes('--help')) {
    expect((await runCli(...words)).status).toBe(0)
    return
  }
  const end = [...words.keys()].find(index =>
    existsSync(join(COMMANDS, `${words.slice(0, index + 1).join('/')}.ts`)),
  )
  if (end === undefined) throw new Error(`unknown command: ${words.join(' ')}`)
  const path = join(COMMANDS, `${words.slice(0, end + 1).join('/')}.ts`)
  const {default: command} = (await import(path)) as {readonly default: typeof Command}
  await parse(words.slice(end + 1), {flags: command.flags, args: command.args, strict: command.strict})
}

describe('every suggestion', () => {
  it.each(cases)('for $name can be followed', async ({in: argv}) => {
    const suggestions = await suggestionsOf(argv)
    expect(suggestions.length).toBeGreaterThan(0)
    for (const suggestion of suggestions) {
      if (suggestion.startsWith(PROGRAM)) await parsed((await shellWords(suggestion)).slice(2))
      else expect(suggestion).toMatch(/^[A-Z][^\n]*[.]$/)
    }
  })
})
