import {expect} from '@jest/globals'
import {cpSync, existsSync, readdirSync} from 'node:fs'
import {GitWorlds, Repository} from '../commands/git/git-world.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {type CliResult, runCli} from '../run-cli.js'
import {below, campaign, pick} from './campaign.js'

const DECLARATION = 'crossplane-packages.yaml'
const LOCK = 'crossplane-packages.lock'
const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
const SETTINGS = 'packages/.kubectl-crossplane/tree.settings'
const REGISTRY = 'registry.example.org/example'
const STACKS = ['x/bs:v1.0.0', 'x/site:v1.0.0']
const XPKGS = [`${REGISTRY}/provider-sql:v1.2.0`]

/** A setting as lines of a declaration, and as flags of `render` where it has some. */
interface Setting {
  readonly lines: string
  readonly flags?: readonly string[]
}

const LAYOUTS: readonly Setting[] = [
  {lines: '', flags: []},
  {lines: 'layout: flux\n', flags: ['--layout', 'flux']},
  {lines: 'layout: flux\nflux: {interval: 3m, name: mine}\n'},
  {
    lines: 'layout: argocd\nargocd:\n  repoURL: https://git.example.org/a\n',
    flags: ['--layout', 'argocd', '--repo-url', 'https://git.example.org/a'],
  },
  {
    lines:
      'layout: argocd\nargocd: {repoURL: https://git.example.org/a, project: team, destination: {name: production}}\n',
  },
]
const STACK_SETTINGS: readonly Setting[] = [
  {lines: '', flags: []},
  {lines: 'render:\n  pin: false\n', flags: ['--no-pin-image']},
  {lines: 'render: {includeRequest: true, pin: false}\n', flags: ['--no-pin-image', '--include-request']},
]
const XPKG_SETTINGS: readonly Setting[] = [
  {lines: '', flags: []},
  {lines: 'xpkg:\n  pin: tag\n', flags: ['--pin', 'tag']},
  {lines: 'xpkg: {pin: tag, activate: used}\n', flags: ['--pin', 'tag', '--activate', 'used']},
  {lines: 'coreVersion: v2.3.4\n', flags: ['--core-version', 'v2.3.4']},
]

/** What a tree protects and what it was rendered with, as data that two states can be compared by. */
interface Tree {
  readonly settings: string
  readonly layout: readonly string[]
  readonly kept: ReadonlyMap<string, boolean>
}

