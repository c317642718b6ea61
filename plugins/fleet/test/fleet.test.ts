import {chmodSync, mkdirSync, mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from '@jest/globals'
import {writeYaml} from 'kubectl-crossplane/plugin'
import {GitWorlds, runTool} from '../../../test/commands/git/git-world.js'
import {missingTool} from '../../../test/missing-tool.js'
import {describeReal} from '../../../test/real-parts.js'
import {unprivileged} from '../../../test/unprivileged.js'
import {schemaOf, schemaViolations} from '../../../test/json-schema.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'
import {kubeconfigOf} from './fleet-clusters.js'
import {provider} from './live-provider.js'
import {type Homes, NAME, runFleet, threeHomes} from './homes-world.js'

const LONG_AGO = '2020-01-01T00:00:00Z'
function writeRings(homes: Homes, folder = ''): string {
  const rings = ['canary', 'staging', 'production'].map(name => ({
    name,
    homes: [{path: `clusters/${name}`, context: name}],
  }))
  const head = {apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1', kind: 'PackageRings'}
  const file = `${folder}crossplane-rings.yaml`
  homes.write({[file]: writeYaml([{...head, rings}])})
  return homes.at(file)
}

describe('package fleet', () => {
  const temporary = temporaryFolder()

  it('names a folder that the user may not read', async () => {
    const root = mkdtempSync(join(temporary, 'homes-'))
    const denied = join(root, 'denied')
    mkdirSync(denied)
    for (const [path, mode] of [
      [join(root, '..'), 0o755],
      [root, 0o755],
      [denied, 0],
    ] as const)
      chmodSync(path, mode)
    await unprivileged(async () => {
      expect(await runFleet('package', 'fleet', root)).toMatchObject({
        status: 7,
        stderr: `Error: cannot read ${denied}\n  caused by: permission denied\nTry: Pass the folders of homes that you can read.\n`,
      })
    })
    chmodSync(denied, 0o755)
  })

  it('compares what is locked, rendered and live, and names a cluster that does not answer', async () => {
    const homes = await threeHomes(['v1.1.0', 'v1.1.0', 'v1.0.0'])
    const rings = writeRings(homes)
    homes.write({
      kubeconfig: await kubeconfigOf({
        canary: provider(NAME, 'v1.1.0'),
        staging: provider(NAME, 'v1.0.0'),
        production: 'silent',
      }),
    })
    const flags = ['--rings', rings, '--kubeconfig', homes.at('kubeconfig'), '--cluster-timeout']
    // The first run of a process also loads modules.
    const {status, stdout} = await runFleet('package', 'fleet', ...flags, '6s')
    expect(stdout).toBe(
      [
        'PACKAGE       clusters/canary   clusters/staging   clusters/production',
        'example/sql   v1.1.0            v1.1.0*            v1.0.0',
        '',
        `* clusters/staging ${NAME}: the cluster has v1.0.0`,
        '! clusters/production (production): the cluster of production did not answer within 6s',
        '',
      ].join('\n'),
    )
    expect(status).toBe(1)
    const json = await runFleet('package', 'fleet', ...flags, '2s', '--output', 'json')
    expect(schemaViolations(schemaOf('package-fleet'), JSON.parse(json.stdout))).toEqual([])
    expect(JSON.parse(json.stdout)).toMatchObject({
      kind: 'PackageFleet',
      homes: [{context: 'canary'}, {}, {error: {code: 'cluster-unreachable'}}],
      packages: [
        {declared: 'v1.1.0', locked: 'v1.1.0', rendered: 'v1.1.0', live: 'v1.1.0', state: 'healthy'},
        {live: 'v1.0.0', waits: 'the cluster has v1.0.0'},
        {locked: 'v1.0.0'},
      ],
    })
    const metrics = await runFleet('package', 'fleet', ...flags, '2s', '--output', 'prometheus')
    expect(metrics.stdout).toContain(
      'crossplane_package_fleet_up{home="clusters/production",context="production"} 0\n',
    )
  })

  it('reads homes without clusters, and exits with 7 if one cannot be read', async () => {
    const homes = await threeHomes(['v1.1.0', 'v1.1.0', 'v1.0.0'])
    const fine = await runFleet('package', 'fleet', homes.at('clusters'))
    expect(fine).toMatchObject({status: 0})
    homes.write({
      'clusters/new/crossplane-packages.yaml': homes.text('clusters/canary/crossplane-packages.yaml'),
    })
    const {status, stderr} = await runFleet('package', 'fleet', homes.at('clusters'))
    expect({status, stderr}).toMatchObject({status: 7})
    expect(stderr).toContain('clusters/new')
  })

  it('exits with 7 for a folder without homes', async () => {
    const homes = await threeHomes(['v1.1.0', 'v1.1.0', 'v1.0.0'])
    homes.write({'other/notes.txt': ''})
    const {status, stdout, stderr} = await runFleet('package', 'fleet', homes.at('other'))
    expect({status, stdout, stderr}).toMatchObject({status: 7, stdout: ''})
    expect(stderr).toMatch(/^Error: no homes found in .*other\nTry: Pass folders/)
  })
})

describe('the homes of package fleet', () => {
  it('wait where the lock is older than the declaration, or files have another digest', async () => {
    const homes = await threeHomes(['v1.1.0', 'v1.1.0', 'v1.0.0'])
    const file = 'clusters/canary/crossplane-packages.yaml'
    homes.write({[file]: homes.text(file).replace('v1.1.0', 'v1.2.0')})
    const {status, stdout} = await runFleet('package', 'fleet', homes.at('clusters'))
    expect(stdout).toContain(`${NAME}: the lock has v1.1.0, and the declaration says v1.2.0\n`)
    expect(status).toBe(1)
    const json = await runFleet('package', 'fleet', homes.at('clusters/canary'), '--output', 'json')
    expect(json.stdout).not.toContain('isOutdated')
    expect(schemaViolations(schemaOf('package-fleet'), JSON.parse(json.stdout))).toEqual([])
    const digests = [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`]
    const lock = 'clusters/staging/crossplane-packages.lock'
    const [request = ''] = homes.requests('clusters/staging')
    homes.write({
      [lock]: homes.text(lock).replace('tag: v1.1.0', `tag: v1.1.0\n    digest: ${digests[0] ?? ''}`),
      [request]: homes.text(request).replace(':v1.1.0', `:v1.1.0@${digests[1] ?? ''}`),
    })
    const other = await runFleet('package', 'fleet', homes.at('clusters/staging'))
    expect(other.stdout).toContain(`${NAME}: rendered is v1.1.0@${digests[1] ?? ''}\n`)
  })

  it('are not the declarations that others extend', async () => {
    const homes = await threeHomes(['v1.1.0', 'v1.1.0', 'v1.0.0'])
    const file = 'clusters/canary/crossplane-packages.yaml'
    const base = homes.text(file).replace(/packages:[^]*/, 'packages: []\n')
    homes.write({
      // A base is in the same repository.
      '.git/HEAD': '',
      'clusters/crossplane-packages.yaml': base,
      [file]: homes.text(file).replace('packages:', 'extends: ../crossplane-packages.yaml\npackages:'),
    })
    const {status, stdout} = await runFleet('package', 'fleet', homes.at('clusters'))
    expect(stdout.split('\n')[0]).toMatch(/canary +\S+production +\S+staging$/)
    expect(status).toBe(0)
  })
})

describe('package promote --next', () => {
  const HOUR = 3_600_000
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString()

  it('moves what was healthy for long enough, and names each home that is not ready', async () => {
    const homes = await threeHomes(['v1.1.0', 'v1.0.0', 'v1.0.0'])
    const rings = writeRings(homes)
    homes.write({
      kubeconfig: await kubeconfigOf({
        canary: provider(NAME, 'v1.1.0', {since: ago(25)}),
        staging: provider(NAME, 'v1.0.0', {since: ago(2)}),
        // Nothing is promoted from it, so that it gets no request.
        production: 'silent',
      }),
    })
    const {status, stdout, stderr} = await runFleet(
      ...['package', 'promote', '--next', '--rings', rings, '--kubeconfig', homes.at('kubeconfig')],
      ...['--packages', homes.packages, '--yes', '--quiet'],
    )
    if (status !== 0) throw new Error(stderr)
    expect(stdout).toMatch(
      new RegExp(
        [
          'staging: promoted from clusters/canary',
          '  clusters/staging: done',
          'production: waits for staging',
          `  clusters/staging: ${NAME} has been healthy for 120m; ready at 20\\d\\d-\\S+Z`,
          '$',
        ].join('\\n'),
      ),
    )
    expect(homes.locked('clusters/staging')).toEqual({[NAME]: 'v1.1.0'})
    expect(homes.locked('clusters/production')).toEqual({[NAME]: 'v1.0.0'})
  })

  it.each([
    {name: 'unhealthy', objects: provider(NAME, 'v1.1.0', {isHealthy: false}), want: 'no Pod runs'},
    {
      name: 'with an unhealthy revision',
      objects: provider(NAME, 'v1.1.0').map(withCondition('RuntimeHealthy', 'False')),
      want: 'its revision example-sql-1 is not healthy',
    },
    {
      name: 'with a revision of unknown health',
      objects: provider(NAME, 'v1.1.0').map(withCondition('RuntimeHealthy', 'Unknown')),
      want: 'RuntimeHealthy of its revision example-sql-1 is not true',
    },
    {
      name: 'with two requests for a package',
      objects: [...provider(NAME, 'v1.1.0'), renamed(provider(NAME, 'v1.1.0')[0])],
      want: 'other requests the same package',
    },
    {
      name: 'without what a package requires',
      objects: [...provider(NAME, 'v1.1.0'), lockWith('registry.test/example/base', '>=v1')],
      want: 'it waits for registry.test/example/base >=v1',
    },
    {name: 'not deployed', objects: provider(NAME, 'v1.0.0'), want: 'the cluster has v1.0.0'},
    {
      name: 'of an unknown age',
      objects: provider(NAME, 'v1.1.0', {since: 'yesterday'}),
      want: 'do not say since when',
    },
    {name: 'silent', objects: 'silent' as const, want: 'did not answer within 1s'},
  ])('moves nothing from a cluster that is $name', async ({objects, want}) => {
    const homes = await threeHomes(['v1.1.0', 'v1.0.0', 'v1.0.0'])
    const rings = writeRings(homes)
    const others = {staging: provider(NAME, 'v1.0.0'), production: provider(NAME, 'v1.0.0')}
    homes.write({kubeconfig: await kubeconfigOf({canary: objects, ...others})})
    const {stdout} = await runFleet(
      ...['package', 'promote', '--next', '--rings', rings, '--kubeconfig', homes.at('kubeconfig')],
      ...['--packages', homes.packages, '--yes', '--quiet'],
      // A machine that is busy can delay what answers.
      ...['--cluster-timeout', objects === 'silent' ? '1s' : '60s'],
    )
    expect(stdout).toContain('staging: waits for canary\n')
    expect(stdout).toContain(want)
    expect(homes.locked('clusters/staging')).toEqual({[NAME]: 'v1.0.0'})
  })

  it('brings a set one ring further, also if all rings are ready', async () => {
    const {homes, next} = await readyHomes()
    const {status, stdout} = await next('--quiet')
    expect(stdout).toContain('production: promoted from clusters/staging\n  clusters/production: done\n')
    expect(status).toBe(0)
    expect(homes.locked('clusters/staging')).toEqual({[NAME]: 'v1.2.0'})
    expect(homes.locked('clusters/production')).toEqual({[NAME]: 'v1.1.0'})
  })
})

type Served = ReturnType<typeof provider>[number]

/** Adds a condition to revisions. */
function withCondition(type: string, status: string): (object: Served) => Served {
  return object => {
    if (!object.kind.endsWith('Revision')) return object
    const {conditions} = object.status as {readonly conditions: readonly unknown[]}
    return {...object, status: {conditions: [...conditions, {type, status, lastTransitionTime: LONG_AGO}]}}
  }
}

function renamed(object: Served | undefined): Served {
  if (object === undefined) throw new RangeError('a package has a request')
  return {...object, metadata: {...object.metadata, name: 'other'}}
}

/** The Lock of a cluster whose package requires another one. */
function lockWith(repository: string, constraints: string): Served {
  const dependencies = [{package: repository, type: 'Provider', constraints}]
  return {
    ...{apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: {name: 'lock'}},
    packages: [{name: 'example-sql-1', type: 'Provider', source: NAME, version: 'v1.1.0', dependencies}],
  }
}

/** Homes that were all healthy for long, and a run for them. */
async function readyHomes(folder = '') {
  const homes = await threeHomes(['v1.2.0', 'v1.1.0', 'v1.0.0'], folder)
  const rings = writeRings(homes, folder)
  homes.write({
    kubeconfig: await kubeconfigOf({
      canary: provider(NAME, 'v1.2.0'),
      staging: provider(NAME, 'v1.1.0'),
      production: provider(NAME, 'v1.0.0'),
    }),
  })
  const next = async (...args: readonly string[]) =>
    await runFleet(
      ...['package', 'promote', '--next', '--rings', rings, '--kubeconfig', homes.at('kubeconfig')],
      ...['--packages', homes.packages, '--yes', ...args],
    )
  return {homes, next}
}

describeReal('package promote --next in a repository', missingTool('git'), () => {
  // It sets the identity of commits.
  new GitWorlds()

  async function committedHomes(folder: string) {
    const ready = await readyHomes(folder)
    const {homes} = ready
    const git = (...args: readonly string[]) => runTool('git', '-C', homes.root, ...args)
    git('init', '--quiet', '--initial-branch=main')
    git('add', '--all', '.')
    git('commit', '--quiet', '--message=homes')
    const lockedAt = (home: string) =>
      / tag: (\S+)/.exec(git('show', `HEAD:${folder}clusters/${home}/crossplane-packages.lock`))?.[1]
    return {...ready, git, lockedAt}
  }

  it('commits what was judged, one ring further, whatever an earlier commit of the run brought', async () => {
    const {homes, next, git, lockedAt} = await committedHomes('')
    const {stdout, stderr} = await next('--git', homes.root)
    expect({stdout, stderr}).toMatchObject({stdout: expect.stringContaining('clusters/production: done')})
    expect(git('log', '--format=%s', '--max-count=2')).toBe(
      'Promote packages from clusters/staging\nPromote packages from clusters/canary\n',
    )
    expect([lockedAt('staging'), lockedAt('production')]).toEqual(['v1.2.0', 'v1.1.0'])
  })

  it('takes the lock that was judged where the commit has another one', async () => {
    const {homes, next, git, lockedAt} = await committedHomes('')
    const file = 'clusters/staging/crossplane-packages.lock'
    const judged = homes.text(file)
    homes.write({[file]: homes.text('clusters/canary/crossplane-packages.lock')})
    git('commit', '--quiet', '--message=ahead', '--', file)
    homes.write({[file]: judged})
    await next('--git', homes.root)
    expect(lockedAt('production')).toBe('v1.1.0')
  })

  it('names the branch of a ring before which something became unhealthy, and whether to merge it', async () => {
    const {homes, next, git} = await committedHomes('')
    const open = 'crossplane-promote/main/clusters+staging/packages'
    const lock = 'clusters/staging/crossplane-packages.lock'
    git('switch', '--quiet', '--create', open)
    homes.write({[lock]: homes.text('clusters/canary/crossplane-packages.lock')})
    git('commit', '--quiet', '--message=promoted', '--', lock)
    git('switch', '--quiet', 'main')
    const cluster = (objects: readonly Served[]) =>
      kubeconfigOf({canary: objects, staging: provider(NAME, 'v1.1.0'), production: provider(NAME, 'v1.0.0')})
    homes.write({kubeconfig: await cluster(provider(NAME, 'v1.2.0', {isHealthy: false}))})
    const {stdout} = await next('--git', homes.root, '--quiet')
    expect(stdout).toContain('staging: waits for canary\n')
    expect(stdout).toContain(
      `  clusters/staging: the branch ${open} is open: do not merge it while canary is not healthy; the next run after that updates it\n`,
    )
    const kubeconfig = await cluster(provider(NAME, 'v1.2.0', {since: new Date().toISOString()}))
    homes.write({kubeconfig})
    const young = await next('--git', homes.root, '--quiet')
    expect(young.stdout).toContain(`the branch ${open} is open: it has packages of an earlier run\n`)
    // A merged branch can be left, also of a squashed merge: its lock is that of the target.
    const url = `file://${homes.root}`
    const isNamed = async (place = homes.root) => {
      homes.write({kubeconfig})
      const {stdout: text} = await next('--git', place, '--quiet')
      expect(text).toContain('staging: waits for canary\n')
      return text.includes(' is open')
    }
    git('merge', '--quiet', '--squash', open)
    git('commit', '--quiet', '--message=squashed')
    expect([await isNamed(), await isNamed(url)]).toEqual([false, false])
    git('reset', '--quiet', '--hard', 'HEAD~1')
    expect([await isNamed(), await isNamed(url)]).toEqual([true, true])
    git('merge', '--quiet', '--no-ff', '--no-edit', open)
    git('stash', '--quiet')
    git('revert', '--mainline=1', '--no-edit', 'HEAD')
    expect(await isNamed()).toBe(false)
    git('reset', '--quiet', '--hard', 'HEAD~2')
    git('branch', '--delete', '--force', open)
    expect(await isNamed()).toBe(false)
  })

  it('finds the homes of a file that is in a folder of the repository, and refuses a URL for it', async () => {
    const {homes, next, lockedAt} = await committedHomes('teams/a/')
    const refused = await next('--git', `file://${homes.root}`)
    expect(refused).toMatchObject({status: 2, stderr: expect.stringContaining('is not at the root')})
    const {stdout} = await next('--git', homes.root)
    expect(stdout).toContain('  clusters/staging: done\n')
    expect([lockedAt('staging'), lockedAt('production')]).toEqual(['v1.2.0', 'v1.1.0'])
  })
})
