import {describe, expect, it} from '@jest/globals'
import {symlinkSync} from 'node:fs'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {GitWorlds, type Repository} from './git-world.js'
import {lastName, statusesOf, updateWorlds} from './update-world.js'

const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
const BASE = `${HEAD}render:\n  kubeVersion: '1.20'\npackages:\n- package: x/bs:v1.0.0\n`
const OWN = `${HEAD}# of this cluster\nextends: ../../base/crossplane-packages.yaml # shared\npackages: []\n`
const HOME = 'clusters/a'

describeReal('a declaration that extends a base', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const world = (own = OWN, more: Readonly<Record<string, string>> = {}) =>
    worlds.repository({
      'base/crossplane-packages.yaml': BASE,
      [`${HOME}/crossplane-packages.yaml`]: own,
      ...more,
    })
  const declaration = (repository: Repository, path = HOME) =>
    repository.text(`${path}/crossplane-packages.yaml`)
  const inHome = (repository: Repository, command: string, ...args: readonly string[]) =>
    runCli(
      ...['package', command, '--declaration', repository.at(`${HOME}/crossplane-packages.yaml`)],
      ...['--packages', worlds.packages, ...args],
    )
  const inGit = (repository: Repository, command: string, ...args: readonly string[]) =>
    runCli(
      ...['package', command, ...args, '--git', repository.root, '--path', HOME],
      ...['--packages', worlds.packages, '--yes'],
    )
  const check = (repository: Repository) =>
    runCli('package', 'check', '--git', repository.root, '--path', HOME, '--packages', worlds.packages)
  const committed = async (repository: Repository, command: string, ...args: readonly string[]) => {
    const {status, stderr} = await inGit(repository, command, ...args)
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining(': committed ')})
    expect(repository.status()).toBe('')
    return stderr
  }

  it('is locked, shown, rendered and checked with the entries of the base, which are named', async () => {
    const repository = world()
    const lock = await inHome(repository, 'lock')
    expect(lock).toMatchObject({status: 0})
    expect(lock.stderr).toContain('extends ')
    expect(lock.stderr).toMatch(/1 entry of it \(x\/bs:v1\.0\.0 at .*base\/crossplane-packages\.yaml:6\)/)
    expect(repository.text(`${HOME}/crossplane-packages.lock`)).toContain('x/bs')
    const tree = await inHome(repository, 'tree')
    expect(tree).toMatchObject({status: 0, stdout: expect.stringContaining('x/bs:v1.0.0')})
    const out = repository.at('out')
    expect(await inHome(repository, 'render', '--output-dir', out)).toMatchObject({status: 0})
    const check = await inHome(repository, 'check', '--output-dir', out)
    expect(check).toMatchObject({status: 0, stderr: expect.stringContaining('1 entry of it')})
    // A change of the base is one of the declaration.
    repository.write({'base/crossplane-packages.yaml': BASE.replace('v1.0.0', 'v2.0.0')})
    expect(await inHome(repository, 'check', '--output-dir', out)).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('x/bs:v2.0.0 was requested'),
    })
  })

  it('is upgraded and uninstalled in its own file, and says what the base has', async () => {
    const repository = world()
    await committed(repository, 'upgrade')
    expect(declaration(repository)).toBe(OWN)
    const upgraded = await committed(repository, 'upgrade', 'x/bs:v2.0.0')
    expect(upgraded).toMatch(/the base has x\/bs:v1\.0\.0: the entry of .* replaces it/)
    const own = OWN.replace(' []', '\n- package: x/bs:v2.0.0')
    expect(declaration(repository)).toBe(own)
    expect(declaration(repository, 'base')).toBe(BASE)
    await committed(repository, 'install', 'x/app')
    expect(declaration(repository)).toBe(`${own}- package: x/app\n`)
    for (let step = 1; step <= 3; step += 1)
      await committed(repository, 'uninstall', 'x-bs', '--assume-no-instances')
    expect(declaration(repository)).toBe(
      OWN.replace('packages: []', 'remove:\n- x/bs\npackages:\n- package: x/app'),
    )
    expect(await check(repository)).toMatchObject({status: 0})
  })

  it('reads the base from the same commit, whatever the working tree has', async () => {
    const repository = world()
    repository.write({'base/crossplane-packages.yaml': BASE.replace('v1.0.0', 'v2.0.0')})
    const {status} = await inGit(repository, 'upgrade')
    expect(status).toBe(0)
    expect(repository.text(`${HOME}/crossplane-packages.lock`)).toContain('tag: v1.0.0')
    expect(repository.text(`${HOME}/crossplane-packages.lock`)).not.toContain('tag: v2.0.0')
  })

  it('keeps entries in files of their own', async () => {
    const repository = world(`${HEAD}extends: ../../base/crossplane-packages.yaml\n`)
    await committed(repository, 'upgrade', 'x/bs:v2.0.0')
    expect(declaration(repository)).toBe(`${HEAD}extends: ../../base/crossplane-packages.yaml\n`)
    expect(repository.text(`${HOME}/packages.d/x-bs.yaml`)).toBe(`${HEAD}packages:\n- package: x/bs:v2.0.0\n`)
    await committed(repository, 'install', 'x/app')
    expect(repository.git('ls-files', `${HOME}/packages.d`)).toContain('x-app.yaml')
    expect(await check(repository)).toMatchObject({status: 0, stdout: ''})
  })

  it('names the file and the line of an entry that is wrong', async () => {
    const repository = world()
    repository.write({'base/crossplane-packages.yaml': `${BASE}  pin: tag\n`})
    const {status, stderr} = await inHome(repository, 'lock')
    expect(status).toBe(1)
    expect(stderr).toContain('pin has no effect')
    expect(stderr).toMatch(/base\/crossplane-packages\.yaml:6/)
  })

  it.each([
    ['the file is a link', 'link.yaml', '../../link.yaml'],
    ['a folder on the way is a link', 'links', '../../links/crossplane-packages.yaml'],
  ])('is not read where %s', async (_, link, path) => {
    const repository = world(OWN.replace('../../base/crossplane-packages.yaml', path))
    symlinkSync(link === 'links' ? 'base' : 'base/crossplane-packages.yaml', repository.at(link))
    repository.git('add', '--all')
    repository.git('commit', '--quiet', '--message=links')
    const want = {
      status: 1,
      stderr: expect.stringContaining('is not a file of the repository, or a symbolic link'),
    }
    expect(await inHome(repository, 'lock')).toMatchObject(want)
    expect(await inGit(repository, 'upgrade')).toMatchObject(want)
  })

  it('is not read from outside of the repository, nor with links in the base out of it', async () => {
    const repository = world()
    const outer = worlds.repository({'base/crossplane-packages.yaml': BASE})
    const path = `../../../${outer.root.split('/').at(-1) ?? ''}/base/crossplane-packages.yaml`
    repository.write({
      [`${HOME}/crossplane-packages.yaml`]: OWN.replace('../../base/crossplane-packages.yaml', path),
    })
    expect(await inHome(repository, 'lock')).toMatchObject({status: 1})
    repository.git('commit', '--quiet', '--all', '--message=outside')
    expect(await inGit(repository, 'upgrade')).toMatchObject({status: 1})
    const linked = world(OWN, {'base/crossplane-packages.yaml': HEAD, 'base/packages.d/.keep': ''})
    symlinkSync(outer.at('base/crossplane-packages.yaml'), linked.at('base/packages.d/bs.yaml'))
    expect(await inHome(linked, 'lock')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('a symbolic link leads to it or to one of its entries'),
    })
    linked.git('add', '--all')
    linked.git('commit', '--quiet', '--message=links')
    expect((await inGit(linked, 'upgrade')).stderr).not.toContain('x/bs')
  })
})

