import {type Command, type Interfaces, Plugin} from '@oclif/core'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {CommandClass} from '../../../src/cli/shell/lazy-commands.js'
import {ProgramConfig} from '../../../src/cli/shell/program-config.js'

const ROOT = join(import.meta.dirname, '../../..')
const PLUGINS = readdirSync(join(ROOT, 'plugins')).map(name => join(ROOT, 'plugins', name, 'src'))

type Flag = Command.Flag.Any & {readonly aliases?: readonly string[]}

/** A command of the program or of a plugin, by its class: what it has is read, never listed. */
export interface AnyCommand {
  readonly id: string
  readonly flags: readonly (readonly [name: string, flag: Flag])[]
  /** A value of each argument. */
  readonly arguments: readonly string[]
  /** Each required flag with a value. */
  readonly required: readonly string[]
  /** What the command parses of words, or the message of its error. */
  readonly parse: (words: readonly string[]) => Promise<ParsedWords>
}

/** What a command gets from its words. */
type ParsedWords =
  | {readonly args: unknown; readonly flags: unknown; readonly argv: readonly unknown[]}
  | {readonly error: string}

/** Loads all commands that parse words. */
export async function allCommands(): Promise<readonly AnyCommand[]> {
  const config = await loadedConfig()
  const commands = await Promise.all(
    config.commands.filter(({id}) => id !== 'help').map(async each => [each, await each.load()] as const),
  )
  return commands.map(([listed, command]) => anyCommand(listed, command, config))
}

async function loadedConfig(): Promise<ProgramConfig> {
  const sources = [join(ROOT, 'src'), ...PLUGINS]
  for (const source of sources)
    for (const path of readdirSync(join(source, 'commands'), {recursive: true, encoding: 'utf8'}))
      if (path.endsWith('.ts')) await import(join(source, 'commands', path))
  const plugins = sources.map(
    root => new Plugin({root, pjson: manifestOf(root), isRoot: true, ignoreManifest: true, type: 'core'}),
  )
  for (const plugin of plugins) await plugin.load()
  const [root = ''] = sources
  const byName = new Map(plugins.map(plugin => [plugin.name, plugin]))
  const config = new ProgramConfig({root, pjson: manifestOf(root), plugins: byName})
  await config.load()
  return config
}

function manifestOf(source: string): Interfaces.PJSON {
  const pjson = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8')) as Interfaces.PJSON
  const commands = {strategy: 'pattern', target: './commands'} as const
  return {...pjson, oclif: {...pjson.oclif, commands, plugins: []}}
}

function anyCommand(listed: Command.Loadable, command: Command.Class, config: ProgramConfig): AnyCommand {
  const flags = Object.entries(listed.flags) as unknown as (readonly [string, Flag])[]
  const required = flags.filter(([, {required: isRequired}]) => isRequired === true)
  return {
    id: listed.id.replaceAll(':', ' '),
    flags,
    arguments: Object.values(listed.args).map(
      ({options}) => (options as readonly string[] | undefined)?.[0] ?? 'example/a',
    ),
    required: required.map(([name]) => `--${name}=r.example.org/x`),
    parse: async words => {
      const instance = new (command as unknown as CommandClass)([...words], config) as unknown as {
        parse(options: object): Promise<{args: unknown; flags: object; argv: readonly unknown[]}>
      }
      try {
        const {args: parsed, flags: values, argv} = await instance.parse(command)
        return {args: parsed, flags: values, argv}
      } catch (error) {
        return {error: (error as Error).message}
      }
    },
  }
}
