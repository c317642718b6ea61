import type {Command} from '@oclif/core'
import type {Config} from '@oclif/core/config'
import {normalizeArgv, getHelpFlagAdditions} from '@oclif/core/help'
import type {KnownCommands} from './known-commands.js'
import {type CommandClass, runOf} from './lazy-commands.js'
import {expectFlagsLast} from './misplaced-flags.js'

/**
 * Runs a command line as oclif's own `run` does, on a configuration that is loaded already, and with the help of the
 * program, which needs not be found on disk. Returns the exit status: that of another program, if that has the command.
 */
export async function runCommandLine(
  argv: readonly string[],
  config: Config,
  commands: KnownCommands,
): Promise<number> {
  const [id = '', ...args] = normalizeArgv(config, [...argv])
  await config.runHook('init', {argv: args, id})
  const command = config.findCommand(id)
  const isTopic = config.findTopic(id) !== undefined
  let failure: unknown
  try {
    const plugin = await pathPlugin(argv, command !== undefined || isTopic)
    if (plugin !== undefined) return await plugin()
    if (showsVersion(argv)) process.stdout.write(`${config.userAgent}\n`)
    else if (showsHelp(argv, config)) await showHelp(argv, config)
    else if (command !== undefined) await run(await command.load(), args, config)
    else await runOther({argv, id, args}, config, commands)
    return 0
  } catch (error) {
    failure = error
    throw error
  } finally {
    await config.runHook('finally', {argv: args, Command: command, error: failure as Error, id})
  }
}

/** Runs a class, or what a command map has in its place. */
async function run(command: Command.Class, args: string[], config: Config): Promise<void> {
  if (typeof command === 'function') await runOf(command as unknown as CommandClass, args, config)
  else await (command as Command.Class).run(args, config)
}

/** Prints the help of a noun; throws for flags before a command, and for an unknown command. */
async function runOther(
  {argv, id, args}: {readonly argv: readonly string[]; readonly id: string; readonly args: string[]},
  config: Config,
  commands: KnownCommands,
): Promise<void> {
  const isTopic = config.findTopic(id) !== undefined
  if (isTopic || argv[0]?.startsWith('-') === true) expectFlagsLast(argv, commands)
  if (isTopic) await showHelp([id], config)
  else await config.runCommand(id, args)
}

/** Returns what runs the program of others that has the command and its help; undefined for commands of this program. */
async function pathPlugin(
  argv: readonly string[],
  isOwn: boolean,
): Promise<(() => Promise<number>) | undefined> {
  if (isOwn || (argv[0]?.startsWith('-') ?? true)) return undefined
  const {findPathPlugin, runPathPlugin} = await import('./path-plugin.js')
  const plugin = findPathPlugin(argv, process.env.PATH)
  return plugin && (() => runPathPlugin(plugin))
}

/** Prints the help of a command or topic. */
export async function showHelp(argv: readonly string[], config: Config): Promise<void> {
  const {ProgramHelp} = await import('./help/program-help.js')
  await new ProgramHelp(config).showHelp([...argv])
}

/** Prints flags by their groups, in the format of help. */
export async function showFlags(config: Config, id: string, flags: Command.Loadable['flags']): Promise<void> {
  const {ProgramHelp} = await import('./help/program-help.js')
  new ProgramHelp(config).showFlags(id, flags)
}

/** `-v 6 package list` is not a question for the version. */
function showsVersion(argv: readonly string[]): boolean {
  return argv[0] === '--version' || (argv[0] === '-v' && argv.every(word => word.startsWith('-')))
}

function showsHelp(argv: readonly string[], config: Config): boolean {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const flags = getHelpFlagAdditions(config)
  return argv.length === 0 || argv.slice(0, end).some(word => flags.includes(word))
}
