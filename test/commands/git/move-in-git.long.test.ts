import {expect, it} from '@jest/globals'
import {cpSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {openRepository} from '../../../src/adapters/git/open-repository.js'
import {keptAnnotations} from '../../../src/declaration/moving-objects.js'
import {installedPackage, type ServedObject} from '../../fakes/core-answers.js'
import {coreServer} from '../../fakes/core-server.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {GitWorlds, Repository, withVariables} from './git-world.js'

const REGISTRY = 'registry.example.org'
const OLD = `${REGISTRY}/example/provider-sql`
const NEW = `${REGISTRY}/community/provider-sql`

describeReal('a move by commits', missingTool('git'), () => {
  const worlds = new GitWorlds()

  /** A repository that requests the package, and a cluster with another version or revision of it. */
  const world = async (tag: string, more: readonly ServedObject[] = []) => {
    const packages = worlds.folder()
    cpSync('examples/xpkg/packages', packages, {recursive: true})
    for (const version of ['v1.2.0', 'v1.5.0'])
      cpSync(
        `examples/xpkg/packages/example/provider-sql@${version}`,
        join(packages, `community/provider-sql@${version}`),
        {recursive: true},
      )
    const made = new Repository(worlds.folder(), packages)
    made.git('init', '--quiet', '--initial-branch=main')
    await made.committed(made.install(`${OLD}:v1.5.0`, '--core-version', 'v2.3.4'))
    const lockFile = made.at('crossplane-packages.lock')
    const text = readFileSync(lockFile, 'utf8')
    // Packages of a folder have no digest.
    const digest = `sha256:0123456789ab${'0'.repeat(52)}`
    writeFileSync(
      lockFile,
      text.replace(`  ${OLD}:\n`, entry => `${entry}    digest: ${digest}\n`),
    )
    made.git('commit', '--all', '--quiet', '--message=pinned')
    const kubeconfig = join(worlds.folder(), 'kubeconfig')
    const name = 'example-provider-sql'
    const lock = {
      ...{apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: {name: 'lock'}},
      packages: [{name: `${name}-1`, kind: 'Provider', source: OLD, version: tag, dependencies: []}],
    }
    writeFileSync(kubeconfig, await coreServer([...installedPackage('Provider', OLD, tag), lock, ...more]))
    const move = async (...argv: readonly string[]) => {
      const own = ['--git', made.root, '--context', 'production', '--packages', packages, '--quiet']
      const {status, stdout, stderr} = await withVariables({KUBECONFIG: kubeconfig}, () =>
        runCli('package', 'move', ...argv, ...own),
      )
      return {status, stdout, stderr}
    }
    return Object.assign(made, {move})
  }

  it.each([
    {
      name: 'version',
      tag: 'v1.2.0',
      want: `has the package ${OLD}:v1.2.0 in the cluster and ${OLD}:v1.5.0 in the repository`,
    },
    {
      name: 'revision',
      tag: 'v1.5.0',
      want: `has the revision example-provider-sql-1 in the cluster, and ${OLD}:v1.5.0 in the repository is locked at sha256:0123456789ab`,
    },
  ])('is rejected where the cluster has another $name than the repository', async ({tag, want}) => {
    const made = await world(tag)
    const {status, stderr} = await made.move('example-provider-sql', NEW, '--core-version', 'v2.3.4', '--yes')
    expect({status, stderr}).toEqual({status: 5, stderr: expect.stringContaining(want)})
    expect(stderr).toContain('Try: Wait until the cluster has synced the last commit')
    expect(made.commits()).toBe(2)
  })

  it.each(['--continue', '--back'])(
    'is reported with %s where a second cluster has not moved',
    async flag => {
      const revisions = ['example-provider-sql', 'community-provider-sql'].map(name => ({
        ...{apiVersion: 'pkg.crossplane.io/v1', kind: 'ProviderRevision', name: `${name}-1`},
        uid: `uid-${name}-1`,
      }))
      const crd: ServedObject = {
        ...{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'},
        metadata: {name: 'sqls.example.org', uid: 'uid-crd', ownerReferences: revisions},
      }
      const made = await world('v1.5.0', [...installedPackage('Provider', NEW, 'v1.5.0'), crd])
      const {status, stderr} = await made.move(flag, '--yes')
      const want =
        'provider/community-provider-sql and provider/example-provider-sql own the same CRDs: a move between them is not finished in this cluster'
      expect({status, stderr}).toEqual({status: 5, stderr: expect.stringContaining(want)})
    },
  )

  it.each([
    {to: 'x', want: 'to provider/x, which the commits of this path do not have'},
    {to: 'true', want: 'it is not known which request has its package now'},
  ])('is reported with --continue where a request is left that names $to', async ({to, want}) => {
    const left = {
      ...{apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider'},
      metadata: {name: 'former', uid: 'uid-former', annotations: keptAnnotations(to)},
      spec: {package: `${REGISTRY}/former/sql:v1.5.0`, revisionActivationPolicy: 'Manual'},
    }
    const made = await world('v1.5.0', [left])
    const {status, stderr} = await made.move('--continue', '--yes')
    expect({status, stderr}).toEqual({status: 5, stderr: expect.stringContaining(want)})
    expect(stderr).toContain('Try: Pass --git and --path as for the command that began it.')
  })

  it('goes on with what others pushed meanwhile, unless its branch has commits of its own', async () => {
    const bare = worlds.bare()
    const [mine, theirs] = [worlds.clone(bare), worlds.clone(bare)]
    const pushed = (name: string) => {
      theirs.git('commit', '--allow-empty', '--quiet', `--message=${name}`)
      theirs.git('push', '--quiet')
      return theirs.git('rev-parse', 'HEAD')
    }
    const open = async () => {
      const place = {git: mine.root, push: true, tree: 'packages', follows: true}
      await (await openRepository(place)).close()
      return mine.git('rev-parse', 'HEAD')
    }
    const first = pushed('first')
    expect(await open()).toBe(first)
    mine.git('commit', '--allow-empty', '--quiet', '--message=own')
    const own = mine.git('rev-parse', 'HEAD')
    expect(await open()).toBe(own)
    pushed('second')
    await expect(open()).rejects.toThrow('lacks commits of the remote branch')
  })
})
