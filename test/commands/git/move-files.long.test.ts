import {expect, it} from '@jest/globals'
import {cpSync, existsSync, readdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {asFormerTree, listOf} from '../../plan/folder/former-trees.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {writeTree} from '../../temporary-folder.js'
import {contentOf} from '../folder-content.js'
import {GitWorlds, Repository} from './git-world.js'

const REGISTRY = 'registry.example.org/example'
const LISTS = '.kubectl-crossplane/files.sha256'
const ARGOCD = ['--layout', 'argocd', '--repo-url', 'https://git.example.org/team/deploy']

describeReal('a tree of an earlier release', missingTool('git'), () => {
  const worlds = new GitWorlds()

  /** A repository in which an earlier release committed a package. */
  const former = async (...flags: readonly string[]) => {
    const packages = worlds.folder()
    cpSync('examples/xpkg/packages', packages, {recursive: true})
    const made = new Repository(worlds.folder(), packages)
    made.git('init', '--quiet', '--initial-branch=main')
    await made.committed(made.install(`${REGISTRY}/provider-sql:v1.2.0`, ...flags))
    const tree = made.at('packages')
    const {[LISTS]: _list, ...files} = contentOf(tree)
    const texts = asFormerTree(new Map(Object.entries(files)), 'packages')
    rmSync(tree, {recursive: true})
    writeTree(tree, {...Object.fromEntries(texts), [LISTS]: listOf(texts)})
    const commit = () => {
      made.git('add', '--all')
      made.git('commit', '--quiet', '--message=by hand')
    }
    commit()
    const check = async () =>
      (await runCli('package', 'check', '--git', made.root, '--packages', packages)).status
    return Object.assign(made, {tree, commit, check, move: () => made.upgrade('--move-files')})
  }
  type Former = Awaited<ReturnType<typeof former>>
  const hasFolder = ({tree}: Former, folder: string) => existsSync(join(tree, folder))
  /** The renamed and the changed files of the last commit. */
  const lastCommit = (made: Former) =>
    made.git('show', '--format=', '--name-status', '-M100%').trim().split('\n').sort()

  it.each([
    {layout: 'plain', flags: []},
    {layout: 'argocd', flags: ARGOCD},
  ])('stays as it is until its files move, which is one commit, for $layout', async ({layout, flags}) => {
    const made = await former(...flags)
    expect(await made.check()).toBe(0)
    await made.committed(made.upgrade(`${REGISTRY}/provider-sql:v1.5.0`))
    expect([hasFolder(made, 'packages'), hasFolder(made, 'xpkgs')]).toEqual([true, false])
    await made.committed(made.move())
    expect([hasFolder(made, 'packages'), hasFolder(made, 'xpkgs')]).toEqual([false, true])
    const renamed = readdirSync(join(made.tree, 'xpkgs')).map(
      name => `R100\tpackages/packages/${name}\tpackages/xpkgs/${name}`,
    )
    const naming = layout === 'plain' ? 'kustomization.yaml' : 'argocd/applications/xpkgs.yaml'
    expect(lastCommit(made)).toEqual([
      ...[LISTS, '.kubectl-crossplane/tree.settings', naming].map(path => `M\tpackages/${path}`),
      ...renamed,
    ])
    expect(made.git('log', '-1', '--format=%s%n%b')).toMatch(
      /^Rename packages\/packages to packages\/xpkgs\nNo object changes: 3 files move from packages\/packages to packages\/xpkgs with the same content\.\n/,
    )
    expect(await made.check()).toBe(0)
    const again = await made.move()
    expect({status: again.status, stderr: again.stderr}).toEqual({
      status: 0,
      stderr: expect.stringContaining('nothing to change'),
    })
    await made.committed(made.run('rollback', 'example-provider-sql'))
    expect(await made.check()).toBe(0)
    await made.committed(made.run('uninstall', 'example-provider-sql'))
    expect([hasFolder(made, 'packages'), await made.check()]).toEqual([false, 0])
  })

  it('is uninstalled as it is', async () => {
    const made = await former()
    await made.committed(made.run('uninstall', 'example-provider-sql'))
    expect([hasFolder(made, 'xpkgs'), await made.check()]).toEqual([false, 0])
  })

  it('does not move while an ApplicationSet has an Application for each of its folders', async () => {
    const made = await former()
    made.write({
      'apps.yaml': `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all}\nspec:\n  generators:\n  - git: {directories: [{path: packages/*}]}\n`,
    })
    made.commit()
    const {status, stderr} = await made.move()
    expect(status).toBe(5)
    expect(stderr).toContain('ApplicationSet all applies packages/*, from which files move')
    expect(stderr).toContain('Try: Let it apply the whole tree')
    made.write({'apps.yaml': '{{- range .x }}\napiVersion: argoproj.io/v1alpha1\npath: packages/*\n'})
    made.commit()
    const template = await made.move()
    expect(template.status).toBe(0)
    expect(template.stderr).toMatch(/Warning: apps\.yaml: .*\[move-unread-file]/)
    expect(made.status()).toBe('')
  })

  it('does not move with edited files, nor with something else', async () => {
    const made = await former()
    made.write({'packages/packages/kustomization.yaml': 'resources: []\n'})
    expect(await made.move()).toMatchObject({status: 5})
    for (const other of [[`${REGISTRY}/provider-sql`], ['--pin', 'digest'], ['--context', 'a']])
      expect(await made.upgrade('--move-files', ...other)).toMatchObject({status: 2})
  })

  it('moves without Git in one change', async () => {
    const made = await former()
    rmSync(made.at('.git'), {recursive: true})
    const move = (...flags: readonly string[]) =>
      runCli(
        'package',
        'upgrade',
        '--declaration',
        made.at('crossplane-packages.yaml'),
        '--move-files',
        ...flags,
      )
    const {status, stdout, stderr: noted} = await move('--dry-run')
    expect(noted).toContain('[move-unsearched]')
    expect({status, stdout}).toEqual({
      status: 0,
      stdout: expect.stringContaining('No object changes: 3 files of '),
    })
    expect(hasFolder(made, 'xpkgs')).toBe(false)
    expect(await move('--yes')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('written, 3 deleted'),
    })
    expect(readdirSync(join(made.tree, 'xpkgs')).length).toBe(3)
    expect([hasFolder(made, 'packages'), hasFolder(made, 'xpkgs')]).toEqual([false, true])
    expect(await move('--yes')).toMatchObject({status: 0, stderr: expect.stringContaining('nothing to move')})
    const check = await runCli('package', 'check', '--output-dir', made.tree, '--hashes')
    expect(check.status).toBe(0)
  })
})
