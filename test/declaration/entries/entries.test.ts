import {describe, expect, it} from '@jest/globals'
import type {EntryFolder} from '../../../src/declaration/entries/read-entries.js'
import {wholeDeclaration, wholeLock} from '../../../src/declaration/entries/read-entries.js'
import {LOCK_FILE, splitTexts} from '../../../src/declaration/entries/home-texts.js'
import {readDeclaration} from '../../../src/declaration/read-declaration.js'
import {readLock} from '../../../src/declaration/read-lock.js'
import {writeLock} from '../../../src/declaration/write-lock.js'
import type {Lock} from '../../../src/declaration/lock.js'

const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
const SINGLE = `${HEAD}# ours
layout: flux
packages:
# the first
- package: x/a:v1 # pinned
- package: x/b
  namespace: team-a
  draining: true
- crd: cs.x.example.org
owners:
  x.example.org: x/a
`
const HASH = `sha256:${'0'.repeat(64)}`
const OTHER = `sha256:${'1'.repeat(64)}`
const install = (name: string, needs: Readonly<Record<string, readonly string[]>> = {}) => ({
  namespace: 'ns',
  name,
  mode: Object.keys(needs).length === 0 ? ('requested' as const) : ('auto' as const),
  requestedFor: [],
  for: needs,
  more: {},
})
const locked = (identity: string, tag: string, ...installs: readonly ReturnType<typeof install>[]) => ({
  ...{identity, tag, version: tag, summaryHash: HASH, installs, more: {}},
})
const LOCK: Lock = {
  requestHash: HASH,
  renderVersion: 1,
  packages: [
    locked('x/a', 'v1.0.0', install('a')),
    locked('x/b', 'v1.0.0', install('b')),
    locked('x/c', 'v1.0.0', install('c', {'ns/a': ['cs.x.example.org'], 'ns/b': ['*.x.example.org']})),
  ],
  acceptedMismatches: [{crd: 'cs.x.example.org', owner: 'x/c', requirer: 'x/a', more: {}}],
  assumptions: {'ds.x.example.org': 'assumed'},
  assumedBy: {'ds.x.example.org': ['x/b']},
  more: {},
}
const NAME = 'crossplane-packages.yaml'
const file = (text: string) => ({name: NAME, bytes: Buffer.from(text)})

function folderOf(texts: ReadonlyMap<string, string>): EntryFolder {
  const prefix = 'packages.d/'
  const inFolder = [...texts].filter(([path]) => path.startsWith(prefix))
  const byName = new Map(inFolder.map(([path, text]) => [path.slice(prefix.length), text]))
  return {
    list: () => Promise.resolve([...byName.keys()].reverse()),
    read: name => Promise.resolve({name: `${prefix}${name}`, bytes: Buffer.from(byName.get(name) ?? '')}),
  }
}
const joined = async (texts: ReadonlyMap<string, string>) =>
  await wholeDeclaration(file(texts.get(NAME) ?? ''), folderOf(texts))

