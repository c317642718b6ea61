import {describe, expect, it} from '@jest/globals'
import {withPackage} from '../../../src/declaration/add-package.js'
import {withSettings} from '../../../src/declaration/add-settings.js'
import {type BaseFiles, ownText, withoutExtends} from '../../../src/declaration/entries/read-base.js'
import {type EntryFolder, wholeBase, wholeDeclaration} from '../../../src/declaration/entries/read-entries.js'
import {readDeclaration} from '../../../src/declaration/read-declaration.js'
import {withMark, withoutMarks, withoutPackage} from '../../../src/declaration/remove-package.js'
import {entryPlace, withTag} from '../../../src/declaration/with-tag.js'
import {CrossplaneError} from '../../../src/errors.js'

const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
const NAME = 'clusters/a/crossplane-packages.yaml'
const BASE = `${HEAD}coreVersion: v2.3.4
xpkg:
  pin: tag
  activate: used
policy: policy.yaml
indexes: [./index.json, reg.example.org/x/index]
hold:
  reg.example.org/x/a: waits
packages:
- package: reg.example.org/x/a:v1.0.0
- package: reg.example.org/x/b:v1.0.0
  pin: tag
- crd: cs.x.example.org
`

/** Homes are in clusters/a of a repository with these files; `name` is as a message names it. */
function repository(files: Readonly<Record<string, string>>, folder = 'clusters/a'): () => BaseFiles {
  return () => ({
    folder,
    read: async path => {
      const text = files[path]
      if (text === undefined) return undefined
      const beside = path.slice(0, path.lastIndexOf('/') + 1)
      return await wholeBase({name: path, bytes: Buffer.from(text)}, folderOf(files, `${beside}packages.d/`))
    },
  })
}

function folderOf(files: Readonly<Record<string, string>>, prefix: string): EntryFolder {
  const names = Object.keys(files).filter(path => path.startsWith(prefix))
  return {
    list: () => Promise.resolve(names.map(path => path.slice(prefix.length))),
    read: name =>
      Promise.resolve({name: `${prefix}${name}`, bytes: Buffer.from(files[`${prefix}${name}`] ?? '')}),
  }
}

async function whole(own: string, files: Readonly<Record<string, string>> = {'base/base.yaml': BASE}) {
  const folder = folderOf(files, 'clusters/a/packages.d/')
  return await wholeDeclaration({name: NAME, bytes: Buffer.from(own)}, folder, repository(files))
}

async function declared(own: string, files?: Readonly<Record<string, string>>) {
  const {name, bytes} = await whole(own, files)
  return readDeclaration(name, bytes)
}

const subjects = ({packages}: ReturnType<typeof readDeclaration>) =>
  packages.map(({package: reference, crd}) => reference ?? crd)

async function errorOf(act: () => Promise<unknown>) {
  try {
    await act()
  } catch (error) {
    if (error instanceof CrossplaneError) {
      const {code, diagnostics} = error
      return {
        code,
        places: diagnostics.map(({file, line, message}) => `${file ?? ''}:${line ?? ''} ${message}`),
      }
    }
    throw error
  }
  return undefined
}

const OWN = `${HEAD}# of cluster a
extends: ../../base/base.yaml # shared
xpkg:
  activate: all
remove:
- crd:cs.x.example.org
packages:
- package: reg.example.org/x/b:v2.0.0 # newer here
- package: reg.example.org/x/c:v1.0.0
`

