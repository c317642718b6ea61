import {fileURLToPath} from 'node:url'
import type {Interfaces} from '@oclif/core'
import {Config} from '@oclif/core/config'
import {expectBooleanVariables} from './boolean-variables.js'
import {outOfFiles} from './out-of-files.js'
import {ensureShell} from './ensure-shell.js'
import {endOnEvents} from './process-events.js'
import {reportFailure} from './report-failure.js'
import {runCommandLine} from './run-command-line.js'
import type {KnownCommands} from './usage-failure.js'

/**
 * Runs one command line and returns its exit status. `load` is the entry's `import.meta.url`, from which oclif finds
 * package.json and the commands, or load options of its own.
 */
export async function main(argv: readonly string[], load: string | ConfigOptions): Promise<number> {
  const stop = endOnEvents(argv)
  let commands: KnownCommands | undefined
  try {
    expectBooleanVariables(process.env)
    ensureShell(process.env)
    const config = new ProgramConfig(configOptions(load))
    await config.load()
    commands = knownCommands(config)
    await runCommandLine(withHelpFirst(argv, config), config)
    return 0
  } catch (error) {
    return await reportFailure(outOfFiles(error), argv, commands)
  } finally {
    stop()
  }
}

/** The configuration of oclif, without the colors of help that it would read from a file at each start. */
class ProgramConfig extends Config {
  override loadTheme(): Promise<undefined> {
    return Promise.resolve(undefined)
  }
}

type ConfigOptions = ConstructorParameters<typeof Config>[0]

function configOptions(load: string | ConfigOptions): ConfigOptions {
  if (typeof load !== 'string') return load
  return {root: load.startsWith('file:') ? fileURLToPath(load) : load}
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
