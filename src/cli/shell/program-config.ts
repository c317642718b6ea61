import {Config} from '@oclif/core/config'
import type {Interfaces} from '@oclif/core'
import {flagsToParse} from './flags/flags-to-parse.js'
import {settleBooleans} from './flags/boolean-words.js'
import {type FormerWords, withNewNames} from './flags/former-names.js'
import {painter} from './text/paint.js'

type Hooks = Interfaces.Hooks
type Preparse = Hooks['preparse']['options']

/** The configuration of oclif for this program and its plugins. */
export class ProgramConfig extends Config {
  /** Returns none: oclif would read colors of help from a file at each start. */
  override loadTheme(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  /** Reads boolean flags as Go programs do, in each command and plugin that parses them. */
  override async runHook<T extends keyof Hooks, P extends Hooks = Hooks>(
    event: T,
    options: P[T]['options'],
    ...rest: readonly [timeout?: number, captureErrors?: boolean]
  ): Promise<Interfaces.Hook.Result<P[T]['return']>> {
    if (event !== 'preparse') return await super.runHook<T, P>(event, options, ...rest)
    const root = this.plugins.get(this.name)
    const successes = root === undefined ? [] : [{plugin: root, result: preparsed(options as Preparse)}]
    return {failures: [], successes}
  }
}

/** Returns the words to parse, and replaces the flags to parse them by. */
function preparsed({argv, options}: Preparse): string[] {
  const {flags = {}} = options
  const {words, renamed} = withNewNames(argv, flags)
  for (const name of renamed) warnOf(name, argv)
  const settled = settleBooleans(words, flags)
  Object.assign(options, {flags: flagsToParse(flags, settled, process.env)})
  return [...settled.words]
}

function warnOf({former, now}: FormerWords, argv: readonly string[]): void {
  process.stderr.write(`${painter(argv)('yellow', 'Warning:')} ${former} is deprecated: use ${now}\n`)
}
