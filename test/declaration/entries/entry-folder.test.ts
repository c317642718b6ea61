import {describe, expect, it} from '@jest/globals'
import {mkdirSync, readFileSync, rmSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {declareMirrorsIn} from '../../../src/cli/bundle/declare-mirrors.js'
import {wholeLockAt} from '../../../src/cli/files/entry-folder.js'
import {inputFiles} from '../../../src/cli/files/input-files.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'

const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
const ENTRY = `${HEAD}packages:\n- package: reg.example.org/x/a:v1.0.0\n`
const ENTRY_A = `${HEAD}packages:\n- package: reg.example.org/x/linked:v1.0.0\n`
const root = temporaryFolder()

describe('mirrors of a pushed bundle', () => {
  it.each([
    ['entries in files of their own', `${HEAD}# ours\n`],
    ['a base as well', `${HEAD}extends: base.yaml # shared\n# ours\n`],
  ])('are declared beside %s, which stay there', async (name, settings) => {
    const home = name.replaceAll(' ', '-')
    const file = join(root, home, 'crossplane-packages.yaml')
    const base = `${HEAD}coreVersion: v2.3.4\npackages: []\n`
    writeTree(join(root, home), {
      'base.yaml': base,
      'crossplane-packages.yaml': settings,
      'packages.d/a.yaml': ENTRY,
    })
    await declareMirrorsIn(file, {registries: {'reg.example.org': 'mirror.example.org/a'}, hasXpkgs: true})
    const written = readFileSync(file, 'utf8')
    expect(written).toContain('reg.example.org: mirror.example.org/a')
    expect(written).not.toContain('packages:')
    expect(written).not.toContain('{')
    for (const line of settings.trimEnd().split('\n')) expect(written).toContain(`${line}\n`)
    const {bytes} = await inputFiles.read(file, '--declaration')
    expect(Buffer.from(bytes).toString()).toContain('reg.example.org/x/a:v1.0.0')
  })
})

describe('entries that are links', () => {
  const read = async (name: string, link: (home: string) => void) => {
    const home = join(root, name)
    writeTree(home, {'crossplane-packages.yaml': HEAD, 'packages.d/b.yaml': ENTRY, 'data/a.yaml': ENTRY_A})
    link(home)
    const {bytes} = await inputFiles.read(join(home, 'crossplane-packages.yaml'), '--declaration')
    return Buffer.from(bytes).toString()
  }
  const outside = temporaryFolder()
  writeTree(outside, {'packages.d/a.yaml': ENTRY_A})

  it.each<readonly [string, (home: string) => void]>([
    [
      'another file of the folder of the declaration, as in a mounted ConfigMap',
      home => {
        symlinkSync('../data/a.yaml', join(home, 'packages.d/a.yaml'))
      },
    ],
    [
      'another folder there',
      home => {
        writeTree(home, {'data/b.yaml': ENTRY})
        rmSync(join(home, 'packages.d'), {recursive: true})
        symlinkSync('data', join(home, 'packages.d'))
      },
    ],
  ])('are read from %s', async (name, link) => {
    const text = await read(name.replaceAll(' ', '-'), link)
    expect(text).toContain('reg.example.org/x/a:v1.0.0')
    expect(text).toContain('reg.example.org/x/linked:v1.0.0')
  })

  it.each<readonly [string, (home: string) => void]>([
    [
      'a file elsewhere',
      home => {
        symlinkSync(join(outside, 'packages.d/a.yaml'), join(home, 'packages.d/a.yaml'))
      },
    ],
    [
      'a file beside its folder',
      home => {
        writeTree(root, {'a.yaml': ENTRY_A})
        symlinkSync('../../a.yaml', join(home, 'packages.d/a.yaml'))
      },
    ],
    [
      'a folder elsewhere',
      home => {
        rmSync(join(home, 'packages.d'), {recursive: true})
        symlinkSync(join(outside, 'packages.d'), join(home, 'packages.d'))
      },
    ],
    [
      'a link that leads elsewhere',
      home => {
        symlinkSync(outside, join(home, 'data/link'))
        symlinkSync('../data/link/packages.d/a.yaml', join(home, 'packages.d/a.yaml'))
      },
    ],
    [
      'nothing',
      home => {
        symlinkSync('nothing.yaml', join(home, 'packages.d/a.yaml'))
      },
    ],
  ])('are not read from %s', async (name, link) => {
    await expect(read(name.replaceAll(' ', '-'), link)).rejects.toMatchObject({
      code: 'input-invalid',
      message: expect.stringContaining('a symbolic link that leads out of the folder of the declaration'),
    })
  })

  it('are not read from the lock of a package elsewhere', async () => {
    const home = join(root, 'locks')
    writeTree(home, {'crossplane-packages.yaml': HEAD, 'packages.d/b.yaml': ENTRY})
    symlinkSync(join(outside, 'packages.d/a.yaml'), join(home, 'packages.d/a.lock'))
    await expect(wholeLockAt(join(home, 'crossplane-packages.lock'))).rejects.toMatchObject({
      code: 'input-invalid',
    })
  })
})

describe('entries of a base', () => {
  const outside = temporaryFolder()
  writeTree(outside, {'packages.d/a.yaml': ENTRY})
  const read = async (name: string, link: (base: string) => void) => {
    const base = join(root, name, 'base')
    writeTree(join(root, name), {
      '.git/HEAD': '',
      'base/crossplane-packages.yaml': HEAD,
      'own/crossplane-packages.yaml': `${HEAD}extends: ../base/crossplane-packages.yaml\npackages: []\n`,
    })
    link(base)
    const {bytes} = await inputFiles.read(join(root, name, 'own/crossplane-packages.yaml'), '--declaration')
    return Buffer.from(bytes).toString()
  }

  it('are read from its folder', async () => {
    const text = read('plain', base => {
      writeTree(base, {'packages.d/a.yaml': ENTRY})
    })
    expect(await text).toContain('reg.example.org/x/a:v1.0.0')
  })

  it.each<readonly [string, (base: string) => void]>([
    [
      'the folder is a link',
      base => {
        symlinkSync(join(outside, 'packages.d'), join(base, 'packages.d'))
      },
    ],
    [
      'one of them is a link',
      base => {
        mkdirSync(join(base, 'packages.d'))
        symlinkSync(join(outside, 'packages.d/a.yaml'), join(base, 'packages.d/a.yaml'))
      },
    ],
  ])('are not read where %s', async (name, link) => {
    await expect(read(name.replaceAll(' ', '-'), link)).rejects.toThrow(/a symbolic link leads to it/)
  })
})