describe('a declaration that extends a base', () => {
  it('has its own entries, then those of the base that it neither replaces nor removes', async () => {
    expect(subjects(await declared(OWN))).toEqual([
      'reg.example.org/x/b:v2.0.0',
      'reg.example.org/x/c:v1.0.0',
      'reg.example.org/x/a:v1.0.0',
    ])
  })

  it('has the settings of the base, joined key by key, with paths relative to its own folder', async () => {
    const {coreVersion, xpkg, policy, basePolicy, indexes, hold} = await declared(`${OWN}policy: own.yaml\n`)
    expect({coreVersion, xpkg, policy, basePolicy, indexes, hold}).toEqual({
      coreVersion: 'v2.3.4',
      xpkg: {pin: 'tag', activate: 'all'},
      policy: 'own.yaml',
      basePolicy: '../../base/policy.yaml',
      indexes: ['../../base/index.json', 'reg.example.org/x/index'],
      hold: {'reg.example.org/x/a': 'waits'},
    })
  })

  it('keeps each of its lines, and is written as it was', async () => {
    const {bytes} = await whole(OWN)
    const text = Buffer.from(bytes).toString()
    expect(text.split('\n').length).toBe(OWN.split('\n').length)
    expect(ownText(text)).toBe(OWN)
    const windows = `\uFEFFextends: ../../base/base.yaml\r\n${HEAD}packages: []`.replaceAll(
      /(?<!\r)\n/g,
      '\r\n',
    )
    expect(ownText(Buffer.from((await whole(windows)).bytes).toString())).toBe(windows)
  })

  it('is the same without its base, in a place that does not have it', async () => {
    const file = await whole(OWN)
    const {basePolicy, ...effective} = readDeclaration(file.name, file.bytes)
    expect(readDeclaration('', withoutExtends(file))).toEqual({...effective, policy: basePolicy})
  })

  it('names the file and the line of each entry', async () => {
    const file = await whole(OWN)
    expect([0, 1, 2].map(index => entryPlace(file, index))).toEqual([
      {file: NAME, line: 10},
      {file: NAME, line: 11},
      {file: 'base/base.yaml', line: 12},
    ])
  })

  it('can have its entries, and those of the base, in files of their own', async () => {
    const files = {
      'base/crossplane-packages.yaml': `${HEAD}coreVersion: v2.3.4\n`,
      'base/packages.d/a.yaml': `${HEAD}packages:\n- package: reg.example.org/x/a:v1.0.0\n`,
      'base/packages.d/b.yaml': `${HEAD}packages:\n- package: reg.example.org/x/b:v1.0.0\n`,
      'clusters/a/packages.d/b.yaml': `${HEAD}packages:\n- package: reg.example.org/x/b:v2.0.0\n`,
    }
    const own = `${HEAD}extends: ../../base/crossplane-packages.yaml\n`
    const file = await whole(own, files)
    const declaration = readDeclaration(file.name, file.bytes)
    expect(subjects(declaration)).toEqual(['reg.example.org/x/b:v2.0.0', 'reg.example.org/x/a:v1.0.0'])
    expect(declaration.coreVersion).toBe('v2.3.4')
    expect(entryPlace(file, 1)).toEqual({file: 'base/packages.d/a.yaml', line: 4})
  })

  it('compares packages by their repository, whatever the default source', async () => {
    const base = `${HEAD}defaultSource: reg.example.org\npackages:\n- package: x/a:v1.0.0\n- package: x/b:v1.0.0\n`
    const own = `${HEAD}extends: ../../base/base.yaml\nremove: [reg.example.org/x/a]\npackages:\n- package: reg.example.org/x/b:v2.0.0\n`
    expect(subjects(await declared(own, {'base/base.yaml': base}))).toEqual(['reg.example.org/x/b:v2.0.0'])
  })
})

