import {beforeAll, expect} from '@jest/globals'
import {GitWorlds, type Repository} from '../commands/git/git-world.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {owner} from '../commands/locked-world.js'
import {runCli} from '../run-cli.js'
import {writeTree} from '../temporary-folder.js'
import {below, campaign, pick} from './campaign.js'

/** Layouts whose committed files do not list installs. */
const LAYOUTS: readonly (readonly string[])[] = [
  ['--layout', 'flux'],
  ['--layout', 'argocd', '--repo-url', 'https://git.example.org/a/b'],
]
const HOME = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
const REMOVED = '--assume-no-instances'

/** Changes of a repository that has packages, by the package that they add, upgrade, drain or remove. */
const CHANGES: readonly (readonly [string, (home: Repository) => ReturnType<Repository['run']>])[] = [
  ['x/app', home => home.install('x/app')],
  // It requires `x/parts`, whose CRD all of its installs share.
  ['x/parts', home => home.install('x/web', '--namespace', 'team-a')],
  ['x/parts', home => home.install('x/parts', '--namespace', 'team-b')],
  ['x/bs', home => home.upgrade('x/bs:v2.0.0')],
  ['x/bs', home => home.run('uninstall', 'x-bs')],
  ['x/cs', home => home.upgrade('x/cs:v2.0.0')],
  ['x/site', home => home.run('uninstall', 'x-site')],
  ['x/ds', home => home.run('uninstall', 'x-ds', REMOVED)],
  ['x/es', home => home.run('uninstall', 'x-es', REMOVED)],
]

describeReal('pairs of branches that add, upgrade or remove packages', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const homes: Repository[] = []

  beforeAll(async () => {
    writeTree(worlds.packages, {
      ...owner('v1.0.0', 'cs', 'v1'),
      ...owner('v2.0.0', 'cs', 'v1'),
      ...owner('v1.0.0', 'ds', 'v1'),
      ...owner('v1.0.0', 'es', 'v1'),
    })
    for (const layout of LAYOUTS) homes.push(await branchedHome(layout))
  }, 600_000)

  /** A home whose branches have a change each, all from the same commit. */
  async function branchedHome(layout: readonly string[]): Promise<Repository> {
    const home = worlds.repository({'crossplane-packages.yaml': HOME})
    await home.committed(home.install('x/site:v1.0.0', ...layout))
    for (const name of ['bs', 'cs', 'ds', 'es']) await home.committed(home.install(`x/${name}:v1.0.0`))
    // The next steps remove the controller of one, and the entry of the other.
    for (const name of ['x-ds', 'x-es']) await home.committed(home.run('uninstall', name))
    await home.committed(home.run('uninstall', 'x-es', REMOVED))
    for (const [index, [, change]] of CHANGES.entries()) {
      home.git('switch', '--quiet', '--create', `change-${index}`, 'main')
      await home.committed(change(home))
    }
    return home
  }

  campaign('merge without a conflict', {short: 10, long: 50}, async ({random, number}) => {
    const home = homes[number % homes.length]!
    const one = below(random, CHANGES.length)
    const others = CHANGES.flatMap(([name], index) => (name === CHANGES[one]?.[0] ? [] : [index]))
    await merged(home, one, pick(random, others))
  })

  async function merged(home: Repository, one: number, other: number): Promise<void> {
    home.git('switch', '--quiet', '--force-create', 'merged', `change-${one}`)
    try {
      home.git('merge', '--quiet', '--no-edit', `change-${other}`)
    } catch {
      // The paths in conflict are judged below.
    }
    const conflicts = home.git('diff', '--name-only', '--diff-filter=U').trim()
    expect({one, other, conflicts}).toEqual({one, other, conflicts: ''})
    const packages = ['--packages', worlds.packages]
    const declaration = ['--declaration', home.at('crossplane-packages.yaml'), ...packages]
    expect(await runCli('package', 'lock', ...declaration)).toMatchObject({status: 0})
    const render = await runCli('package', 'render', ...declaration, '--output-dir', home.at('packages'))
    expect({one, other, render}).toMatchObject({render: {status: 0}})
    expect(await runCli('package', 'check', '--git', home.root, ...packages)).toMatchObject({status: 0})
    home.git('add', '--all')
    home.git('commit', '--quiet', '--allow-empty', '--message=merged')
  }
})
