import {beforeAll, expect} from '@jest/globals'
import {GitWorlds, type Repository} from '../commands/git/git-world.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {runCli} from '../run-cli.js'
import {below, campaign, pick} from './campaign.js'

const HOME = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\nlayout: flux\n'

/** Changes of a repository that has `x/site` and `x/bs`, by the package that they add, upgrade or remove. */
const CHANGES: readonly (readonly [string, (home: Repository) => ReturnType<Repository['run']>])[] = [
  ['x/app', home => home.install('x/app')],
  // It requires `x/parts`, whose CRD all of its installs share.
  ['x/parts', home => home.install('x/web', '--namespace', 'team-a')],
  ['x/parts', home => home.install('x/parts', '--namespace', 'team-b')],
  ['x/bs', home => home.upgrade('x/bs:v2.0.0')],
  ['x/bs', home => home.run('uninstall', 'x-bs')],
  ['x/site', home => home.run('uninstall', 'x-site')],
]
/** What a layout that lists installs has for all of them. */
const OF_ALL = /^packages\/(?:.*\/)?(?:kustomization\.yaml|files\.sha256)$/

describeReal('pairs of branches that change packages', missingTool('git'), () => {
  const worlds = new GitWorlds()
  let home: Repository

  beforeAll(async () => {
    home = worlds.repository({'crossplane-packages.yaml': HOME})
    await home.committed(home.install('x/site:v1.0.0'))
    await home.committed(home.install('x/bs:v1.0.0'))
    for (const [index, [, change]] of CHANGES.entries()) {
      home.git('switch', '--quiet', '--create', `change-${index}`, 'main')
      await home.committed(change(home))
    }
  }, 300_000)

  campaign(
    'merge what is declared, locked and listed without a conflict',
    {short: 10, long: 50},
    async ({random}) => {
      const one = below(random, CHANGES.length)
      const others = CHANGES.flatMap(([name], index) => (name === CHANGES[one]?.[0] ? [] : [index]))
      await merged(one, pick(random, others))
    },
  )

  async function merged(one: number, other: number): Promise<void> {
    home.git('switch', '--quiet', '--force-create', 'merged', `change-${one}`)
    try {
      home.git('merge', '--quiet', '--no-edit', `change-${other}`)
    } catch {
      // The paths in conflict are judged below.
    }
    const conflicts = home.git('diff', '--name-only', '--diff-filter=U').split('\n')
    expect({one, other, conflicts: conflicts.filter(path => path !== '' && !OF_ALL.test(path))}).toEqual({
      ...{one, other, conflicts: []},
    })
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
