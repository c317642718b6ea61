import {chmodSync, mkdirSync, mkdtempSync, symlinkSync} from 'node:fs'
import {readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, it} from '@jest/globals'
import {systemCode} from '../../src/adapters/file-system.js'
import {packagesFolder} from '../../src/adapters/packages-folder.js'
import {withPackages} from '../../src/locate/package-sources.js'
import {outcome} from '../outcome.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {unprivileged} from '../unprivileged.js'

const all = temporaryFolder()

function folder(): string {
  return writeTree(mkdtempSync(join(all, 'packages-')), {
    'team/a/v1/.registry/app.yaml': '',
    'team/b@v2/.registry/app.yaml': '',
  })
}

const TWO = [
  {repositoryPath: 'team/a', tag: 'v1'},
  {repositoryPath: 'team/b', tag: 'v2'},
]

const found = async (root: string) =>
  (await packagesFolder(root).all())
    .map(({repositoryPath, tag}) => ({repositoryPath, tag}))
    .sort((a, b) => (a.repositoryPath < b.repositoryPath ? -1 : 1))

describe('packagesFolder', () => {
  it('lists packages of both forms', async () => {
    expect(await found(folder())).toEqual(TWO)
  })

  it('stops at links to a parent folder', async () => {
    const root = folder()
    for (let index = 0; index < 10; index += 1) symlinkSync('.', join(root, `link${index}`))
    for (let index = 0; index < 10; index += 1) symlinkSync('../..', join(root, 'team/a', `up${index}`))
    expect(await found(root)).toEqual(TWO)
  })

  it('stops at a limit of folders multiplied by links', async () => {
    const root = folder()
    for (let depth = 0; depth < 8; depth += 1) {
      mkdirSync(join(root, `depth${depth}`))
      for (let index = 0; index < 10; index += 1)
        symlinkSync(`../depth${depth + 1}`, join(root, `depth${depth}`, `link${index}`))
    }
    expect(await outcome(() => packagesFolder(root).all())).toBe('limit-exceeded')
  })

  it('follows a link to a package', async () => {
    const root = folder()
    mkdirSync(join(root, 'other'))
    symlinkSync('../team/a', join(root, 'other/c'))
    expect(await found(root)).toContainEqual({repositoryPath: 'other/c', tag: 'v1'})
  })

  it('skips a subfolder that the user cannot read, such as lost+found', async () => {
    const root = folder()
    for (const path of [all, root]) chmodSync(path, 0o755)
    mkdirSync(join(root, 'lost+found/x/v1/.registry'), {recursive: true})
    chmodSync(join(root, 'lost+found'), 0)
    await unprivileged(async () => {
      expect(await readdir(join(root, 'lost+found')).catch(systemCode)).toBe('EACCES')
      expect(await found(root)).toEqual(TWO)
      expect(await packagesFolder(root).versions({path: 'lost+found/x'})).toEqual([])
    })
    chmodSync(join(root, 'lost+found'), 0o755)
  })

  // A folder that can be listed, but not searched, hides what its entries are.
  it.each([
    ...['', 'team', 'team/a', 'team/a/v1', 'team/a/stable', 'team/a@v2'].map(path => ({path, mode: 0})),
    ...['', 'team', 'team/a', 'team/a/v1'].map(path => ({path, mode: 0o644})),
  ])('stops at a folder that the user may not read: "$path", mode $mode', async ({path, mode}) => {
    const root = writeTree(folder(), {
      'team/a/stable/.registry/app.yaml': '',
      'team/a@v2/.registry/app.yaml': '',
    })
    for (const each of [all, root]) chmodSync(each, 0o755)
    chmodSync(join(root, path), mode)
    const denied = expect.stringMatching(new RegExp(`^cannot read ${join(root, path)}.*: permission denied$`))
    await unprivileged(async () => {
      for (const search of [packagesFolder(root).all(), packagesFolder(root).versions({path: 'team/a'})])
        await expect(search).rejects.toMatchObject({code: 'read-failed', message: denied})
    })
    chmodSync(join(root, path), 0o755)
  })

  it('finds a package whose metadata is a link to nothing, so that it is passed over by name', async () => {
    const root = folder()
    mkdirSync(join(root, 'x/gate@v2'), {recursive: true})
    symlinkSync('nothing', join(root, 'x/gate@v2/crossplane.yaml'))
    expect(await packagesFolder(root).versions({path: 'x/gate'})).toMatchObject([{tag: 'v2', isXpkg: true}])
  })

  it('finds a folder without a package whose name is that of a version, so that it is passed over by name', async () => {
    const root = folder()
    for (const path of ['x/gate@v2', 'x/gate/v1.0.0/notes', 'x/gate/docs', 'x/.hidden/a@v1', '@scope/b'])
      mkdirSync(join(root, path), {recursive: true})
    const tags = (await packagesFolder(root).versions({path: 'x/gate'})).map(({tag}) => tag)
    expect(tags.sort()).toEqual(['v1.0.0', 'v2'])
    expect(withPackages(await packagesFolder(root).versions({path: 'x/gate'}))).toEqual([])
    expect(withPackages(await packagesFolder(root).all())).toHaveLength(TWO.length)
    expect(await found(root)).toEqual([
      ...TWO,
      {repositoryPath: 'x/gate', tag: 'v1.0.0'},
      {repositoryPath: 'x/gate', tag: 'v2'},
    ])
  })

  it('finds repositories below a folder whose name is that of a version', async () => {
    const root = folder()
    mkdirSync(join(root, 'x/v1.2.3/a@v1/.registry'), {recursive: true})
    expect(await found(root)).toEqual([...TWO, {repositoryPath: 'x/v1.2.3/a', tag: 'v1'}])
    expect(await packagesFolder(root).versions({path: 'x'})).toEqual([])
  })

  it('has the version of a folder without a package that is too large to be searched', async () => {
    const root = folder()
    for (const name of ['a', 'b', 'c']) mkdirSync(join(root, 'x/v1.2.3', name), {recursive: true})
    expect(await packagesFolder(root, 2).versions({path: 'x'})).toMatchObject([{tag: 'v1.2.3'}])
  })

  it('rejects a path that is not a folder', async () => {
    await expect(packagesFolder(join(all, 'absent')).all()).rejects.toMatchObject({
      code: 'not-found',
      message: `cannot read ${join(all, 'absent')}: no such file or directory`,
    })
    writeTree(all, {file: ''})
    await expect(packagesFolder(join(all, 'file')).versions({path: 'a'})).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})
