import {expect, it} from '@jest/globals'
import {cpSync, readdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {schemaOf, schemaViolations} from '../../json-schema.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {writeTree} from '../../temporary-folder.js'
import {writeGate} from './gate-package.js'
import {GitWorlds, Repository, runAt} from './git-world.js'

const REGISTRY = 'registry.example.org/example'
const BASE = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
const HOME = `${BASE}layout: flux\n`

const lastMessage = (made: Repository) => made.git('log', '-1', '--format=%B')
const filesIn = (made: Repository) =>
  readdirSync(made.at('packages'), {recursive: true, encoding: 'utf8'})
    .filter(path => /\.yaml$/.test(path))
    .sort()

describeReal('packages for a current Crossplane with --git', missingTool('git'), () => {
  const worlds = new GitWorlds()
  /** A repository, with packages of both formats. */
  const repository = (files: Readonly<Record<string, string>> = {}) => {
    const packages = worlds.folder()
    cpSync('examples/xpkg/packages', packages, {recursive: true})
    cpSync(worlds.packages, packages, {recursive: true})
    const made = new Repository(worlds.folder(), packages)
    made.git('init', '--quiet', '--initial-branch=main')
    made.write({'README.md': 'ours\n', ...files})
    made.git('add', '--all')
    made.git('commit', '--quiet', '--message=first')
    const check = () => runCli('package', 'check', '--git', made.root, '--packages', packages)
    return Object.assign(made, {check, packages})
  }

  it('change the resolver by a commit that keeps all versions', async () => {
    const made = repository()
    await made.committed(made.install(`${REGISTRY}/provider-sql:v1.2.0`, '--layout', 'flux'))
    const lock = made.git('show', 'HEAD:crossplane-packages.lock')
    const off = ['--resolver=off', '--change-settings']
    const both = await made.upgrade(`${REGISTRY}/provider-sql:v1.5.0`, ...off)
    expect(both.status).toBe(5)
    expect(both.stderr).toContain(
      `Try: Commit the change of the resolver alone: kubectl crossplane package upgrade --resolver=off --change-settings --git ${made.root} --packages ${made.packages}\n`,
    )
    const shown = (...words: readonly string[]) =>
      runCli(
        ...['package', 'upgrade', ...words],
        ...['--git', made.root, '--packages', made.packages, '--yes'],
      )
    const {status, stderr} = await shown(...off)
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: expect.stringContaining('Try: kubectl crossplane package upgrade --resolver=off\n'),
    })
    expect(lastMessage(made)).toContain('SETTING xpkg.resolver: its default -> off')
    expect(made.git('show', 'HEAD:crossplane-packages.lock')).toBe(lock)
    expect(made.git('show', '--format=')).toContain('+  skipDependencyResolution: true')
    const next = await shown(`${REGISTRY}/provider-sql:v1.5.0`)
    expect(next.status).toBe(0)
    expect(next.stderr).toContain('--context with a cluster of this tree compares it')
  })

  it('are installed with what they require, upgraded, checked and uninstalled', async () => {
    const made = repository()
    await made.committed(made.install(`${REGISTRY}/provider-sql:v1.2.0`, '--layout', 'flux'))
    expect(lastMessage(made)).toContain(`Install ${REGISTRY}/provider-sql:v1.2.0\n`)
    expect(lastMessage(made)).toContain(`Crossplane-Package: ${REGISTRY}/provider-family:v1.1.0\n`)
    expect(filesIn(made)).toContain('stage-2/provider-example-provider-sql.yaml')
    await made.committed(made.upgrade(`${REGISTRY}/provider-sql:v1.5.0`))
    expect(lastMessage(made)).toContain(`Upgrade ${REGISTRY}/provider-sql to v1.5.0\n`)
    expect(made.git('show', '--format=', '--name-only').trim().split('\n').sort()).toEqual([
      'crossplane-packages.lock',
      'crossplane-packages.yaml',
      'packages/.kubectl-crossplane/files.sha256',
      'packages/stage-2/provider-example-provider-sql.yaml',
    ])
    expect(await made.check()).toMatchObject({status: 0})
    await made.committed(made.run('uninstall', 'example-provider-sql'))
    const message = lastMessage(made)
    expect(message).toContain(`Uninstall ${REGISTRY}/provider-sql\n`)
    // Dependents first: what a package requires is not uninstalled.
    const uninstall = 'kubectl crossplane package uninstall provider.pkg.crossplane.io/example-provider-'
    expect(message).toContain(`1. ${uninstall}sql --adopt\n2. ${uninstall}family --adopt\n`)
    // Nothing but what Flux needs is left, and nothing of the base of other packages.
    expect(filesIn(made)).toEqual([
      'flux/kustomizations/kustomization.yaml',
      'flux/start.yaml',
      'kustomization.yaml',
    ])
    expect(await made.check()).toMatchObject({status: 0})
  })

  it('return to a version of an earlier commit, with its lock and its objects', async () => {
    const made = repository()
    const name = `${REGISTRY}/provider-sql`
    const versions = async () => {
      const {stdout} = await runCli('package', 'history', name, '--git', made.root, '--output', 'json')
      const document = JSON.parse(stdout) as {revisions: {version: string}[]}
      expect(schemaViolations(schemaOf('locked-version-list'), document)).toEqual([])
      return document.revisions.map(({version}) => version)
    }
    await made.committed(made.install(`${name}:v1.2.0`, '--layout', 'flux'))
    const first = made.git('rev-parse', 'HEAD').trim()
    expect(await made.run('rollback', name)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no commit has another version') as unknown,
    })
    await made.committed(made.upgrade(`${name}:v1.5.0`))
    await made.committed(made.install('x/bs:v1.0.0'))
    expect(await versions()).toEqual(['v1.2.0', 'v1.5.0'])
    const preview = await made.run('rollback', 'example-provider-sql', '--dry-run=client')
    expect(preview).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`Downgrade ${name} to v1.2.0`) as unknown,
    })
    expect(await versions()).toEqual(['v1.2.0', 'v1.5.0'])

    await made.committed(made.run('rollback', 'example-provider-sql'))
    expect(lastMessage(made)).toContain(`Downgrade ${name} to v1.2.0\n`)
    expect(made.text('crossplane-packages.yaml')).toContain(`package: ${name}:v1.2.0\n`)
    const same = 'packages/stage-2/provider-example-provider-sql.yaml'
    expect(made.git('diff', '--stat', first, 'HEAD', '--', same)).toBe('')
    expect(await made.check()).toMatchObject({status: 0})
    expect(await made.run('rollback', name, '--to', 'HEAD~1')).toMatchObject({status: 0})
    expect(await versions()).toEqual(['v1.2.0', 'v1.5.0', 'v1.2.0', 'v1.5.0'])
    await made.committed(made.run('rollback', name, '--to', first))
    expect(await made.run('rollback', name, '--to', first)).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('nothing to change') as unknown,
    })
    expect(await made.run('rollback', name, '--to', 'absent')).toMatchObject({status: 1})
    expect(await made.run('rollback', 'x/bs', '--to', first)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('does not have it') as unknown,
    })
    expect(await made.run('rollback', name, '2')).toMatchObject({status: 2})
    // A clone for one commit has the earlier ones too.
    const url = `file://${worlds.bare(made).root}`
    expect(await runAt(url, made.packages, 'rollback', name)).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(': pushed ') as unknown,
    })
    // Twelve commands.
  }, 180_000)

  it('return to a version that only the lock has, also of Crossplane v0.12', async () => {
    const made = repository()
    const newest = 'x/bs@v2.0.0'
    rmSync(join(made.packages, newest), {recursive: true})
    await made.committed(made.install('x/bs'))
    const declared = made.text('crossplane-packages.yaml')
    cpSync(join(worlds.packages, newest), join(made.packages, newest), {recursive: true})
    await made.committed(made.upgrade('x/bs'))
    const locked = () => made.text('crossplane-packages.lock')
    expect(locked()).toContain('tag: v2.0.0')
    await made.committed(made.run('rollback', 'x/bs'))
    expect(locked()).toContain('tag: v1.0.0')
    expect(made.text('crossplane-packages.yaml')).toBe(declared)
    expect(await made.check()).toMatchObject({status: 0})
  }, 60_000)

  it('do not return to a version that the declaration excludes', async () => {
    const made = repository()
    const name = `${REGISTRY}/provider-sql`
    await made.committed(made.install(`${name}:v1.2.0`))
    await made.committed(made.upgrade(`${name}:v1.5.0`))
    const declared = made.text('crossplane-packages.yaml')
    const range = declared.replace(`package: ${name}:v1.5.0`, `{package: ${name}, version: '>=v1.5.0'}`)
    made.write({'crossplane-packages.yaml': range})
    made.git('commit', '--all', '--quiet', '--message=range')
    const rejected = await made.run('rollback', name)
    expect(rejected).toMatchObject({status: 3})
    expect(rejected.stderr).toContain(`the declaration requires ${name} >=v1.5.0`)
    expect(made.commits()).toBe(4)
  }, 60_000)

  it('are not uninstalled while another package requires them', async () => {
    const made = repository()
    await made.committed(made.install(`${REGISTRY}/provider-family:v1.1.0`))
    await made.committed(made.install(`${REGISTRY}/provider-sql:v1.5.0`))
    const rejected = await made.run('uninstall', `${REGISTRY}/provider-family`)
    expect(rejected).toMatchObject({status: 5})
    expect(rejected.stderr).toContain('[required-install]')
    expect(made.commits()).toBe(3)
  })

  it.each(['plain', 'flux', 'argocd'])('are in one tree with others, in the layout %s', async layout => {
    const made = repository()
    const url = layout === 'argocd' ? ['--repo-url', 'https://git.example.org/team/cluster'] : []
    await made.committed(made.install('x/bs:v1.0.0', '--layout', layout, ...url))
    const before = filesIn(made)
    await made.committed(made.install(`${REGISTRY}/provider-sql:v1.5.0`))
    const both = filesIn(made)
    expect(both).toEqual(expect.arrayContaining(before))
    expect(both.some(path => path.endsWith('/provider-example-provider-sql.yaml'))).toBe(true)
    expect(await made.check()).toMatchObject({status: 0})
    await made.committed(made.run('uninstall', 'example-provider-sql'))
    expect(filesIn(made)).toEqual(before)
  })

  it('take their settings with them, if they are the last ones', async () => {
    const made = repository()
    await made.committed(made.install('x/bs:v1.0.0'))
    const settings = ['--pin', 'tag', '--revision-history-limit', '3', '--core-version', 'v2.3.4']
    await made.committed(made.install(`${REGISTRY}/provider-sql:v1.5.0`, ...settings))
    const declared = () => made.git('show', 'HEAD:crossplane-packages.yaml')
    expect(declared()).toMatch(/^xpkg:$/m)
    await made.committed(made.run('uninstall', 'example-provider-sql'))
    expect(declared()).not.toMatch(/^(xpkg|coreVersion):/m)
    expect(await made.check()).toMatchObject({status: 0})
    expect(await made.upgrade('x/bs:v1.0.0', '--pin', 'tag')).toMatchObject({status: 2})
  })

  it('leave with their owners, if none is of a CRD that is requested', async () => {
    const entry = `defaultSource: registry.example.org\npackages:\n- package: ${REGISTRY}/provider-sql:v1.5.0\n`
    const owners = `owners:\n  example.org: ${REGISTRY}/gate\n`
    const crd = '- crd: gates.example.org\n'
    const made = repository({
      'whole/crossplane-packages.yaml': `${HOME}${owners}${entry}${crd}`,
      'base/crossplane-packages.yaml': `${BASE}${entry}`,
      'extends/crossplane-packages.yaml': `${HOME}extends: ../base/crossplane-packages.yaml\n${owners}packages:\n${crd}`,
    })
    writeGate(made.packages, 'v1.0.0')
    for (const path of ['whole', 'extends']) {
      const at = ['--path', path]
      await made.committed(made.upgrade(...at))
      const {status, stderr} = await runCli(
        ...['package', 'uninstall', 'example-gate', '--git', made.root, ...at],
        ...['--packages', made.packages, '--yes', '--assume-no-instances'],
      )
      expect({status, stderr}).toEqual({
        status: 0,
        stderr: expect.stringContaining('owners left the declaration with the last entry that it was for'),
      })
      expect(made.text(`${path}/crossplane-packages.yaml`)).not.toMatch(/^owners/m)
      await made.committed(made.install('x/bs:v1.0.0', ...at))
    }
  }, 120_000)

  it.each([
    {flags: ['--namespace', 'team-a'], flag: 'namespace'},
    {flags: ['--source', 'mirror.example.org'], flag: 'source'},
    {flags: ['--with-package-api'], flag: 'with-package-api'},
  ])('reject $flags, which have no effect on them', async ({flags, flag}) => {
    const made = repository()
    const {status, stderr} = await made.install(`${REGISTRY}/provider-sql:v1.5.0`, ...flags)
    expect(stderr).toContain(`Error: --${flag} is for packages of Crossplane v0.12 only\n`)
    expect({status, commits: made.commits()}).toEqual({status: 2, commits: 1})
  })

  it('can be in files of their own', async () => {
    const made = repository({'crossplane-packages.yaml': HOME})
    await made.committed(made.install('x/bs:v1.0.0'))
    await made.committed(made.install(`${REGISTRY}/provider-sql:v1.5.0`))
    expect(await made.check()).toMatchObject({status: 0})
    await made.committed(made.run('uninstall', 'example-provider-sql'))
    expect(await made.check()).toMatchObject({status: 0})
  })

  it('have settings in the declaration, which the same flags do not change', async () => {
    const made = repository()
    const settings = ['--core-version', 'v2.3.4', '--pin', 'tag', '--revision-history-limit', '3']
    await made.committed(made.install(`${REGISTRY}/provider-sql:v1.5.0`, ...settings, '--activate', 'used'))
    expect(made.text('crossplane-packages.yaml')).toContain('  pin: tag\n')
    expect(made.text('packages/xpkgs/provider-example-provider-sql.yaml')).toContain(
      'revisionHistoryLimit: 3',
    )
    expect(await made.check()).toMatchObject({status: 0})
    expect(await made.upgrade('--pin', 'digest')).toMatchObject({status: 2})
    expect(await made.upgrade('--activate', 'policies.yaml')).toMatchObject({status: 2})
    made.write({
      'crossplane-packages.yaml': made.text('crossplane-packages.yaml').replace('pin: tag', 'pin: none'),
    })
    const invalid = await runCli('package', 'lock', '--declaration', made.at('crossplane-packages.yaml'))
    expect(invalid).toMatchObject({status: 1, stderr: expect.stringContaining('config, digest or tag')})
  })

  it('are not upgraded to versions that lose custom resources, as long as nothing shows that there are none', async () => {
    const made = repository()
    const doors = {plural: 'doors', versions: ['v2']}
    writeGate(made.packages, 'v1.0.0')
    writeGate(made.packages, 'v2.0.0', {plural: 'doors'})
    writeGate(made.packages, 'v3.0.0', doors)
    writeGate(made.packages, 'v4.0.0', {...doors, scope: 'Namespaced'})
    const at = (tag: string) => `${REGISTRY}/gate:${tag}`
    await made.committed(made.install(at('v1.0.0')))
    const dropped = await made.upgrade(at('v2.0.0'))
    expect(dropped).toMatchObject({status: 5})
    expect(dropped.stderr).toContain(
      `${REGISTRY}/gate v1.0.0 -> v2.0.0: CustomResourceDefinition gates.example.org is no longer part of the packages, but custom resources can exist [crd-dropped]`,
    )
    await made.committed(made.upgrade(at('v2.0.0'), '--custom-resources=keep'))
    expect(await made.run('rollback', `${REGISTRY}/gate`)).toMatchObject({
      status: 5,
      stderr: expect.stringContaining('doors.example.org is no longer part of the packages') as unknown,
    })
    const stored = await made.upgrade(at('v3.0.0'))
    expect(stored).toMatchObject({status: 5})
    expect(stored.stderr).toContain('the package removes the version v1, but custom resources can exist')
    expect(await made.upgrade(at('v3.0.0'), '--assume-no-instances')).toMatchObject({
      status: 5,
      stderr: expect.stringContaining('which no API server accepts') as unknown,
    })
    await made.committed(made.upgrade(at('v1.0.0'), '--assume-no-instances'))
    await made.committed(made.upgrade(at('v4.0.0'), '--assume-no-instances'))
    const scope = await made.install(at('v3.0.0'))
    expect(scope).toMatchObject({status: 5})
    expect(scope.stderr).toContain('the scope changes from "Namespaced" to "Cluster"')
    expect(made.commits()).toBe(5)
    // Eight commands: they take long on a busy machine.
  }, 180_000)

  it('are not upgraded in two steps past a version in which custom resources can be stored', async () => {
    const made = repository()
    writeGate(made.packages, 'v1.0.0', {versions: ['v1alpha1']})
    writeGate(made.packages, 'v2.0.0', {versions: ['v1', 'v1alpha1']})
    writeGate(made.packages, 'v3.0.0')
    const at = (tag: string) => `${REGISTRY}/gate:${tag}`
    await made.committed(made.install(at('v1.0.0')))
    await made.committed(made.upgrade(at('v2.0.0')))
    for (const args of [[], ['--assume-no-instances']])
      expect(await made.upgrade(at('v3.0.0'), ...args)).toMatchObject({
        status: 5,
        stderr: expect.stringContaining('v1alpha1') as unknown,
      })
    expect(await made.check()).toMatchObject({status: 0})
  }, 120_000)

  it('do not lose a function that a Composition of the set still calls', async () => {
    const made = repository()
    const metadata = (kind: string, requires = '') =>
      `apiVersion: meta.pkg.crossplane.io/v1\nkind: ${kind}\nmetadata: {name: p}\nspec: {dependsOn: [${requires}]}\n`
    const composition =
      'apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: {name: c}\nspec: {compositeTypeRef: {apiVersion: example.org/v1, kind: X}, mode: Pipeline, pipeline: [{step: one, functionRef: {name: example-fn}}]}\n'
    const requires = `{function: ${REGISTRY}/fn, version: "*"}`
    writeTree(made.packages, {
      'example/fn@v1.0.0/crossplane.yaml': metadata('Function'),
      'example/app@v1.0.0/crossplane.yaml': metadata('Configuration', requires),
      'example/app@v1.0.0/c.yaml': composition,
      'example/app@v2.0.0/crossplane.yaml': metadata('Configuration'),
      'example/app@v2.0.0/c.yaml': composition,
    })
    await made.committed(made.install(`${REGISTRY}/app:v1.0.0`))
    const lost = await made.upgrade(`${REGISTRY}/app:v2.0.0`)
    expect(lost).toMatchObject({status: 5})
    expect(lost.stderr).toContain(
      'Function example-fn is no longer part of the packages, but Composition c uses it',
    )
    expect(lost.stderr.match(/which the set does not have/g)).toHaveLength(1)
    await made.committed(made.install(`${REGISTRY}/fn:v1.0.0`))
    await made.committed(made.upgrade(`${REGISTRY}/app:v2.0.0`))
  }, 120_000)

  it('show what differs from the tree', async () => {
    const made = repository()
    await made.committed(made.install(`${REGISTRY}/provider-sql:v1.5.0`))
    const path = 'packages/xpkgs/provider-example-provider-sql.yaml'
    made.write({[path]: made.text(path).replace('v1.5.0', 'v1.2.0')})
    const {status, stdout} = await made.check()
    expect(status).toBe(1)
    expect(stdout).toMatch(/^-.*:v1\.2\.0$/m)
    expect(stdout).toMatch(/^\+.*:v1\.5\.0$/m)
  })
})