describe('an edit of a declaration with a base', () => {
  const edited = async (act: (file: {name: string; bytes: Uint8Array}) => string, own = OWN) => {
    const text = act(await whole(own))
    const written = ownText(text)
    // What is written is read as what was edited.
    expect(await declared(written)).toEqual(readDeclaration(NAME, Buffer.from(text)))
    return written.slice(HEAD.length)
  }

  it('moves the pin of an entry of its own in place', async () => {
    expect(await edited(file => withTag(file, 0, 'v3.0.0'))).toBe(
      OWN.slice(HEAD.length).replace('v2.0.0', 'v3.0.0'),
    )
  })

  it('replaces an entry of the base by one of its own', async () => {
    const added = '- package: reg.example.org/x/a:v1.1.0\n'
    expect(await edited(file => withTag(file, 2, 'v1.1.0'))).toBe(`${OWN.slice(HEAD.length)}${added}`)
    const none = `${HEAD}extends: ../../base/base.yaml\npackages: []\n`
    expect(await edited(file => withTag(file, 1, 'v2.0.0'), none)).toBe(
      'extends: ../../base/base.yaml\npackages:\n- package: reg.example.org/x/b:v2.0.0\n  pin: tag\n',
    )
  })

  it('adds entries and settings to its own lines', async () => {
    const entry = {
      package: 'reg.example.org/x/d:v1',
      parameters: {imagePullSecrets: [], serviceAccountAnnotations: {}},
    }
    expect(await edited(file => withPackage(file, entry))).toBe(
      `${OWN.slice(HEAD.length)}- package: reg.example.org/x/d:v1\n`,
    )
    const settings = {registries: {}, xpkg: {mirrors: true}, render: {}, assume: [], owners: []}
    expect(await edited(file => withSettings(file, settings))).toBe(
      OWN.slice(HEAD.length).replace('xpkg:\n', 'xpkg:\n  mirrors: true\n'),
    )
    // The base has it already.
    expect(await edited(file => withSettings(file, {...settings, xpkg: {pin: 'tag'}}))).toBe(
      OWN.slice(HEAD.length),
    )
  })

  it('removes an entry of the base by name, also one that it replaced', async () => {
    const base = OWN.slice(HEAD.length)
    expect(await edited(file => withoutPackage(file, 2))).toBe(
      base.replace('example.org\npackages', 'example.org\n- reg.example.org/x/a\npackages'),
    )
    expect(await edited(file => withoutPackage(file, 0))).toBe(
      base
        .replace('- package: reg.example.org/x/b:v2.0.0 # newer here\n', '')
        .replace('example.org\npackages', 'example.org\n- reg.example.org/x/b\npackages'),
    )
    expect(await edited(file => withoutPackage(file, 1))).toBe(
      base.replace('- package: reg.example.org/x/c:v1.0.0\n', ''),
    )
    const none = `${HEAD}extends: ../../base/base.yaml\npackages: []\n`
    expect(await edited(file => withoutPackage(file, 2), none)).toBe(
      'extends: ../../base/base.yaml\nremove:\n- crd:cs.x.example.org\npackages: []\n',
    )
    const last = (end: string, at = 2) =>
      edited(file => withoutPackage(file, at), `${HEAD}packages: []\n${end}`)
    expect(await last('extends: ../../base/base.yaml')).toBe(
      'packages: []\nextends: ../../base/base.yaml\nremove:\n- crd:cs.x.example.org\n',
    )
    expect(await last('extends: ../../base/base.yaml\nremove:\n- reg.example.org/x/b', 1)).toBe(
      'packages: []\nextends: ../../base/base.yaml\nremove:\n- reg.example.org/x/b\n- crd:cs.x.example.org\n',
    )
  })

  it('marks an entry of the base in one of its own', async () => {
    const none = `${HEAD}extends: ../../base/base.yaml\npackages: []\n`
    const draining = await edited(file => withMark(file, 0, 'draining'), none)
    expect(draining).toBe(
      'extends: ../../base/base.yaml\npackages:\n- package: reg.example.org/x/a:v1.0.0\n  draining: true\n',
    )
    const base = `${BASE}- package: reg.example.org/x/d:v1\n  draining: true\n`
    const file = await whole(none, {'base/base.yaml': base})
    expect(ownText(withoutMarks(file, 3)).slice(HEAD.length)).toBe(
      'extends: ../../base/base.yaml\npackages:\n- package: reg.example.org/x/d:v1\n',
    )
  })
})

