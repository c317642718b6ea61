import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  utimes,
  writeFile,
  lstat,
} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {expect} from '@jest/globals'

/** What lies in an output folder beside our files, in the places where it is most easily hurt. */
const FOREIGN: Readonly<Record<string, string>> = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.gitignore': 'secret\n',
  'README.md': '# Notes of the team\n',
  'a.yaml.orig': 'left by a merge',
  'crds/NOTES.txt': '',
  'installs/team.a/patch.yaml': 'kind: Patch\n',
  'installs/team.other/kustomization.yaml': 'resources: []\n',
}

const LONG_AGO = new Date('2001-02-03T04:05:06Z')

/**
 * Runs `body` on a folder that holds foreign files, a foreign link and a foreign empty folder, and then holds them to
 * be what they were: byte for byte, by time, mode and inode, once `body` went well.
 */
export async function withForeignFolder<T>(body: (root: string) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(tmpdir(), 'output-folder-'))
  const root = join(scratch, 'out')
  try {
    await writeForeign(root)
    const before = await foreignIn(root)
    const result = await body(root)
    expect(await foreignIn(root)).toEqual(before)
    return result
  } finally {
    await rm(scratch, {recursive: true})
  }
}

/** Every file below a folder but the foreign ones, by path; a link as `-> target`, an empty folder as `empty`. */
export async function oursIn(root: string): Promise<Readonly<Record<string, string>>> {
  const paths = (await everyPath(root)).filter(path => !isForeign(path))
  const contents = await Promise.all(
    paths.map(async path => [path, await contentOf(join(root, path))] as const),
  )
  return Object.fromEntries(contents)
}

async function writeForeign(root: string): Promise<void> {
  for (const [path, content] of Object.entries(FOREIGN)) {
    await mkdir(dirname(join(root, path)), {recursive: true})
    await writeFile(join(root, path), content, {mode: path.endsWith('.txt') ? 0o755 : 0o600})
    await utimes(join(root, path), LONG_AGO, LONG_AGO)
  }
  await mkdir(join(root, 'empty'))
  await symlink('/nowhere', join(root, 'dangling'))
}

const isForeign = (path: string) => path in FOREIGN || path === 'empty' || path === 'dangling'

async function foreignIn(root: string): Promise<unknown> {
  const paths = (await everyPath(root)).filter(isForeign)
  return Promise.all(
    paths.map(async path => {
      const {mtimeMs, mode, ino} = await lstat(join(root, path))
      return {path, mtimeMs, mode, ino, content: await contentOf(join(root, path))}
    }),
  )
}

async function contentOf(path: string): Promise<string> {
  const stats = await lstat(path)
  if (stats.isSymbolicLink()) return `-> ${await readlink(path)}`
  if (stats.isFIFO()) return 'pipe'
  return stats.isDirectory() ? 'empty' : readFile(path, 'utf8')
}

/** Files, links and empty folders, sorted. */
async function everyPath(root: string, below = ''): Promise<readonly string[]> {
  const entries = await readdir(join(root, below), {withFileTypes: true}).catch(() => [])
  const paths = await Promise.all(
    entries.map(async entry => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      const inner = entry.isDirectory() ? await everyPath(root, path) : []
      return inner.length > 0 ? inner : [path]
    }),
  )
  return paths.flat().sort()
}
