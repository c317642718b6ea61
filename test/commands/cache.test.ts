import {mkdtempSync} from 'node:fs'
import * as fs from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, it} from '@jest/globals'
import {cacheFolder} from '../../src/adapters/cache-folder.js'
import {packageCache} from '../../src/cache/package-cache.js'
import {listed} from '../cache/cache-store-contract.js'
import {somePackage, TEAM} from '../cache/some-packages.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'

const all = temporaryFolder()
const [OLD, NEW] = [somePackage('old'), somePackage('new')]
const DAY = 86_400_000

/** A cache of two packages: one was last used 40 days ago, the other 3 hours ago. */
async function filled(): Promise<string> {
  const root = join(mkdtempSync(join(all, 'cache-')), 'cache')
  const store = cacheFolder(root)
  const cache = packageCache(store, {clock: {now: () => Date.now()}, warn: () => undefined})
  await cache.keep(OLD)
  await cache.rememberTag(TEAM, 'v1', OLD.digest)
  const old = (await listed(store, '')).map(({name}) => name)
  await cache.keep(NEW)
  for (const {name} of await listed(store, '')) {
    const then = new Date(Date.now() - (old.includes(name) ? 40 * DAY : DAY / 8))
    await fs.utimes(join(root, name), then, then)
  }
  return root
}

const absent = () => join(all, 'absent')

describe('cache list', () => {
  it('prints a table of the cached packages', async () => {
    const {status, stdout, stderr} = await runCli('cache', 'list', '--cache-dir', await filled())
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    expect(stdout).toBe(
      `REFERENCE                                    DIGEST                PLATFORM      FILES   SIZE   LAST USED
registry.example.org:5000/team/provider      ${NEW.digest.slice(0, 19)}   linux/amd64   3       27 B   3h
registry.example.org:5000/team/provider:v1   ${OLD.digest.slice(0, 19)}   linux/amd64   3       27 B   40d
`,
    )
  })

  it('prints all fields as JSON and YAML', async () => {
    const root = await filled()
    const {stdout} = await runCli('cache', 'list', '--cache-dir', root, '--output', 'json')
    const lastUsed = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown
    const entry = {platform: 'linux/amd64', files: 3, bytes: 27, lastUsed}
    expect(JSON.parse(stdout)).toEqual({
      apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1',
      kind: 'CacheList',
      folder: root,
      packages: [
        {...entry, digest: NEW.digest, references: ['registry.example.org:5000/team/provider']},
        {...entry, digest: OLD.digest, references: ['registry.example.org:5000/team/provider:v1']},
      ],
    })
    const yaml = await runCli('cache', 'list', '--cache-dir', root, '-o', 'yaml')
    expect(yaml.stdout).toContain(`kind: CacheList\npackages:\n- bytes: 27\n  digest: ${NEW.digest}\n`)
  })

  it('is empty without a cache, and does not create one', async () => {
    expect(await runCli('cache', 'list', '--cache-dir', absent())).toEqual({
      status: 0,
      stdout: '',
      stderr: 'no packages found\n',
    })
    await expect(fs.stat(absent())).rejects.toMatchObject({code: 'ENOENT'})
  })
})