describe('a declaration in several files', () => {
  it('has a file for each entry, in its own words, and one for all settings', () => {
    const texts = splitTexts(file(SINGLE), LOCK)
    expect([...texts.keys()]).toEqual([
      NAME,
      ...['x-a', 'x-b', 'cs.x.example.org'].map(name => `packages.d/${name}.yaml`),
      ...['a', 'b', 'c'].map(name => `packages.d/ns.${name}.lock`),
    ])
    expect(texts.get(NAME)).toBe(`${HEAD}# ours\nlayout: flux\nowners:\n  x.example.org: x/a\n`)
    expect(texts.get('packages.d/x-a.yaml')).toBe(`${HEAD}packages:\n- package: x/a:v1 # pinned\n`)
    expect(texts.get('packages.d/x-b.yaml')).toMatch(/namespace: team-a\n {2}draining: true\n$/)
  })

  it('is the same declaration and lock when it is read', async () => {
    const texts = splitTexts(file(SINGLE), LOCK)
    const {packages, ...settings} = readDeclaration('', (await joined(texts)).bytes)
    const single = readDeclaration('', Buffer.from(SINGLE))
    // Sorted by the names of files.
    expect({...settings, packages: [...packages.slice(1), ...packages.slice(0, 1)]}).toEqual(single)
    const lock = await wholeLock(folderOf(texts))
    expect(Buffer.from(lock?.bytes ?? []).toString()).toBe(writeLock(LOCK))
    expect(lock?.disagreements).toEqual([])
  })

  it('is split into the same files again', async () => {
    const texts = splitTexts(file(SINGLE), LOCK)
    const {split, ...whole} = await joined(texts)
    expect(splitTexts(whole, LOCK, split?.entries)).toEqual(texts)
  })

  it('keeps the file of an entry, and what it says, when the tag moves', async () => {
    const texts = new Map(splitTexts(file(SINGLE), LOCK))
    texts.set('packages.d/mine.yaml', texts.get('packages.d/x-a.yaml') ?? '')
    texts.delete('packages.d/x-a.yaml')
    const {split, name, bytes} = await joined(texts)
    const moved = Buffer.from(Buffer.from(bytes).toString().replace('x/a:v1', 'x/a:v2'))
    const after = splitTexts({name, bytes: moved}, LOCK, split?.entries)
    expect(after.get('packages.d/mine.yaml')).toBe(`${HEAD}packages:\n- package: x/a:v2 # pinned\n`)
    expect(after.has('packages.d/x-a.yaml')).toBe(false)
  })

  it('changes no other lock when a dependent is added', () => {
    const more = {
      ...LOCK,
      packages: [
        ...LOCK.packages.slice(0, 2),
        locked(
          'x/c',
          'v1.0.0',
          install('c', {'ns/a': ['cs.x.example.org'], 'ns/b': ['*.x.example.org'], 'ns/d': ['z']}),
        ),
        locked('x/d', 'v1.0.0', install('d')),
      ],
    }
    const [before, after] = [splitTexts(file(SINGLE), LOCK), splitTexts(file(SINGLE), more)]
    const changed = [...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path)
    expect(changed).toEqual(['packages.d/ns.d.lock'])
  })

  it('has the lock of one file without any install', () => {
    const none = file(`${HEAD}packages: []\n`)
    expect([...splitTexts(none, {...LOCK, packages: []}).keys()]).toEqual([NAME, LOCK_FILE])
  })

  it.each<{name: string; files: Readonly<Record<string, string>>; want: RegExp}>([
    {
      name: 'two entries in a file',
      files: {a: '- package: x/a\n- package: x/b\n'},
      want: /a\.yaml.*one entry/,
    },
    {name: 'settings beside an entry', files: {a: '- package: x/a\nlayout: flux\n'}, want: /one entry/},
    {name: 'an entry twice', files: {a: '- package: x/a:v1\n', b: '- package: x/a:v2\n'}, want: /same entry/},
    {name: 'a conflict', files: {a: '<<<<<<< ours\n- package: x/a\n'}, want: /a\.yaml/},
  ])('rejects $name', async ({files, want}) => {
    const entries = Object.entries(files).map(
      ([name, text]) => [`packages.d/${name}.yaml`, `${HEAD}packages:\n${text}`] as const,
    )
    await expect(joined(new Map([[NAME, HEAD], ...entries]))).rejects.toThrow(want)
  })

  it.each([`${HEAD}packages: []\n`, 'kind: Other\n', '<<<<<<< ours\n', 'a: [\n'])(
    'leaves %j as it is',
    async text => {
      const read = await joined(
        new Map([
          [NAME, text],
          ['packages.d/a.yaml', 'never read'],
        ]),
      )
      expect({text: Buffer.from(read.bytes).toString(), split: read.split}).toEqual({text, split: undefined})
    },
  )

  it('has no package, where its folder does not exist', async () => {
    const read = await joined(new Map([[NAME, HEAD]]))
    expect(readDeclaration('', read.bytes).packages).toEqual([])
  })

  it('names packages that a merge left at two versions, keeps the newest, and matches no settings', async () => {
    const newer = {
      ...LOCK,
      requestHash: OTHER,
      packages: [locked('x/c', 'v1.10.0', {...install('c'), namespace: 'other'})],
    }
    const texts = new Map([...splitTexts(file(SINGLE), LOCK), ...splitTexts(file(SINGLE), newer)])
    const whole = await wholeLock(folderOf(texts))
    const {packages, requestHash} = readLock('', whole?.bytes ?? Buffer.alloc(0))
    expect(packages.find(({identity}) => identity === 'x/c')?.tag).toBe('v1.10.0')
    expect([HASH, OTHER]).not.toContain(requestHash)
    expect(whole?.disagreements).toMatchObject([{rule: 'lock-entries', file: 'packages.d/other.c.lock'}])
  })
})
