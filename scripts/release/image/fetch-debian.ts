import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {existsSync, mkdirSync, readFileSync, renameSync, rmSync} from 'node:fs'
import {homedir} from 'node:os'
import {join} from 'node:path'
import {type Architecture, type DebianPackage, debName, SNAPSHOT} from './debian-packages.js'

/** Downloads as apt does, with its settings of proxies and its own check of the SHA-256. */
const APT_HELPER = '/usr/lib/apt/apt-helper'

/** The archives that have a package: the official one while the version is the newest, afterwards the snapshot. */
const ARCHIVES = ['https://deb.debian.org/debian', `https://snapshot.debian.org/archive/debian/${SNAPSHOT}`]

/**
 * Returns the path of a package, which is downloaded once and afterwards is in the user's cache under its SHA-256. Throws
 * if no archive has it any longer. `archive` is the address of the only archive to ask.
 */
export function fetchDebian(deb: DebianPackage, architecture: Architecture, archive?: string): string {
  const sha256 = deb.sha256[architecture]
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'kubectl-crossplane/debian')
  const path = join(cache, `${sha256}.deb`)
  if (existsSync(path)) return verified(path, sha256)
  mkdirSync(cache, {recursive: true})
  const name = debName(deb, architecture)
  // The archive escapes as apt does: a + in a path is not a blank everywhere.
  const inPool = `pool/${deb.folder}/${name.replaceAll('+', '%2b')}`
  const failures: string[] = []
  for (const base of archive === undefined ? ARCHIVES : [archive]) {
    const failure = download(`${base.replace(/\/$/, '')}/${inPool}`, path, sha256)
    if (failure === undefined) return path
    failures.push(failure)
  }
  throw new Error(`cannot make the image: ${name} cannot be downloaded:\n${failures.join('\n')}`)
}

/** Downloads a file to a path in one step; returns why it failed. */
function download(address: string, path: string, sha256: string): string | undefined {
  const partial = `${path}.${process.pid}`
  const args = ['download-file', address, partial, `SHA256:${sha256}`]
  const {status, error, stderr} = spawnSync(APT_HELPER, args, {encoding: 'utf8'})
  if (error !== undefined) throw new Error(`cannot make the image: ${APT_HELPER} is needed: ${error.message}`)
  if (status === 0) {
    renameSync(partial, path)
    return undefined
  }
  for (const left of [partial, `${partial}.FAILED`]) rmSync(left, {force: true})
  const lines = stderr.split('\n').filter(line => line.startsWith('E: '))
  return lines[0]?.slice('E: '.length) ?? `${address}: exit ${status ?? 'by a signal'}`
}

function verified(path: string, sha256: string): string {
  const actual = createHash('sha256').update(readFileSync(path)).digest('hex')
  if (actual === sha256) return path
  throw new Error(`cannot make the image: ${path} has the SHA-256 ${actual}: delete it`)
}
