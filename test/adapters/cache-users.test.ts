import {spawnSync} from 'node:child_process'
import {chmodSync, chownSync, lchownSync, mkdtempSync, readdirSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {cacheFolder} from '../../src/adapters/cache-folder.js'
import {type CompiledScript, compileForChild} from '../compile-for-child.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder} from '../temporary-folder.js'

const NAME = 'v1/files/x'
const [VICTIM, ATTACKER, ROOT] = [31_001, 31_002, 0]

describeReal(
  'a cache and two users',
  process.geteuid?.() === ROOT ? undefined : 'not running as root, which can become other users',
  () => {
    const all = temporaryFolder()
    let script: CompiledScript
    beforeAll(async () => {
      chmodSync(all, 0o755)
      script = await compileForChild('test/adapters/cache-reader.ts')
      everybodyReads(join(script.path, '../../..'))
    })
    afterAll(() => script.remove())

    /** A cache with one file, of which everything belongs to a user. */
    async function cacheOf(owner: number): Promise<string> {
      const root = join(mkdtempSync(join(all, 'cache-')), 'kubectl-crossplane')
      chmodSync(dirname(root), 0o755)
      await cacheFolder(root).write(NAME, Buffer.from('bytes'))
      give(root, owner)
      return root
    }

    function readAs(user: number, root: string): string {
      const {stdout, stderr} = spawnSync(process.execPath, [script.path, root, NAME], {
        uid: user,
        gid: user,
        cwd: '/',
        encoding: 'utf8',
      })
      expect(stderr).toBe('')
      return stdout
    }

    it('reads its own cache, and one that root owns', async () => {
      expect(readAs(VICTIM, await cacheOf(VICTIM))).toBe('bytes')
      const shared = await cacheOf(ROOT)
      everybodyReads(shared)
      expect(readAs(VICTIM, shared)).toBe('bytes')
    })

    it('rejects a cache that another user owns, also as root', async () => {
      const root = await cacheOf(ATTACKER)
      everybodyReads(root)
      for (const user of [VICTIM, ROOT])
        expect(readAs(user, root)).toBe(
          `cache-failed: cannot use ${root} as a cache: it is owned by another user (uid ${ATTACKER})`,
        )
    })

    it.each(['v1', 'v1/files', NAME])('rejects %s of another user within its own cache', async inside => {
      const root = await cacheOf(VICTIM)
      everybodyReads(root)
      chownSync(join(root, inside), ATTACKER, ATTACKER)
      expect(readAs(VICTIM, root)).toBe(
        `cache-failed: cannot use ${join(root, inside)} as a cache: it is owned by another user (uid ${ATTACKER})`,
      )
    })

    it.each([
      {inside: '', mode: 0o775},
      {inside: 'v1', mode: 0o775},
      {inside: 'v1/files', mode: 0o757},
      {inside: NAME, mode: 0o620},
    ])('rejects a cache in which others can write to "$inside"', async ({inside, mode}) => {
      const root = await cacheOf(VICTIM)
      chmodSync(join(root, inside), mode)
      expect(readAs(VICTIM, root)).toBe(
        `cache-failed: cannot use ${join(root, inside)} as a cache: other users can write to it`,
      )
    })
  },
)

function pathsIn(root: string): readonly string[] {
  return ['', ...readdirSync(root, {recursive: true, encoding: 'utf8'})].map(path => join(root, path))
}

function give(root: string, owner: number): void {
  for (const path of pathsIn(root)) lchownSync(path, owner, owner)
}

function everybodyReads(root: string): void {
  for (const path of pathsIn(root)) chmodSync(path, 0o755)
}
