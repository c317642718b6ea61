import type {Command} from '@oclif/core'
import {CommandHelp} from '@oclif/core/help'
import {count, listAll} from '../../../text.js'

type Flag = Command.Flag.Any
type Sections = ReturnType<CommandHelp['sections']>

/** Everything about a command: `--help-all`. */
export class FullCommandHelp extends CommandHelp {
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

/** Groups of flags that many commands have: `kubectl crossplane options` prints them. */
const COMMON_GROUPS: readonly (string | undefined)[] = ['REGISTRY', 'CACHE', 'GLOBAL', 'SAFETY']
/** The first examples of a command are the most common ones. */
const MAX_EXAMPLES = 4
/** What a reader sees at once, below the summary: examples that need more rows are left for `--help-all`. */
const MAX_ROWS = 58
const PARAGRAPH = /\n\s*\n/

/** The first paragraph about a command, its own flags that most users need, and examples: `--help`. */
export class OwnCommandHelp extends FullCommandHelp {
  #examples = MAX_EXAMPLES

  override generate(): string {
    const all = Object.entries(this.command.flags).filter(([, {hidden}]) => hidden !== true)
    const {mostUsed} = this.command as {readonly mostUsed?: readonly string[]}
    const shown = all.filter(
      ([name, {helpGroup}]) => mostUsed?.includes(name) ?? !COMMON_GROUPS.includes(helpGroup),
    )
    this.command.flags = Object.fromEntries(
      shown.map(([name, flag]) => [name, {...flag, helpGroup: undefined}]),
    )
    let text = this.#withMore(all.length - shown.length)
    for (
      ;
      this.#examples > 1 && this.#rows(text) > MAX_ROWS;
      text = this.#withMore(all.length - shown.length)
    )
      this.#examples -= 1
    return text
  }

  /** The help, and what `--help-all` has besides. */
  #withMore(flags: number): string {
    const {description = '', examples = []} = this.command
    const more = [
      ...(flags > 0 ? [count(flags, 'more flag')] : []),
      ...(PARAGRAPH.test(description) ? ['the full description'] : []),
      ...(examples.length > this.#examples ? [count(examples.length - this.#examples, 'more example')] : []),
    ]
    if (more.length === 0) return super.generate()
    return `${super.generate()}\n\nUse "${this.config.bin} ${this.command.id} --help-all" for ${listAll(more)}.`
  }

  /** The lines of a terminal, which wraps commands. */
  #rows(text: string): number {
    const lines = text.split('\n')
    return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / this.opts.maxWidth)), 0)
  }

  protected override description(): string | undefined {
    return super.description()?.split(PARAGRAPH)[0]
  }

  protected override examples(examples: Command.Example[] | string | undefined): string | undefined {
    return super.examples(Array.isArray(examples) ? examples.slice(0, this.#examples) : examples)
  }
}

/** Only the flags of a command, in their groups: `kubectl crossplane options`. */
export class FlagsHelp extends FullCommandHelp {
  protected override sections(): Sections {
    return super.sections().filter(({header}) => header === 'FLAGS')
  }
}

/** The summary of a flag with its default and its environment variable. */
function flagText(flag: Flag): string {
  const value =
    flag.type === 'option' && typeof flag.default === 'string' ? ` (default: ${flag.default})` : ''
  const env = flag.env === undefined ? '' : ` [$${flag.env}]`
  return `${flag.summary ?? ''}${value}${env}`
}
