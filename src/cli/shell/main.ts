import {fileURLToPath} from 'node:url'
import type {Interfaces} from '@oclif/core'
import {normalizeArgv} from '@oclif/core/help'
import {offWord, settleBooleans} from './flags/boolean-words.js'
import {outOfFiles} from './out-of-files.js'
import {ensureShell} from './ensure-shell.js'
import {endOnEvents} from './process-events.js'
import {ProgramConfig} from './program-config.js'
import {reportFailure} from './report-failure.js'
import {runCommandLine} from './run-command-line.js'
import type {KnownCommands} from './known-commands.js'

/**
 * Runs one command line and returns its exit status. `load` is the entry's `import.meta.url`, from which oclif finds
 * package.json and the commands, or load options of its own.
 */
export async function main(argv: readonly string[], load: string | ConfigOptions): Promise<number> {
  let commands: KnownCommands | undefined
  const stop = endOnEvents(argv, () => commands)
  let words = argv
  try {
    ensureShell(process.env)
    const config = new ProgramConfig(configOptions(load))
    await config.load()
    commands = knownCommands(config)
    words = settledWords(argv, config)
    return await runCommandLine(withHelpFirst(words, config), config, commands)
  } catch (error) {
    return await reportFailure(outOfFiles(error), words, commands)
  } finally {
    stop()
  }
}

type ConfigOptions = ConstructorParameters<typeof ProgramConfig>[0]

function configOptions(load: string | ConfigOptions): ConfigOptions {
  if (typeof load !== 'string') return load
  return {root: load.startsWith('file:') ? fileURLToPath(load) : load}
}

/** Flags that are read before a command is. */
const EARLY_FLAGS = {help: {type: 'boolean', char: 'h'}, version: {type: 'boolean'}}

/** Reads `--help=false`, and the flags that failures are reported by, before a command parses its words. */
function settledWords(argv: readonly string[], config: ProgramConfig): readonly string[] {
  if (!argv.some(word => /^-.*=/.test(word))) return argv
  const [id = ''] = normalizeArgv(config, [...argv])
  const command = config.findCommand(id)
  // For a command, `--version=v1` is meant for a package.
  const first: Parameters<typeof settleBooleans>[1] =
    command === undefined ? EARLY_FLAGS : {help: EARLY_FLAGS.help}
  const flags = {...command?.flags, ...first}
  const {words, off} = settleBooleans(argv, flags)
  const early = Object.keys(EARLY_FLAGS)
    .filter(flag => off.has(flag))
    .map(offWord)
  return words.filter(word => !early.includes(word))
}

/** `package help render` is `help package render`. */
function withHelpFirst(argv: readonly string[], config: Interfaces.Config): string[] {
  const at = argv.indexOf('help')
  const noun = argv.slice(0, at)
  const isNoun = at > 0 && config.findTopic(noun.join(':')) !== undefined
  return isNoun ? ['help', ...noun, ...argv.slice(at + 1)] : [...argv]
}

function knownCommands(config: Interfaces.Config): KnownCommands {
  const visible = config.commands.filter(({hidden}) => !hidden)
  const checks = config.commands.filter(command => (command as {readonly isCheck?: unknown}).isCheck === true)
  return {
    ids: visible.map(wordsOf),
    checks: checks.map(wordsOf),
    flagsOf: id => config.findCommand(id.replaceAll(' ', ':'))?.flags ?? {},
  }
}

function wordsOf({id}: {readonly id: string}): string {
  return id.replaceAll(':', ' ')
}