describeReal('updates of a declaration that extends a base', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const world = updateWorlds(worlds)

  describe('of a remote repository', () => {
    it('write its own entry, and follow the base', async () => {
      const {publish, name, declared, updates, cache} = world()
      for (const path of ['a', 'b']) publish(path, 'v1.0.0')
      const base = (tag: string, hold = {}) => declared([{package: `${name('a')}:${tag}`}], hold)
      const start = worlds.repository({
        'base/crossplane-packages.yaml': base('v1.0.0'),
        'one/crossplane-packages.yaml': declared([{package: `${name('b')}:v1.0.0`}], {
          extends: '../base/crossplane-packages.yaml',
        }),
      })
      const path = ['--path', 'one']
      await start.committed(
        runCli('package', 'upgrade', '--git', start.root, ...path, '--cache-dir', cache, '--yes', '--quiet'),
      )
      const bare = worlds.bare(start)
      for (const one of ['a', 'b']) publish(one, 'v1.1.0')
      const url = `file://${bare.root}`
      const {updates: made} = await updates(url, ...path)
      expect(made.map(({branch, status}) => [lastName(branch), status])).toEqual([
        ['a', 'created'],
        ['b', 'created'],
      ])
      const branch = made[0]?.branch ?? ''
      expect(bare.git('show', `${branch}:one/crossplane-packages.yaml`)).toContain(`${name('a')}:v1.1.0`)
      expect(bare.git('show', `${branch}:base/crossplane-packages.yaml`)).toBe(base('v1.0.0'))
      const clone = worlds.clone(bare)
      clone.write({'base/crossplane-packages.yaml': base('v1.0.0', {hold: {[name('a')]: 'waits'}})})
      clone.git('commit', '--quiet', '--all', '--message=hold')
      clone.git('push', '--quiet')
      expect(statusesOf(await updates(url, ...path))).toEqual({a: 'removed', b: 'updated'})
    })
  })
})
