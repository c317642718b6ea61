import {describe, expect, it} from '@jest/globals'
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {backupFolder} from '../../src/adapters/backup-folder.js'
import {temporaryFolder} from '../temporary-folder.js'

const all = temporaryFolder()
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('a folder for a backup', () => {
  it.each([
    {name: 'that does not exist', make: (path: string) => path},
    {
      name: 'that is empty and open to others',
      make: (path: string) => {
        mkdirSync(path, {mode: 0o755})
        return path
      },
    },
  ])('$name is filled for its owner alone', async ({make}) => {
    const root = make(join(mkdtempSync(join(all, 'x-')), 'backup'))
    const folder = backupFolder(root)
    await folder.expectEmpty()
    await Promise.all(['a/b/c.yaml', 'a/b/d.yaml', 'a/e.yaml'].map(path => folder.create(path, `${path}\n`)))
    await folder.settle()
    const files = readdirSync(root, {recursive: true, encoding: 'utf8'}).sort()
    expect(files.map(path => `${path} ${modeOf(join(root, path))}`)).toEqual([
      'a 700',
      'a/b 700',
      'a/b/c.yaml 600',
      'a/b/d.yaml 600',
      'a/e.yaml 600',
    ])
    expect(modeOf(root)).toBe('700')
    expect(readFileSync(join(root, 'a/b/d.yaml'), 'utf8')).toBe('a/b/d.yaml\n')
  })

  it('is not created before the first file', async () => {
    const root = join(all, 'absent')
    await backupFolder(root).expectEmpty()
    expect(() => statSync(root)).toThrow(/ENOENT/)
  })

  it.each([
    {
      name: 'with a file',
      make: (path: string) => {
        mkdirSync(path)
        writeFileSync(join(path, 'a'), '')
      },
      code: 'output-refused',
    },
    {name: 'that is a file', make: (path: string) => writeFileSync(path, ''), code: 'output-failed'},
  ])('$name is rejected', async ({make, code}) => {
    const root = join(mkdtempSync(join(all, 'x-')), 'backup')
    make(root)
    await expect(backupFolder(root).expectEmpty()).rejects.toMatchObject({code})
  })

  it('reads the manifest of hundreds of thousands of custom resources', async () => {
    const folder = backupFolder(join(all, 'many'))
    const manifest = ' '.repeat(40 * 1024 * 1024)
    await folder.create('MANIFEST', manifest)
    expect((await folder.read('MANIFEST'))?.length).toBe(manifest.length)
  })

  it('never replaces a file, and never writes outside', async () => {
    const folder = backupFolder(join(all, 'once'))
    await folder.create('a', '1')
    await expect(folder.create('a', '2')).rejects.toMatchObject({code: 'output-failed'})
    await expect(folder.create('../a', '2')).rejects.toMatchObject({code: 'output-refused'})
  })
})