describe('cache prune', () => {
  it('prints what a dry run would delete, and then deletes it', async () => {
    const root = await filled()
    const before = await listed(cacheFolder(root), '')
    const dry = await runCli('cache', 'prune', '--cache-dir', root, '--dry-run')
    expect(dry).toMatchObject({status: 0, stderr: ''})
    expect(dry.stdout).toMatch(
      new RegExp(
        `^${OLD.digest} linux/amd64\n${root}: 1 package, 1 tag and 2 files would be deleted, 930 B would be freed\n$`,
      ),
    )
    expect((await listed(cacheFolder(root), '')).map(({name}) => name)).toEqual(before.map(({name}) => name))
    const done = await runCli('cache', 'prune', '--cache-dir', root)
    expect(done.stdout).toBe(
      dry.stdout.replace('would be deleted', 'deleted').replace('would be freed', 'freed'),
    )
    expect((await runCli('cache', 'list', '--cache-dir', root)).stdout.split('\n')).toHaveLength(3)
  })

  it.each([
    {name: 'longer than anything', in: '41d', want: []},
    {name: 'shorter', in: '4h', want: [OLD.digest]},
    {name: 'shorter than both', in: '1h30m', want: [OLD.digest, NEW.digest]},
  ])('accepts a duration: $name', async ({in: time, want}) => {
    const argv = ['--cache-dir', await filled(), '--older-than', time, '-o', 'json']
    const {status, stdout} = await runCli('cache', 'prune', ...argv)
    const pruned = JSON.parse(stdout) as {packages: readonly {digest: string}[]}
    expect({status, digests: pruned.packages.map(({digest}) => digest).sort()}).toEqual({
      status: 0,
      digests: want.toSorted(),
    })
    expect(pruned).toMatchObject({kind: 'CachePruned', dryRun: false})
  })

  it.each(['30', 'd', '-1d', '1w', '1.5h', '30 d', ''])('rejects the invalid duration %j', async time => {
    const {status, stderr} = await runCli('cache', 'prune', '--cache-dir', absent(), `--older-than=${time}`)
    expect({status, named: stderr.includes('--older-than')}).toEqual({status: 2, named: true})
  })
})

describe('cache clear', () => {
  it('deletes the cached packages and keeps the folder', async () => {
    const root = await filled()
    expect(await runCli('cache', 'clear', '--cache-dir', root)).toMatchObject({status: 0, stderr: ''})
    const again = await runCli('cache', 'clear', '--cache-dir', root, '--output', 'json')
    expect(JSON.parse(again.stdout)).toEqual({
      apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1',
      kind: 'CacheCleared',
      folder: root,
      items: 0,
      bytes: 0,
    })
    expect(await fs.readdir(root)).toContain('CACHEDIR.TAG')
  })

  it('prints the result as YAML', async () => {
    const root = await filled()
    const pruned = await runCli('cache', 'prune', '--cache-dir', root, '-o', 'yaml')
    expect(pruned.stdout).toMatch(/^kind: CachePruned$/m)
    const cleared = await runCli('cache', 'clear', '--cache-dir', root, '-o', 'yaml')
    expect(cleared.stdout).toMatch(/^kind: CacheCleared$/m)
  })

  it('is required by pull: a folder of other files is an error', async () => {
    const root = mkdtempSync(join(all, 'foreign-'))
    await fs.writeFile(join(root, 'x'), '')
    const {status, stdout, stderr} = await runCli(
      ...['package', 'pull', 'registry.invalid/x/y:v1', '--cache-dir', root, '--offline'],
    )
    expect({status, stdout}).toEqual({status: 1, stdout: ''})
    expect(stderr).toContain(`Error: cannot use ${root} as a cache: it contains other files`)
    expect(stderr).not.toContain('Warning')
  })

  it('rejects a folder that is not a cache', async () => {
    const mine = mkdtempSync(join(all, 'mine-'))
    await fs.mkdir(join(mine, 'v1/files'), {recursive: true})
    await fs.writeFile(join(mine, 'v1/files/x'), 'mine')
    const {status, stderr} = await runCli('cache', 'clear', '--cache-dir', mine, '--output', 'json')
    expect({status, error: JSON.parse(stderr) as unknown}).toMatchObject({
      status: 1,
      error: {code: 'cache-failed'},
    })
    expect(await fs.readFile(join(mine, 'v1/files/x'), 'utf8')).toBe('mine')
  })
})

describe('the cache folder', () => {
  it('can be set by the environment', async () => {
    const own = join(all, 'own')
    process.env.CROSSPLANE_CACHE_DIR = own
    try {
      const {stdout} = await runCli('cache', 'list', '--output', 'json')
      expect(JSON.parse(stdout)).toMatchObject({folder: own})
    } finally {
      delete process.env.CROSSPLANE_CACHE_DIR
    }
  })

  it('cannot be an empty path', async () => {
    expect(await runCli('cache', 'list', '--cache-dir', '')).toMatchObject({status: 2})
  })
})
