import {expect, it} from '@jest/globals'
import {type JsonObject, writeYaml} from 'kubectl-crossplane/plugin'
import {GitWorlds, type Repository} from '../../../test/commands/git/git-world.js'
import {branchesOf, updateWorlds} from '../../../test/commands/git/update-world.js'
import {schemaOf, schemaViolations} from '../../../test/json-schema.js'
import {missingTool} from '../../../test/missing-tool.js'
import {describeReal} from '../../../test/real-parts.js'
import {runCli} from '../../../test/run-cli.js'
import {runFleet} from './homes-world.js'

const HOMES = ['clusters/staging', 'clusters/production'] as const
const BRANCH = 'crossplane-promote/main/clusters+production/packages'

describeReal('package promote in a repository', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const world = updateWorlds(worlds)

  const declaration = (packages: readonly JsonObject[], settings: JsonObject = {}) =>
    writeYaml([
      {
        ...{apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1', kind: 'PackageDeclaration'},
        ...settings,
        packages,
      },
    ])

  /** A repository whose staging is a version ahead of production. */
  async function twoHomes(settings: JsonObject = {}) {
    const {publish, name, cache} = world()
    for (const tag of ['v1.0.0', 'v1.1.0']) publish('sql', tag)
    const start = worlds.repository({
      'clusters/staging/crossplane-packages.yaml': declaration([{package: `${name('sql')}:v1.1.0`}]),
      'clusters/production/crossplane-packages.yaml': declaration(
        [{package: `${name('sql')}:v1.0.0`}],
        settings,
      ),
    })
    for (const path of HOMES) {
      await start.committed(
        runCli(
          ...['package', 'upgrade', '--git', start.root, '--path', path, '--cache-dir', cache],
          ...['--yes', '--quiet'],
        ),
      )
    }
    const promote = async (git: string, ...args: readonly string[]) =>
      await runFleet('package', 'promote', ...HOMES, '--git', git, '--cache-dir', cache, ...args)
    return {start, bare: worlds.bare(start), name, publish, promote, cache}
  }

  const digestIn = (repository: Repository, revision: string, home: string) =>
    /digest: (\S+)/.exec(repository.git('show', `${revision}:${home}/crossplane-packages.lock`))?.[1]

  it('commits to the branch, with the digests of the other home, which check accepts', async () => {
    const {start, promote, cache} = await twoHomes()
    const {status, stderr} = await promote(start.root, '--yes')
    expect(stderr).toMatch(/: committed [0-9a-f]{12} to main\n$/)
    expect(status).toBe(0)
    expect(start.git('log', '--format=%s', '--max-count=1')).toBe('Promote packages from clusters/staging\n')
    const [staging, production] = HOMES.map(home => digestIn(start, 'HEAD', home))
    expect(production).toMatch(/^sha256:/)
    expect(production).toBe(staging)
    const check = await runCli(
      ...['package', 'check', '--git', start.root, '--path', 'clusters/production', '--cache-dir', cache],
    )
    expect(check).toMatchObject({status: 0})
    expect(await promote(start.root, '--yes')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('nothing to change'),
    })
  })

  it('makes a branch of its own, makes it once, and removes it when it is merged', async () => {
    const {bare, promote} = await twoHomes()
    const url = `file://${bare.root}`
    bare.git('config', 'receive.advertisePushOptions', 'true')
    const first = await promote(url, '--pr', 'gitlab', '--output', 'json')
    expect(schemaViolations(schemaOf('package-updates'), JSON.parse(first.stdout))).toEqual([])
    expect(JSON.parse(first.stdout)).toMatchObject({
      updates: [{branch: BRANCH, status: 'created', packages: [{from: 'v1.0.0', to: 'v1.1.0'}]}],
    })
    expect(branchesOf(bare)).toEqual([BRANCH])
    expect(digestIn(bare, BRANCH, HOMES[1])).toBe(digestIn(bare, 'main', HOMES[0]))
    const tips = bare.git('for-each-ref')
    const second = await promote(url, '--pr', 'gitlab', '--output', 'json')
    expect(JSON.parse(second.stdout)).toMatchObject({updates: [{status: 'current'}]})
    expect(bare.git('for-each-ref')).toBe(tips)
    bare.git('update-ref', 'refs/heads/main', BRANCH)
    const merged = await promote(url, '--pr', 'gitlab', '--output', 'json')
    expect(JSON.parse(merged.stdout)).toMatchObject({updates: [{status: 'removed'}]})
    expect(branchesOf(bare)).toEqual([])
  })

  it('leaves a branch that a user changed, and leaves branches of promotions to package update', async () => {
    const {bare, promote, cache} = await twoHomes()
    const url = `file://${bare.root}`
    bare.git('config', 'receive.advertisePushOptions', 'true')
    await promote(url, '--pr', 'gitlab')
    const clone = worlds.clone(bare, '--branch', BRANCH)
    clone.write({'README.md': 'theirs\n'})
    clone.git('add', '--all')
    clone.git('commit', '--quiet', '--message=theirs')
    clone.git('push', '--quiet')
    const tip = bare.git('rev-parse', BRANCH)
    const {stdout} = await promote(url, '--pr', 'gitlab')
    expect(stdout).toContain('changed by a user; left as it is')
    await runCli('package', 'update', '--git', url, '--path', HOMES[1], '--cache-dir', cache)
    expect(bare.git('rev-parse', BRANCH)).toBe(tip)
    const ofBranch = await runCli('package', 'update', '--git', url, '--branch', BRANCH, '--cache-dir', cache)
    expect(ofBranch).toMatchObject({status: 2})
  })

  it('takes the content of the first home where a tag has another one now', async () => {
    const {start, publish, promote} = await twoHomes()
    publish('sql', 'v1.1.0', {crd: 'buckets.example.org'})
    expect(await promote(start.root, '--yes', '--no-cache')).toMatchObject({status: 0})
    expect(digestIn(start, 'HEAD', HOMES[1])).toBe(digestIn(start, 'HEAD', HOMES[0]))
  })

  it('names in the request and in its output what only one home has', async () => {
    const {start, bare, name, promote, publish, cache} = await twoHomes()
    publish('extra', 'v1.0.0')
    await start.committed(
      runCli(
        ...['package', 'install', `${name('extra')}:v1.0.0`, '--git', start.root, '--path', HOMES[1]],
        ...['--cache-dir', cache, '--yes', '--quiet'],
      ),
    )
    start.git('push', '--quiet', bare.root, 'main')
    bare.git('config', 'receive.advertisePushOptions', 'true')
    const {stdout, stderr} = await promote(`file://${bare.root}`, '--pr', 'gitlab', '--output', 'json')
    const want = `does not have ${name('extra')}: not changed`
    expect(stderr).toContain(want)
    const [update] = (JSON.parse(stdout) as {readonly updates: readonly {readonly body?: string}[]}).updates
    expect(update?.body).toMatch(/## Notes\n/)
    expect(update?.body).toContain(want)
  })
})
