import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import type {Command} from '@oclif/core'
import {currentNames} from '../../src/cli/shell/flags/former-names.js'

const ROOT = join(import.meta.dirname, '../..')

/** A flag of one command, as oclif describes it. */
export interface CommandFlag {
  /** With spaces, such as `package render`. */
  readonly command: string
  readonly name: string
  readonly summary: string
  readonly takesValue: boolean
  readonly isHidden: boolean
  readonly char?: string
  /** Its other words, such as `-f` and `--filename`. */
  readonly aliases: readonly string[]
  readonly variable?: string
  readonly default?: string
  /** Its names in earlier releases. */
  readonly formerNames: readonly string[]
  /** The accepted words, if there are only these. */
  readonly words?: readonly string[]
}

/** Reads the flags of all commands, also those of plugins, from their sources. */
export async function commandFlags(): Promise<CommandFlag[]> {
  const plugins = readdirSync(join(ROOT, 'plugins')).map(name => join(ROOT, 'plugins', name))
  const folders = [ROOT, ...plugins].map(folder => join(folder, 'src/commands')).filter(existsSync)
  const lists: CommandFlag[][] = []
  for (const folder of folders) lists.push(await flagsIn(folder))
  return lists.flat().sort((a, b) => compare(`${a.name} ${a.command}`, `${b.name} ${b.command}`))
}

/** Compares texts by their code units, so that the page does not depend on a locale. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

async function flagsIn(folder: string): Promise<CommandFlag[]> {
  const paths = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter(path => path.endsWith('.ts'))
  const lists: CommandFlag[][] = []
  // One after the other: modules that are imported side by side are not in the cache of jest.
  for (const path of paths) {
    const {default: command} = (await import(pathToFileURL(join(folder, path)).href)) as {
      readonly default?: typeof Command
    }
    const id = path.replaceAll('\\', '/').replace(/\.ts$/, '').replaceAll('/', ' ')
    const own = command?.flags ?? {}
    const former = [...currentNames(own)]
    const formerNames = (name: string) => former.flatMap(([old, now]) => (now === name ? [old] : []))
    lists.push(Object.entries(own).map(([name, flag]) => flagOf(id, name, flag, formerNames(name))))
  }
  return lists.flat()
}

function flagOf(
  command: string,
  name: string,
  flag: (typeof Command.flags)[string],
  formerNames: readonly string[],
): CommandFlag {
  return {
    command,
    name,
    summary: flag.summary ?? '',
    takesValue: flag.type === 'option',
    isHidden: flag.hidden === true,
    char: flag.char,
    aliases: [
      ...(flag.charAliases ?? []).map(letter => `-${letter}`),
      ...(flag.aliases ?? []).map(text => `--${text}`),
    ],
    variable: flag.env,
    default: textOf(flag.default),
    formerNames,
    words: flag.type === 'option' ? flag.options : undefined,
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.length > 0 ? value.join(',') : undefined
}