describe('a base that cannot be used', () => {
  const at = (path: string) => `${HEAD}extends: ${path}\npackages: []\n`
  const PATHS = [
    ['absolute', '/base/base.yaml'],
    ['outside of the repository', '../../../base/base.yaml'],
    ['a URL', 'https://example.org/base.yaml'],
    ['a variable', '"${BASE}/base.yaml"'],
    ['in .git', '../../.git/base.yaml'],
    ['in .GIT', '../../.GIT/base.yaml'],
    ['in a short name of .git', '../../git~1/base.yaml'],
    ['the declaration itself', './crossplane-packages.yaml'],
    ['a folder', '../../base/'],
    ['no YAML file', '../../base/base.json'],
    ['empty', '""'],
    ['with a backslash', String.raw`'..\..\base\base.yaml'`],
    ['in the home folder', '~/base.yaml'],
    ['missing', '../../base/none.yaml'],
    ['a number', '1'],
    ['a list', '[../../base/base.yaml]'],
    ['what a base is in memory', '{file: x, line: "extends: x", settings: {}, entries: []}'],
    ['the same with an escape', '{"file": "x", "settings": {"policy": "/etc/passwd"}}'],
  ] as const
  it.each(PATHS)('is %s', async (_, path) => {
    const error = await errorOf(() => whole(at(path)))
    expect(error?.code).toBe('input-invalid')
    expect(error?.places[0]).toMatch(/^clusters\/a\/crossplane-packages\.yaml:3 /)
  })

  const BASES = [
    ['extends another one', 'extends: ../other.yaml\n', 'base/base.yaml:3 a base cannot extend another one'],
    ['extends itself', 'extends: base.yaml\n', 'base/base.yaml:3 a base cannot extend another one'],
    ['removes', 'remove: [x/a]\n', 'base/base.yaml:3 remove cannot be in a base'],
    ['has an output', 'output: out\n', 'base/base.yaml:3 output cannot be in a base'],
    ['has objects', 'usage: {objects: [o]}\n', 'base/base.yaml:3 usage cannot be in a base'],
    ['has an unknown field', 'if: prod\n', 'base/base.yaml:3 unknown field if'],
    ['has a wrong value', 'coreVersion: "2"\n', expect.stringContaining('base/base.yaml:3 coreVersion')],
  ] as const
  it.each(BASES)('%s', async (_, field, want) => {
    const error = await errorOf(() =>
      declared(at('../../base/base.yaml'), {'base/base.yaml': `${HEAD}${field}packages: []\n`}),
    )
    expect(error).toEqual({code: 'input-invalid', places: [want]})
  })

  const OWNS = [
    ['a removal without a base', `${HEAD}remove: [x/a]\npackages: []\n`, 'remove[0] requires extends'],
    [
      'a removal of nothing',
      `${at('../../base/base.yaml')}remove: [x/none]\n`,
      'is no entry of base/base.yaml',
    ],
    [
      'a removal of a version',
      `${at('../../base/base.yaml')}remove: ["reg.example.org/x/a:v1.0.0"]\n`,
      'is no entry of',
    ],
    [
      'a removal twice',
      `${at('../../base/base.yaml')}remove: [reg.example.org/x/a, reg.example.org/x/a]\n`,
      'is the same as remove[0]',
    ],
    [
      'a removal of what is replaced',
      OWN.replace('remove:\n', 'remove:\n- reg.example.org/x/b\n'),
      'is in packages',
    ],
    [
      'extends beside its key',
      `${HEAD}extends:\n  ../../base/base.yaml\npackages: []\n`,
      'not on a line of their own',
    ],
    ['an anchor', `${HEAD}extends: &a ../../base/base.yaml\npolicy: *a\npackages: []\n`, 'cannot'],
  ] as const
  it.each(OWNS)('rejects %s', async (_, own, want) => {
    const error = await errorOf(() => declared(own))
    expect(error?.code).toBe('input-invalid')
    if (want !== 'cannot') expect(error?.places[0]).toContain(want)
  })

  it('is not read from standard input, nor in an entry', async () => {
    const stdin = await errorOf(() =>
      wholeDeclaration({name: '-', bytes: Buffer.from(OWN)}, folderOf({}, 'x/')),
    )
    expect(stdin?.code).toBe('input-invalid')
    const entry = `${HEAD}extends: {file: x, settings: {}, entries: []}\npackages:\n- package: x/a:v1\n`
    const error = await errorOf(() => whole(HEAD, {'clusters/a/packages.d/a.yaml': entry}))
    expect(error?.code).toBe('input-invalid')
  })

  it('has several entries of a package, of which one cannot be removed or added alone', async () => {
    const base = `${HEAD}packages:\n- package: x/a:v1\n  namespace: one\n- package: x/a:v1\n  namespace: two\n`
    const file = await whole(at('../../base/base.yaml'), {'base/base.yaml': base})
    const removed = await errorOf(() => Promise.resolve().then(() => withoutPackage(file, 0)))
    expect(removed?.places).toHaveLength(2)
    const entry = {
      package: 'x/a:v1',
      namespace: 'three',
      parameters: {imagePullSecrets: [], serviceAccountAnnotations: {}},
    }
    const added = await errorOf(() => Promise.resolve().then(() => withPackage(file, entry)))
    expect(added?.places[0]).toContain('base/base.yaml:4 ')
  })
})
