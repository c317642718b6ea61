import {execFileSync} from 'node:child_process'
import {mkdir, mkdtemp, symlink, writeFile} from 'node:fs/promises'
import {createServer} from 'node:net'
import {dirname, join} from 'node:path'
import {describe, expect, it} from '@jest/globals'
import {localPackage} from '../../src/adapters/local-package.js'
import {directoryFiles} from '../../src/unpack/files/directory-files.js'
import {outcome} from '../outcome.js'
import {temporaryFolder} from '../temporary-folder.js'
import type {DirectorySpec} from '../unpack/files/memory-directory.js'
import {packageDirectoryContract} from '../unpack/files/package-directory-contract.js'

const temporary = temporaryFolder()

/** The same on disk; returns its path. */
async function onDisk(spec: DirectorySpec): Promise<string> {
  const root = await mkdtemp(join(temporary, 'package-'))
  for (const [path, what] of Object.entries(spec)) {
    await mkdir(dirname(join(root, path)), {recursive: true})
    if (typeof what === 'string') await writeFile(join(root, path), what)
    else if ('link' in what) await symlink(what.link, join(root, path))
  }
  return root
}

packageDirectoryContract('localPackage', async spec => localPackage(await onDisk(spec)))

describe('localPackage', () => {
  async function read(path: string) {
    const files = await directoryFiles(await localPackage(path))
    return Object.fromEntries(files.map(({path, bytes}) => [path, String(Buffer.from(bytes))]))
  }

  it('reads a package of this project', async () => {
    const files = await directoryFiles(await localPackage('test/testdata/packages/image-counter'))
    expect(files.map(({path, bytes}) => [path, bytes.length > 0])).toEqual(
      [
        'app.yaml',
        'icon.svg',
        'install.yaml',
        'resources/counter/counter.crd.yaml',
        'resources/counter/counter.resource.yaml',
        'resources/group.yaml',
      ].map(path => [path, true]),
    )
  })

  it('reads the same from .registry itself and through a link to the package', async () => {
    const root = await onDisk({
      'real/.registry/app.yaml': 'app',
      'real/.registry/l': {link: 'app.yaml'},
      link: {link: 'real'},
    })
    const want = {'app.yaml': 'app', l: 'app'}
    expect([await read(join(root, 'real/.registry')), await read(join(root, 'link'))]).toEqual([want, want])
  })

  it('is identified by its real path', async () => {
    const root = await onDisk({'real/.registry/app.yaml': 'app', link: {link: 'real'}})
    await symlink(join(root, 'real/.registry/app.yaml'), join(root, 'real/.registry/by-real-path'))
    await expect(read(join(root, 'link'))).resolves.toEqual({'app.yaml': 'app', 'by-real-path': 'app'})
    await symlink(join(root, 'link/.registry/app.yaml'), join(root, 'real/.registry/by-a-link'))
    expect(await outcome(() => read(join(root, 'link')))).toBe('source-unsafe')
  })

  it('rejects FIFOs and sockets without waiting for them', async () => {
    const [fifo, socket] = [
      await onDisk({'.registry/app.yaml': ''}),
      await onDisk({'.registry/app.yaml': ''}),
    ]
    execFileSync('mkfifo', [join(fifo, '.registry/pipe')])
    const server = createServer().listen(join(socket, '.registry/socket'))
    await new Promise(resolve => server.on('listening', resolve))
    const outcomes = [await outcome(() => read(fifo)), await outcome(() => read(socket))]
    server.close()
    expect(outcomes).toEqual(['source-unsafe', 'source-unsafe'])
  })

  it('does not follow a path that was replaced by a link after it was listed', async () => {
    const root = await onDisk({'.registry/app.yaml': 'app', '.registry/link': {link: 'app.yaml'}})
    execFileSync('mkfifo', [join(root, '.registry/pipe')])
    const directory = await localPackage(root)
    const outcomes = ['.registry/link', '.registry/pipe'].map(path =>
      outcome(async () => (await directory.read(path, 9)).length),
    )
    expect(await Promise.all(outcomes)).toEqual(['not-found', 0])
  })

  it('rejects a name that is not UTF-8', async () => {
    const root = await onDisk({'.registry/app.yaml': ''})
    await writeFile(Buffer.concat([Buffer.from(join(root, '.registry/caf')), Buffer.of(0xe9)]), '')
    expect(await outcome(() => read(root))).toBe('source-unsafe')
  })

  it.each<{name: string; path: (root: string) => string}>([
    {name: 'nothing', path: root => join(root, 'no')},
    {name: 'a file', path: root => join(root, '.registry/app.yaml')},
    {name: 'below a file', path: root => join(root, '.registry/app.yaml/no')},
    {name: 'a link in a circle', path: root => join(root, 'circle')},
  ])('does not find $name', async ({path}) => {
    const root = await onDisk({'.registry/app.yaml': '', circle: {link: 'circle'}})
    expect(await outcome(() => read(path(root)))).toBe('not-found')
  })
})
