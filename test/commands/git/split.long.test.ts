import {expect, it} from '@jest/globals'
import {mkdirSync, renameSync, rmSync, symlinkSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {describeReal} from '../../real-parts.js'
import {missingTool} from '../../missing-tool.js'
import {runCli} from '../../run-cli.js'
import {GitWorlds, type Repository} from './git-world.js'

const HOME = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\nlayout: flux\n'

describeReal('a declaration in several files', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const home = () => worlds.repository({'crossplane-packages.yaml': HOME})
  const check = (repository: Repository) =>
    runCli('package', 'check', '--git', repository.root, '--packages', worlds.packages)
  const lock = (repository: Repository, ...args: readonly string[]) => {
    const declaration = ['--declaration', repository.at('crossplane-packages.yaml')]
    return runCli('package', 'lock', ...declaration, '--packages', worlds.packages, ...args)
  }
  async function inFolder<T>(folder: string, run: () => Promise<T>): Promise<T> {
    const before = process.cwd()
    process.chdir(folder)
    try {
      return await run()
    } finally {
      process.chdir(before)
    }
  }
  const committed = (repository: Repository) =>
    repository.git(
      'show',
      '--name-status',
      '--format=',
      'HEAD',
      '--',
      'packages.d',
      'packages/.kubectl-crossplane',
    )

  it('gets a file for each entry, and the locks and the lists of files of each install', async () => {
    const repository = home()
    await repository.committed(repository.install('x/app'))
    expect(committed(repository)).toBe(
      [
        ...['crossplane-system.x-app.lock', 'crossplane-system.x-as.lock', 'x-app.yaml'].map(
          each => `A\tpackages.d/${each}`,
        ),
        'A\tpackages/.kubectl-crossplane/files.sha256',
        ...['clusterpackageinstalls', 'packageinstalls', 'packages', 'stackdefinitions'].map(
          each => `A\tpackages/.kubectl-crossplane/installs/crd.${each}.packages.crossplane.io.sha256`,
        ),
        ...['x-app', 'x-as'].map(
          name => `A\tpackages/.kubectl-crossplane/installs/crossplane-system.${name}.sha256`,
        ),
        'A\tpackages/.kubectl-crossplane/tree.settings',
        '',
      ].join('\n'),
    )
    expect(repository.text('crossplane-packages.yaml')).toBe(HOME)
    expect(await check(repository)).toMatchObject({status: 0})
    expect(repository.status()).toBe('')
  })

  it.each([
    {name: 'of its entries', path: 'packages.d/x-app.yaml', target: '../shared/x-app.yaml'},
    {name: 'of its locks', path: 'packages.d/crossplane-system.x-app.lock', target: '../shared/x-app.lock'},
    {name: 'folder of entries', path: 'packages.d', target: 'shared'},
  ])('loses no package where one $name is a link', async ({path, target}) => {
    const repository = home()
    await repository.committed(repository.install('x/app'))
    mkdirSync(repository.at('shared'), {recursive: true})
    const moved = repository.at(join(dirname(path), target))
    rmSync(moved, {recursive: true, force: true})
    renameSync(repository.at(path), moved)
    symlinkSync(target, repository.at(path))
    repository.git('add', '--all')
    repository.git('commit', '--quiet', '--message=link')
    for (const {status, stderr} of [
      await repository.run('upgrade', '--yes'),
      await repository.install('x/bs:v1.0.0'),
    ])
      expect({status, stderr}).toMatchObject({
        status: 1,
        stderr: expect.stringContaining(
          `cannot read ${path}: it is a symbolic link in the commit`,
        ) as unknown,
      })
    expect(repository.git('log', '-1', '--format=%s').trim()).toBe('link')
    expect(await check(repository)).toMatchObject({status: 0})
  })

  it('is rendered in the order of its files, whatever the order in which it was installed', async () => {
    const repository = worlds.repository({'crossplane-packages.yaml': HOME.replace('layout: flux\n', '')})
    await repository.committed(repository.install('x/bs:v1.0.0'))
    await repository.committed(repository.install('x/app'))
    expect(await check(repository)).toMatchObject({status: 0, stdout: ''})
  })

  it('is upgraded, and uninstalled in steps, without a change of other installs', async () => {
    const repository = home()
    await repository.committed(repository.install('x/bs:v1.0.0'))
    await repository.committed(repository.install('x/app'))
    await repository.committed(repository.upgrade('x/bs:v2.0.0'))
    expect(committed(repository)).not.toMatch(/x-app|x-as/)
    for (let step = 1; step <= 3; step += 1) {
      await repository.committed(repository.run('uninstall', 'x-bs', '--assume-no-instances'))
      expect(await check(repository)).toMatchObject({status: 0})
    }
    expect(repository.git('ls-files', 'packages.d', 'packages/.kubectl-crossplane')).not.toContain('x-bs')
    expect(repository.status()).toBe('')
  })

  it('is made of one file by package lock --split, and rendered again the same', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/app'))
    await repository.committed(repository.install('x/bs:v1.0.0'))
    const {status, stdout} = await lock(repository, '--split', '--dry-run')
    expect({status, stdout}).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^delete +crossplane-packages\.lock +the declaration/m),
    })
    expect(repository.status()).toBe('')
    // The names of files are relative there.
    const split = await inFolder(repository.root, () =>
      runCli('package', 'lock', '--split', '--packages', worlds.packages),
    )
    expect(split).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(
        /^Note: if packages is in the repository, .*\[split-declaration\]\nTry: kubectl crossplane package render --declaration crossplane-packages.yaml --packages \S+ --output-dir packages$/m,
      ),
    })
    expect(repository.git('status', '--porcelain', '--', '*.lock')).toContain(' D crossplane-packages.lock')
    expect(await lock(repository, '--split')).toMatchObject({
      status: 0,
      stderr: expect.not.stringContaining('split-declaration'),
    })
    const tree = ['--output-dir', repository.at('packages'), '--packages', worlds.packages]
    const declaration = ['--declaration', repository.at('crossplane-packages.yaml')]
    expect(await runCli('package', 'render', ...declaration, ...tree)).toMatchObject({status: 0})
    expect(await check(repository)).toMatchObject({status: 0})
    repository.git('add', '--all')
    repository.git('commit', '--quiet', '--message=split')
    expect(await repository.upgrade('x/bs:v2.0.0')).toMatchObject({status: 0})
    expect(await check(repository)).toMatchObject({status: 0})
  })

  it('is found not to be a resolution after a merge, and repaired by package lock', async () => {
    const repository = home()
    await repository.committed(repository.install('x/app'))
    // As after a merge of a branch that removed the package that required it.
    rmSync(repository.at('packages.d/x-app.yaml'))
    rmSync(repository.at('packages.d/crossplane-system.x-app.lock'))
    expect(await check(repository)).toMatchObject({status: 3})
    expect(await lock(repository)).toMatchObject({status: 0})
    const tree = ['--output-dir', join(repository.root, 'packages'), '--packages', worlds.packages]
    const declaration = ['--declaration', repository.at('crossplane-packages.yaml')]
    expect(await runCli('package', 'render', ...declaration, ...tree)).toMatchObject({status: 0})
    expect(await check(repository)).toMatchObject({status: 0})
    expect(repository.git('ls-files', '--deleted')).toContain('packages.d/crossplane-system.x-as.lock')
  })

  it('is committed to a URL', async () => {
    const bare = worlds.bare(home())
    const install = (...args: readonly string[]) =>
      runCli(
        'package',
        'install',
        ...args,
        '--git',
        `file://${bare.root}`,
        '--packages',
        worlds.packages,
        '--yes',
      )
    expect(await install('x/app')).toMatchObject({status: 0})
    expect(await install('x/bs')).toMatchObject({status: 0})
    expect(bare.git('ls-tree', '--name-only', 'main', 'packages.d/')).toMatch(/x-app\.yaml[^]*x-bs\.yaml/)
    expect(await check(worlds.clone(bare))).toMatchObject({status: 0})
  })
})
