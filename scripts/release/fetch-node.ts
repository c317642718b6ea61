import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync} from 'node:fs'
import {homedir} from 'node:os'
import {join} from 'node:path'
import {gunzipSync} from 'node:zlib'
import {NODE_VERSION, type Platform} from './platforms.js'
import {tarFiles} from './tar-files.js'

/** The files of one Node: its program and the licenses of its parts, which the packages for Windows leave out. */
export interface NodeFiles {
  readonly program: Uint8Array
  readonly license?: Uint8Array
}

/**
 * Returns the files of Node in a package that `fetchNode` has returned. Throws if its integrity is another one, which a
 * release must not survive.
 */
export async function nodeFiles(platform: Platform, path: string): Promise<NodeFiles> {
  const {npm, os} = platform
  const archive = verified(platform, path)
  const program = os === 'windows' ? 'package/bin/node.exe' : 'package/bin/node'
  const files = await tarFiles(gunzipSync(archive), [program, 'package/LICENSE'])
  const content = files.get(program)
  if (content === undefined) throw new Error(`${npm}@${NODE_VERSION} does not contain ${program}`)
  return {program: content, license: files.get('package/LICENSE')}
}

/**
 * Returns the path of the package of Node for a platform, which comes from the npm registry once, and afterwards from the
 * user's cache; it is not verified. Throws if the registry does not have it.
 */
export function fetchNode({npm}: Pick<Platform, 'npm'>, version = NODE_VERSION): string {
  const cache = join(
    process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    'kubectl-crossplane/node-packages',
  )
  const name = `${npm}-${version}.tgz`
  const path = join(cache, name)
  if (existsSync(path)) return path
  mkdirSync(cache, {recursive: true})
  const folder = mkdtempSync(join(cache, 'download-'))
  try {
    const args = ['pack', '--silent', '--pack-destination', folder, `${npm}@${version}`]
    const {status, stderr} = spawnSync('npm', args, {encoding: 'utf8', shell: process.platform === 'win32'})
    if (status !== 0) throw new Error(`npm pack ${npm}@${version} failed: ${stderr.trim()}`)
    renameSync(join(folder, name), path)
    return path
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

/** Returns the content of an archive if it is the expected one. */
function verified({npm, integrity}: Platform, path: string): Uint8Array {
  const archive = readFileSync(path)
  const actual = `sha512-${createHash('sha512').update(archive).digest('base64')}`
  if (actual === integrity) return archive
  throw new Error(`${npm}@${NODE_VERSION} has the integrity ${actual}, and not ${integrity}: delete ${path}`)
}
