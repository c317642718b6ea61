import {beforeAll, expect} from '@jest/globals'
import {chmodSync, cpSync, readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {programWords} from '../built-program.js'
import {GitWorlds, Repository} from '../commands/git/git-world.js'
import {KilledRuns, type Moment, runBuilt} from '../commands/git/killed-run.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {below, campaign, pick} from './campaign.js'

/** Every way in which a folder gets a commit. */
const TARGETS = [
  {name: 'the current branch', branch: 'main', flags: []},
  {name: 'another branch', branch: 'next', flags: ['--branch', 'next']},
  {name: 'the current branch, pushed', branch: 'main', flags: ['--push']},
  {name: 'another branch, pushed', branch: 'next', flags: ['--branch', 'next', '--push']},
] as const

describeReal('a commit that kill -9 ends at any step', missingTool('git'), () => {
  const worlds = new GitWorlds()
  let bare: Repository
  let clone: Repository
  /** The result of an undisturbed run, and its number of git calls, by the name of a target. */
  const results = new Map<string, {readonly tree: string; readonly calls: number}>()

  /** Copies of both repositories, with the paths that they have of each other. */
  function copies(): {readonly bare: Repository; readonly clone: Repository} {
    const copy = {
      bare: new Repository(worlds.folder(), worlds.packages),
      clone: new Repository(worlds.folder(), worlds.packages),
    }
    cpSync(bare.root, copy.bare.root, {recursive: true})
    cpSync(clone.root, copy.clone.root, {recursive: true})
    copy.clone.git('remote', 'set-url', 'origin', `file://${copy.bare.root}`)
    return copy
  }

  const argsFor = (root: string, flags: readonly string[]) => [
    ...['install', 'x/app:v1.0.0', '--git', root, ...flags],
    ...['--packages', worlds.packages, '--yes', '--quiet'],
  ]

  beforeAll(async () => {
    programWords()
    bare = worlds.bare()
    clone = worlds.clone(bare)
    await clone.committed(clone.install('x/bs:v1.0.0', '--push'))
    for (const {name, branch, flags} of TARGETS) {
      const [{clone: copy}, runs] = [copies(), new KilledRuns(worlds.folder())]
      expect(await runs.run(argsFor(copy.root, flags))).toMatchObject({status: 0})
      results.set(name, {tree: copy.git('rev-parse', `${branch}^{tree}`), calls: runs.calls()})
    }
  }, 180_000)

  campaign('is completed by the same command', {short: 8, long: 200}, async ({number, random}) => {
    const target = TARGETS[number % TARGETS.length]!
    const {tree, calls} = results.get(target.name)!
    const when = pick<Moment['when']>(random, ['before', 'after', {later: below(random, 300)}])
    const moment = {call: 1 + below(random, calls), when}
    const [copy, runs] = [copies(), new KilledRuns(worlds.folder())]
    const args = argsFor(copy.clone.root, target.flags)
    const killed = await runs.run(args, moment)
    // A later moment can be after the end.
    if (typeof when === 'string') expect({...killed, moment}).toMatchObject({status: null, moment})
    const again = await runs.run(args)

    expect({...again, moment}).toEqual({status: 0, stderr: expect.any(String), moment})
    const {branch, flags} = target
    expect(copy.clone.git('rev-parse', `${branch}^{tree}`)).toBe(tree)
    expect(copy.clone.git('rev-list', '--count', branch)).toBe('3\n')
    expect([copy.clone.status(), readdirSync(runs.temporary)]).toEqual(['', []])
    expect(copy.clone.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
    if (flags.some(flag => flag === '--push'))
      expect(copy.bare.git('rev-parse', branch)).toBe(copy.clone.git('rev-parse', branch))
  })
})

/** Installs that two teams can request at the same time, also of a package that the other one requires. */
const PAIRS = [
  ['x/app:v1.0.0', 'x/bs:v1.0.0'],
  ['x/app:v1.0.0', 'x/as:v1.0.0'],
  ['x/bs:v2.0.0', 'x/as'],
] as const

describeReal('two clones that commit different installs at the same time', missingTool('git'), () => {
  const worlds = new GitWorlds()
  beforeAll(() => {
    programWords()
  })

  /** Variables with a hook in which each of two runs waits for the other one, so that both have planned. */
  function meeting(): (self: string, other: string) => Readonly<Record<string, string>> {
    const place = worlds.folder()
    return (self, other) => {
      const hooks = worlds.folder()
      const script = `touch '${place}/${self}'; for i in $(seq 600); do [ -e '${place}/${other}' ] && exit 0; sleep 0.05; done`
      writeFileSync(join(hooks, 'pre-commit'), `#!/bin/sh\n${script}\n`)
      chmodSync(join(hooks, 'pre-commit'), 0o755)
      return {GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.hooksPath', GIT_CONFIG_VALUE_0: hooks}
    }
  }

  campaign('both are in the branch', {short: 3, long: 20}, async ({number, random}) => {
    const bare = worlds.bare()
    const packages = PAIRS[number % PAIRS.length]!
    const variables = meeting()
    const url = `file://${bare.root}`
    const install = (reference: string, env: Readonly<Record<string, string>>) => {
      const target = random() < 0.5 ? [url] : [worlds.clone(bare).root, '--push']
      return runBuilt(['install', reference, '--git', ...target, '--packages', worlds.packages, '--yes'], env)
    }
    const [one, other] = await Promise.all([
      install(packages[0], variables('one', 'other')),
      install(packages[1], variables('other', 'one')),
    ])
    expect([one, other]).toEqual([expect.objectContaining({status: 0}), expect.objectContaining({status: 0})])

    expect(bare.commits()).toBe(3)
    const home = worlds.clone(bare)
    for (const reference of packages)
      expect(home.text('crossplane-packages.yaml')).toContain(`- package: ${reference}\n`)
    const source = ['--declaration', home.at('crossplane-packages.yaml'), '--packages', worlds.packages]
    const lock = home.text('crossplane-packages.lock')
    expect(await runBuilt(['check', '--git', home.root, '--packages', worlds.packages])).toMatchObject({
      status: 0,
    })
    home.git('rm', '--quiet', 'crossplane-packages.lock')
    expect(await runBuilt(['lock', ...source])).toMatchObject({status: 0})
    expect(home.text('crossplane-packages.lock')).toBe(lock)
  })
})
