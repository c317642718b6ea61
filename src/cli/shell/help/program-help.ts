import type {Command, Config, Interfaces} from '@oclif/core'
import {type CommandHelp, Help} from '@oclif/core/help'
import {FlagsHelp, FullCommandHelp, OwnCommandHelp} from './command-help.js'
import {ofOldCrossplane, START} from './command-families.js'

const PLAIN_WIDTH = 100
const MIN_WIDTH = 40

/** The width of help: that of the terminal, otherwise `COLUMNS`. */
export function helpWidth(
  {isTTY, columns}: {readonly isTTY?: boolean; readonly columns?: number} = process.stdout,
  {COLUMNS = ''}: NodeJS.ProcessEnv = process.env,
): number {
  const width = isTTY === true && columns !== undefined ? columns : Number.parseInt(COLUMNS, 10)
  return width > 0 ? Math.max(MIN_WIDTH, width) : PLAIN_WIDTH
}

/**
 * Help in two lengths. `--help` fits on a screen: ten commands, or the flags of a command that are used most, with
 * examples. `--help-all` has everything.
 */
export class ProgramHelp extends Help {
  protected override CommandHelpClass: typeof CommandHelp = OwnCommandHelp
  #showsAll = false

  constructor(config: Config | Interfaces.Config, opts: Partial<Interfaces.HelpOptions> = {}) {
    super(config, {...opts, maxWidth: helpWidth(), flagSortOrder: 'none', showFlagOptionsInTitle: true})
  }

  override async showHelp(argv: string[]): Promise<void> {
    const end = argv.includes('--') ? argv.indexOf('--') : argv.length
    this.#showsAll = argv.slice(0, end).includes('--help-all')
    if (this.#showsAll) this.CommandHelpClass = FullCommandHelp
    await super.showHelp(argv)
  }

  /** Without the empty line with which oclif ends the help of a command. */
  protected override log(...texts: string[]): void {
    if (texts.join('') !== '') super.log(...texts)
  }

  /** Without the `$` that oclif puts before the usage of topics alone, and without its word for them. */
  override formatRoot(): string {
    return super.formatRoot().replace('$ ', '')
  }

  protected override showRootHelp(): Promise<void> {
    if (this.#showsAll) this.#showAllCommands()
    else this.#showFirstCommands()
    return Promise.resolve()
  }

  #showFirstCommands(): void {
    this.log(`${this.formatRoot()}\n`)
    for (const [title, ids] of START) {
      const commands = ids.flatMap(id => this.sortedCommands.filter(command => command.id === id))
      this.log(`${this.#list(title, commands)}\n`)
    }
    const {bin} = this.config
    this.log(`Use "${bin} --help-all" for all commands, and "${bin} COMMAND --help" for one.`)
    this.log(`Use "${bin} options" for the flags that many commands have.`)
  }

  /** Prints flags by their groups. @param id - of the command that prints them, as which they are formatted. */
  showFlags(id: string, flags: Command.Loadable['flags']): void {
    const command = this.config.findCommand(id, {must: true})
    this.log(new FlagsHelp({...command, flags}, this.config, this.opts).generate())
  }

  #showAllCommands(): void {
    this.log(`${this.formatRoot()}\n`)
    const [old, current] = [
      this.sortedCommands.filter(({id}) => ofOldCrossplane(id)),
      this.sortedCommands.filter(({id}) => !ofOldCrossplane(id)),
    ]
    for (const [noun, commands] of byNoun(current))
      this.log(`${this.#list(`${noun} COMMANDS`.trim(), commands)}\n`)
    this.log(this.#list(OLD, old))
  }

  protected override formatTopic(topic: Interfaces.Topic): string {
    return super.formatTopic(topic).replace('$ ', '')
  }

  protected override formatTopics(topics: Interfaces.Topic[]): string {
    return super.formatTopics(topics).replace('TOPICS', 'COMMAND GROUPS')
  }

  protected override formatCommands(commands: Command.Loadable[]): string {
    const old = commands.filter(({id}) => ofOldCrossplane(id))
    if (old.length === 0 || old.length === commands.length) return super.formatCommands(commands)
    const current = commands.filter(({id}) => !ofOldCrossplane(id))
    return `${super.formatCommands(current)}\n\n${this.#list(OLD, old)}`
  }

  /** Commands under a heading, as oclif lists them. */
  #list(title: string, commands: Command.Loadable[]): string {
    return super.formatCommands(commands).replace('COMMANDS', title)
  }
}

const OLD = 'ONLY FOR PACKAGES OF CROSSPLANE V0.12'

/** The commands of each noun; those without one come last. */
function byNoun(commands: readonly Command.Loadable[]): readonly (readonly [string, Command.Loadable[]])[] {
  const nounOf = ({id}: Command.Loadable) =>
    /[: ]/.test(id) ? (id.split(/[: ]/)[0] ?? '').toUpperCase() : ''
  const nouns = [...new Set(commands.map(nounOf))].sort((a, b) => Number(a === '') - Number(b === ''))
  return nouns.map(noun => [noun, commands.filter(command => nounOf(command) === noun)])
}
