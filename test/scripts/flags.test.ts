import {describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type CommandFlag, commandFlags} from '../../scripts/flag-docs/command-flags.js'
import {MEANINGS} from '../../scripts/flag-docs/flag-meanings.js'
import {flagsPage} from '../../scripts/flag-docs/flags-page.js'
import {grouped} from '../../src/grouped.js'

const PAGE = join(import.meta.dirname, '../../docs/reference/flags.md')
const flags = await commandFlags()
const visible = flags.filter(({isHidden}) => !isHidden)
const byName = [...grouped(visible, ({name}) => name)]

/** What no flag may be in two ways, with the flags that are nevertheless, and why. */
const ONE_WAY: readonly {
  readonly what: string
  readonly of: (flag: CommandFlag) => string
  readonly exceptions: Readonly<Record<string, string>>
}[] = [
  {what: 'letter', of: ({char = ''}) => char, exceptions: {}},
  {
    what: 'kind of value',
    of: ({takesValue}) => String(takesValue),
    exceptions: {},
  },
  {
    what: 'variable',
    of: ({variable = ''}) => variable,
    exceptions: {
      index: 'a variable that names the indexes to read must not choose the one to write',
      'kube-version': 'golden tests of templates do not depend on the environment',
      platform: 'a bundle has all platforms, unless a flag says otherwise',
    },
  },
]

describe('docs/reference/flags.md', () => {
  it('is up to date: npm run docs:flags', async () => {
    expect(readFileSync(PAGE, 'utf8')).toBe(await flagsPage())
  })
})

describe('a flag', () => {
  it('has one meaning: its summary, or that of scripts/flag-docs/flag-meanings.ts', () => {
    const several = byName.map(([name, uses]) => [name, unique(uses.map(({summary}) => summary))] as const)
    const unlisted = several.filter(([name, summaries]) => summaries.length > 1 && !isListed(name, summaries))
    expect(unlisted).toEqual([])
  })

  it('has no summaries in that list that no command has', () => {
    const stale = Object.entries(MEANINGS).flatMap(([name, {summaries}]) => {
      const own = new Set(visible.filter(flag => flag.name === name).map(({summary}) => summary))
      return own.size < 2 ? [name] : summaries.filter(text => !own.has(text)).map(text => `${name}: ${text}`)
    })
    expect(stale).toEqual([])
  })

  it.each(ONE_WAY)('has one $what', ({of, exceptions}) => {
    const several = byName.filter(([, uses]) => unique(uses.map(of)).length > 1).map(([name]) => name)
    expect(several).toEqual(Object.keys(exceptions))
  })

  it('is the only one of its letter', () => {
    const letters = grouped(
      flags.filter(({char}) => char !== undefined),
      ({char = ''}) => char,
    )
    const shared = [...letters].map(([char, uses]) => [char, unique(uses.map(({name}) => name))] as const)
    expect(shared.filter(([, names]) => names.length > 1)).toEqual([])
  })
})

/** Flags of kubectl that occur together, and the commands that have only one of a pair, with the reason. */
const TOGETHER: readonly {
  readonly flag: string
  readonly other: string
  readonly exceptions: Readonly<Record<string, string>>
}[] = [
  ...['kubeconfig', 'as', 'as-group', 'as-uid'].map(other => ({flag: 'context', other, exceptions: {}})),
  {flag: 'as', other: 'context', exceptions: {'package fleet': 'it has --contexts'}},
  {flag: 'yes', other: 'dry-run', exceptions: {}},
  {flag: 'all-namespaces', other: 'selector', exceptions: {}},
  {flag: 'selector', other: 'all-namespaces', exceptions: {}},
  {flag: 'all-namespaces', other: 'namespace', exceptions: {}},
]

describe('a flag of kubectl', () => {
  const having = (flag: string) => uniqueCommands(flags.filter(({name}) => name === flag))

  it.each(TOGETHER)('--$flag occurs with --$other', ({flag, other, exceptions}) => {
    const others = having(other)
    expect(having(flag).filter(command => !others.includes(command))).toEqual(Object.keys(exceptions))
  })

  it('--output occurs in every command that prints a result', () => {
    const all = uniqueCommands(flags)
    const formats = having('output')
    // They print a script, help, or the lines of an index.
    const own = ['completion', 'help', 'options', 'registry index export']
    expect(all.filter(command => !formats.includes(command))).toEqual(
      own.filter(command => all.includes(command)),
    )
  })
})

function uniqueCommands(uses: readonly CommandFlag[]): string[] {
  return unique(uses.map(({command}) => command)).sort()
}

function isListed(name: string, summaries: readonly string[]): boolean {
  const {summaries: listed = []} = MEANINGS[name] ?? {}
  return summaries.every(text => listed.includes(text))
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