describeReal('a sequence of commands that render one tree', missingTool('git'), () => {
  const worlds = new GitWorlds()

  campaign('changes no setting that no command names', {short: 20, long: 200}, async ({random}) => {
    const packages = worlds.folder()
    cpSync('examples/xpkg/packages', packages, {recursive: true})
    cpSync(worlds.packages, packages, {recursive: true})
    const home = new Repository(worlds.folder(), packages)
    home.git('init', '--quiet', '--initial-branch=main')
    const formats = pick(random, [STACKS, XPKGS, [...STACKS, ...XPKGS]])
    const settings = [
      pick(random, LAYOUTS),
      ...(formats.some(name => STACKS.includes(name)) ? [pick(random, STACK_SETTINGS)] : []),
      ...(formats.some(name => XPKGS.includes(name)) ? [pick(random, XPKG_SETTINGS)] : []),
    ]
    // What has no flag can only be in the declaration.
    const isField = settings.map(({flags}) => flags === undefined || below(random, 2) === 0)
    const fields = settings.flatMap(({lines}, index) => (isField[index] === true ? [lines] : []))
    const flags = settings.flatMap((setting, index) => (isField[index] === true ? [] : (setting.flags ?? [])))
    home.write({
      [DECLARATION]: `${HEAD}${fields.join('')}packages:\n${formats.map(name => `- package: ${name}\n`).join('')}`,
    })
    const commit = () => {
      home.git('add', '--all')
      if (home.status() !== '') home.git('commit', '--quiet', '--message=by hand')
    }
    /** Adds the lines that a command printed to the declaration, and says whether it printed some. */
    const declare = ({stderr}: CliResult) => {
      const lines = /^Try: Add these lines to \S+:\n([^]*?)\nTry: /m.exec(stderr)?.[1]
      if (lines !== undefined) home.write({[DECLARATION]: `${home.text(DECLARATION)}${lines}\n`})
      return lines !== undefined
    }
    const local = (verb: string, ...args: readonly string[]) =>
      runCli(
        'package',
        verb,
        '--declaration',
        home.at(DECLARATION),
        '--packages',
        packages,
        '--quiet',
        ...args,
      )
    const render = (...args: readonly string[]) =>
      local('render', '--output-dir', home.at('packages'), ...args)
    expect({fields, flags, ...(await local('lock'))}).toMatchObject({status: 0})
    expect({fields, flags, ...(await render(...flags))}).toMatchObject({status: 0})
    commit()
    // A tree of a release without settings shows its layout and its pins.
    const isOfBefore = below(random, 4) === 0
    if (isOfBefore) {
      home.git('rm', '--quiet', '--', SETTINGS)
      commit()
    }

    const commands: readonly (() => Promise<CliResult>)[] = [
      () => render(),
      () => render(...flags),
      () => local('lock'),
      () => home.install('x/as:v1.0.0'),
      () => home.install(`${REGISTRY}/provider-family:v1.1.0`),
      () => home.upgrade(),
      () => home.upgrade('x/bs:v2.0.0'),
      () => home.upgrade(`${REGISTRY}/provider-sql:v1.5.0`),
      () => home.run('uninstall', 'x-bs'),
      () => home.run('uninstall', 'x-bs', '--assume-no-instances'),
      () => home.run('uninstall', 'example-provider-sql'),
      // The rollback of a repository.
      async () => {
        if (home.commits() > 1) home.git('revert', '--no-edit', 'HEAD')
        return await local('check')
      },
      async () => {
        const isLater = home.commits() > 1 && home.git('ls-tree', '--name-only', 'HEAD~1', LOCK) !== ''
        if (isLater) home.git('checkout', '--quiet', 'HEAD~1', '--', LOCK)
        return await render(...flags)
      },
    ]
    for (let step = 0; step < 5; step += 1) {
      const before = treeOf(home)
      const index = below(random, commands.length)
      const result = await commands[index]!()
      const context = {fields, flags, isOfBefore, step, index, status: result.status, stderr: result.stderr}
      expect([0, 1, 2, 3, 5]).toContain(result.status)
      expect(result.stderr).not.toContain('this is a bug')
      expectSame(before, treeOf(home), context)
      const isRefused = declare(result)
      commit()
      if (!isRefused) continue
      // A command that removes the last package of a format does not name the settings of that format.
      const first = await render()
      const again = declare(first) ? await render() : first
      // The declaration agrees now, and has what the flags had.
      expect({...context, again: again.stderr, status: again.status}).toMatchObject({status: 0})
      expectSame(before, treeOf(home), context)
      commit()
    }
  })
})

/** Settings are compared where both states have them; those of a format come and go with its packages. */
function expectSame(before: Tree, after: Tree, context: object): void {
  const ofLayout = ({settings}: Tree) =>
    settings
      .split('\n')
      .filter(
        line => !/^(?:# |formats|- |xpkg|render|coreVersion| {2}(?:pin|activate|includeRequest))/.test(line),
      )
  if (before.settings !== '' && after.settings !== '')
    expect({context, lines: ofLayout(after)}).toEqual({context, lines: ofLayout(before)})
  expectSameFields(before, after, context)
  expect({context, layout: after.layout}).toEqual({context, layout: before.layout})
  for (const [object, isKept] of before.kept) {
    if (!isKept || !after.kept.has(object)) continue
    expect({context, object, isKept: after.kept.get(object)}).toEqual({context, object, isKept: true})
  }
}

function expectSameFields(before: Tree, after: Tree, context: object): void {
  for (const field of [
    'pin: tag',
    'pin: false',
    'activate: used',
    'includeRequest: true',
    'coreVersion: v2.3.4',
  ]) {
    const section = /tag|used|core/.test(field) ? 'xpkg' : 'stack'
    const hasFormat = [before, after].every(({settings}) => settings.includes(`- ${section}\n`))
    if (hasFormat && before.settings.includes(field))
      expect({context, field, has: after.settings.includes(field)}).toEqual({context, field, has: true})
  }
}

function treeOf(home: Repository): Tree {
  const paths = readdirSync(home.at('packages'), {recursive: true, encoding: 'utf8'}).sort()
  const kept = new Map<string, boolean>()
  for (const path of paths.filter(name =>
    /(?:provider|customresourcedefinition|namespaces\/|crds\/).*\.yaml$/.test(name),
  )) {
    const text = home.text(`packages/${path}`)
    const [, kind] = /^kind: (\S+)$/m.exec(text) ?? []
    const [, name] = /^ {2}name: (\S+)$/m.exec(text) ?? []
    kept.set(`${kind ?? ''} ${name ?? ''}`, /prune: disabled|Prune=false/.test(text))
  }
  return {
    settings: existsSync(home.at(SETTINGS)) ? home.text(SETTINGS) : '',
    layout: paths.filter(path => /^(?:flux|argocd)\/start\.yaml$/.test(path)),
    kept,
  }
}
