import type {Command, Config, Interfaces} from '@oclif/core'
import {CommandHelp, Help} from '@oclif/core/help'
import {count} from '../../text.js'

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

/** Help as kubectl prints it: `-h` is short and shows the flags that are used most, `--help` shows all. */
export class ProgramHelp extends Help {
  protected override CommandHelpClass: typeof CommandHelp = FullCommandHelp

  constructor(config: Config | Interfaces.Config, opts: Partial<Interfaces.HelpOptions> = {}) {
    super(config, {...opts, maxWidth: helpWidth(), flagSortOrder: 'none', showFlagOptionsInTitle: true})
  }

  override async showHelp(argv: string[]): Promise<void> {
    const end = argv.includes('--') ? argv.indexOf('--') : argv.length
    const words = argv.slice(0, end)
    if (words.includes('-h') && !words.includes('--help')) this.CommandHelpClass = ShortCommandHelp
    await super.showHelp(argv)
  }

  /** Without the `$` that oclif puts before the usage of topics alone, and without its word for them. */
  override formatRoot(): string {
    return super.formatRoot().replace('$ ', '')
  }

  protected override formatTopic(topic: Interfaces.Topic): string {
    return super.formatTopic(topic).replace('$ ', '')
  }

  protected override formatTopics(topics: Interfaces.Topic[]): string {
    return super.formatTopics(topics).replace('TOPICS', 'COMMAND GROUPS')
  }
}

type Flag = Command.Flag.Any
type Sections = ReturnType<CommandHelp['sections']>

class FullCommandHelp extends CommandHelp {
  protected override sections(): Sections {
    const sections = super.sections()
    const find = (header: string) => sections.filter(section => section.header === header)
    return ['USAGE', 'DESCRIPTION', 'ARGUMENTS', 'FLAGS', 'EXAMPLES', 'ALIASES'].flatMap(find)
  }

  protected override usage(): string {
    const args = Object.values(this.command.args).filter(({hidden}) => hidden !== true)
    const words = args.map(arg => this.arg(arg))
    const more = this.command.strict === false && args.length > 0 ? ['...'] : []
    const required = Object.entries(this.command.flags)
      .filter(([, flag]) => flag.required === true)
      .map(([name]) => `--${name}=${this.#valueName(name)}`)
    return [this.config.bin, this.command.id, ...words, ...more, ...required, '[flags]'].join(' ')
  }

  /**
   * Without the list of accepted words that oclif puts before a description: descriptions name them. Only the last
   * argument can be repeated.
   */
  protected override args(args: Command.Arg.Any[]): [string, string | undefined][] | undefined {
    const rows = super.args(args.map(({options: _, ...arg}) => arg))
    return rows?.map(([label, text], at) => [at < rows.length - 1 ? label.replace('...', '') : label, text])
  }

  /** Empty, because the summary is printed already. */
  protected override description(): string | undefined {
    const {description} = this.command
    return description === undefined ? undefined : this.wrap(this.render(description))
  }

  /** Flags with a letter come first: oclif strips the indentation of the first line. */
  protected override flags(flags: Flag[]): [string, string | undefined][] | undefined {
    const [lettered, others] = [flags.filter(({char}) => char), flags.filter(({char}) => !char)]
    const rows = [...lettered, ...others].map((flag): [string, string] => [
      lettered.length === 0 ? this.flagHelpLabel(flag).trimStart() : this.flagHelpLabel(flag),
      flagText(flag),
    ])
    return rows.length === 0 ? undefined : rows
  }

  /** Never wraps commands, so that they can be pasted. */
  protected override examples(examples: Command.Example[] | string | undefined): string | undefined {
    const list = examples === undefined ? [] : Array.isArray(examples) ? examples : [examples]
    const texts = list.map(example => {
      const {description, command} = typeof example === 'string' ? {command: example} : example
      return [...(description === undefined ? [] : [`# ${description}`]), this.render(command)].join('\n')
    })
    return texts.length === 0 ? undefined : texts.join('\n\n')
  }

  #valueName(name: string): string {
    const flag = this.command.flags[name]
    return flag?.type === 'option' ? (flag.helpValue?.toString() ?? 'VALUE') : ''
  }
}

/** Groups of flags that are rarely needed. */
const RARE_GROUPS: readonly (string | undefined)[] = ['REGISTRY', 'CACHE', 'GLOBAL', 'SAFETY']

class ShortCommandHelp extends FullCommandHelp {
  override generate(): string {
    const all = Object.entries(this.command.flags).filter(([, {hidden}]) => hidden !== true)
    const {mostUsed} = this.command as {readonly mostUsed?: readonly string[]}
    const shown = all.filter(
      ([name, {helpGroup}]) => mostUsed?.includes(name) ?? !RARE_GROUPS.includes(helpGroup),
    )
    this.command.flags = Object.fromEntries(
      shown.map(([name, flag]) => [name, {...flag, helpGroup: undefined}]),
    )
    const others = all.length - shown.length
    const rest = others === 0 ? 'a description and examples' : `${count(others, 'more flag')} and examples`
    return `${super.generate()}\n\nUse "${this.config.bin} ${this.command.id} --help" for ${rest}.`
  }

  protected override sections(): Sections {
    return super.sections().filter(({header}) => ['USAGE', 'ARGUMENTS', 'FLAGS'].includes(header))
  }
}

/** The summary of a flag with its default and its environment variable. */
function flagText(flag: Flag): string {
  const value =
    flag.type === 'option' && typeof flag.default === 'string' ? ` (default: ${flag.default})` : ''
  const env = flag.env === undefined ? '' : ` [$${flag.env}]`
  return `${flag.summary ?? ''}${value}${env}`
}
