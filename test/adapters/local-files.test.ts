import {execFileSync} from 'node:child_process'
import {mkdtempSync} from 'node:fs'
import {appendFile, readdir, truncate, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, it} from '@jest/globals'
import {localFile, localFiles} from '../../src/adapters/local-files.js'
import {archiveFiles} from '../../src/fetch/archive-files.js'
import type {SourceFile} from '../../src/fetch/source-files.js'
import {until} from '../cluster/kube.js'
import {bytesOf, memoryFile, memoryFiles} from '../fetch/fake-sources.js'
import {tarHeader, tarOfFiles} from '../fetch/raw-tar.js'
import {sourceFilesContract} from '../fetch/source-files-contract.js'
import {outcome} from '../outcome.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const temporary = temporaryFolder()

/** A folder with these files; returns its path. */
function onDisk(files: Readonly<Record<string, string | Uint8Array>>): string {
  return writeTree(mkdtempSync(join(temporary, 'files-')), files)
}

sourceFilesContract('memoryFiles', files => memoryFiles('memory', files))
sourceFilesContract('localFiles', files => localFiles(onDisk(files)))
sourceFilesContract('archiveFiles in memory', files =>
  archiveFiles(memoryFile('a.tar', tarOfFiles(files), 1000)),
)
sourceFilesContract('archiveFiles on disk', async files => {
  const root = onDisk({'a.tar': tarOfFiles(files)})
  return archiveFiles(await localFile(join(root, 'a.tar')))
})

describe('localFile and localFiles', () => {
  it('find no file that does not exist', async () => {
    const root = onDisk({'a/b': ''})
    execFileSync('mkfifo', [join(root, 'pipe')])
    const paths = ['no', 'a', 'a/b/no', 'pipe']
    const outcomes = await Promise.all(paths.map(path => outcome(() => localFile(join(root, path)))))
    expect(outcomes).toEqual(paths.map(() => 'not-found'))
  })

  it('find no directory that does not exist', async () => {
    const root = onDisk({'a/b': ''})
    const outcomes = await Promise.all(['no', 'a/b'].map(path => outcome(() => localFiles(join(root, path)))))
    expect(outcomes).toEqual(['not-found', 'not-found'])
  })

  it('report the actual type of a path of another type', async () => {
    const root = onDisk({'a/b': ''})
    execFileSync('mkfifo', [join(root, 'pipe')])
    const words = async (act: () => Promise<unknown>) =>
      String(await act().catch((error: unknown) => error)).replace(`${root}/`, '')
    expect(
      await Promise.all([
        words(() => localFiles(join(root, 'no'))),
        words(() => localFiles(join(root, 'a/b'))),
        words(() => localFile(join(root, 'a'))),
        words(() => localFile(join(root, 'pipe'))),
      ]),
    ).toEqual([
      expect.stringContaining('the folder no: no such file or directory'),
      expect.stringContaining('the folder a/b: not a directory'),
      expect.stringContaining('the file a: is a directory'),
      expect.stringContaining('the file pipe: neither a regular file nor a directory'),
    ])
  })

  it('report a path that cannot be a file name', async () => {
    expect(await outcome(() => localFile(join(temporary, 'a'.repeat(300))))).toBe('not-found')
  })

  it('report a file that was deleted', async () => {
    const root = onDisk({a: 'a'})
    const file = await localFile(join(root, 'a'))
    execFileSync('rm', [join(root, 'a')])
    expect(await outcome(() => bytesOf(file.read()))).toBe('not-found')
  })

  it('read an archive of 3 GB by its headers, and skip the contents', async () => {
    const path = join(onDisk({}), 'large.tar')
    const size = 3 * 2 ** 30
    await writeFile(path, tarHeader({name: 'layer.tar', size}))
    await truncate(path, 512 + size)
    await appendFile(path, tarOfFiles({'manifest.json': '[]'}))
    const {file, bytes} = counted(await localFile(path))
    const files = await archiveFiles(file)
    const found = [(await files.file('layer.tar'))?.size, (await files.file('manifest.json'))?.size]
    expect({found, isLittle: bytes() < 2 ** 20}).toEqual({found: [size, 2], isLittle: true})
  })

  it('leave no file open, however reading ends', async () => {
    const root = onDisk({a: Buffer.alloc(5_000_000), 'bad.tar': Buffer.alloc(5_000_000, 'bad')})
    const before = await openFiles()
    const file = await localFile(join(root, 'a'))
    for await (const chunk of file.read()) if (chunk.length > 0) break
    await bytesOf(file.read())
    await outcome(async () => archiveFiles(await localFile(join(root, 'bad.tar'))))
    // Files are closed a moment later.
    const left = await until(openFiles, count => count <= before)
    expect(left).toBeLessThanOrEqual(before)
  })
})

/** The descriptors of this process, where the system shows them. */
async function openFiles(): Promise<number> {
  await new Promise(resolve => setTimeout(resolve, 50))
  return (await readdir('/proc/self/fd').catch(() => [])).length
}

/** The same file, counting what is read of it. */
function counted(file: SourceFile): {readonly file: SourceFile; readonly bytes: () => number} {
  let bytes = 0
  async function* read(start?: number, end?: number): AsyncGenerator<Uint8Array> {
    for await (const chunk of file.read(start, end)) {
      bytes += chunk.length
      yield chunk
    }
  }
  return {file: {...file, read}, bytes: () => bytes}
}
