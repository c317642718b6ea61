import {describe, expect, it} from '@jest/globals'
import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {type CliResult, runCli, runCliWith} from './run-cli.js'
import {EXEMPTIONS} from './suggestions/exemptions.js'
import {expectFollowable} from './suggestions/follow.js'
import {suggestionTexts} from './suggestions/source-texts.js'
import type {Argv, SuggestionCase} from './suggestions/suggestion-case.js'
import {setVariable} from './set-variable.js'

const FOLDER = join(import.meta.dirname, 'suggestions')

const cases: SuggestionCase[] = []
for (const file of readdirSync(FOLDER).sort()) {
  const module = (await import(join(FOLDER, file))) as {readonly CASES?: readonly SuggestionCase[]}
  cases.push(...(module.CASES ?? []))
}

const PLUGINS = join(import.meta.dirname, '../plugins')
/** The commands below `package` that the plugin for fleets has. */
const FLEET = ['promote', 'fleet']

/** The sources of the plugin that has a command. */
function pluginOf([topic = '', command = '']: Argv): string | undefined {
  if (topic === 'trace' || topic === 'services') return join(PLUGINS, topic, 'src')
  return topic === 'package' && FLEET.includes(command) ? join(PLUGINS, 'fleet/src') : undefined
}

/** Runs a command of the program, or of a plugin. */
async function runAny(...argv: Argv): Promise<CliResult> {
  const plugin = pluginOf(argv)
  return await (plugin === undefined ? runCli(...argv) : runCliWith(plugin, ...argv))
}

/** All suggestions that were shown. */
const shown: string[] = []

/** The suggestions of a command line: lines after those of the error or warning that they belong to. */
async function suggestionsOf(argv: Argv): Promise<string[]> {
  const {stdout, stderr} = await runAny(...argv)
  return `${stdout}\n${stderr}`
    .split('\n')
    .flatMap(line => (line.startsWith('Try: ') ? [line.slice('Try: '.length)] : []))
}

async function withVariables<T>(
  variables: Readonly<Record<string, string>>,
  run: () => Promise<T>,
): Promise<T> {
  const before = Object.keys(variables).map(name => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  try {
    return await run()
  } finally {
    for (const [name, value] of before) {
      setVariable(name, value)
    }
  }
}

describe('every suggestion', () => {
  it.each(cases)('for $name can be followed', async ({in: given, env = {}, want, then}) => {
    await withVariables(env, async () => {
      const argv = typeof given === 'function' ? await given() : given
      const suggestions = await suggestionsOf(argv)
      expect({argv, suggestions}).not.toEqual({argv, suggestions: []})
      if (want !== undefined) expect(suggestions).toEqual(want)
      expect(suggestions).not.toContain(`kubectl crossplane ${argv.join(' ')}`)
      shown.push(...suggestions)
      for (const suggestion of suggestions) await expectFollowable(suggestion, argv)
      if (then !== undefined) expect(await runCli(...(await then(argv)))).toMatchObject({status: 0})
    })
  })

  it('in the sources has a case or an exemption', () => {
    const hidden = suggestionTexts().filter(({pattern}) => !shown.some(text => pattern.test(text)))
    expect(new Set(hidden.map(({text}) => text))).toEqual(new Set(Object.keys(EXEMPTIONS)))
  })

  it.each(Object.entries(EXEMPTIONS))('with an exemption can be parsed: %s', async (text, {in: argv}) => {
    await expectFollowable(text.replaceAll('…', 'x'), argv)
  })
})
