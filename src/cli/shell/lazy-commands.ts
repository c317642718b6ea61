import type {Command, Config} from '@oclif/core'

/** A class of commands that can be instantiated. */
export type CommandClass = new (argv: string[], config: Config) => Command
type LoadCommand = () => Promise<{readonly default: CommandClass}>

/** The properties of a command that oclif requires to run it; flags and help come from the manifest. */
export interface LazyCommand {
  /** Set by oclif. */
  id?: string
  plugin?: Command.Class['plugin']
  run(argv: string[], config: Config): Promise<unknown>
  /** Imports the class, for what it offers to other commands. */
  load<Offer>(): Promise<Offer>
}

/** Imports the module of a command when it runs. oclif takes the map as a whole, so it must not import them all. */
export function lazyCommands(modules: Readonly<Record<string, LoadCommand>>): Record<string, LazyCommand> {
  return Object.fromEntries(Object.entries(modules).map(([id, load]) => [id, lazyCommand(load)]))
}

function lazyCommand(load: LoadCommand): LazyCommand {
  return {
    async load<Offer>() {
      return (await load()).default as Offer
    },
    async run(argv, config) {
      const {default: command} = await load()
      Object.assign(command, {id: this.id, plugin: this.plugin})
      return await runOf(command, argv, config)
    },
  }
}

/** Does what oclif's static run does, but for loading the configuration again, as another class. */
export async function runOf(command: CommandClass, argv: string[], config: Config): Promise<unknown> {
  return await new command(argv, config)['_run']()
}
