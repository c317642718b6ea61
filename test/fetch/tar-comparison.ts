import {createHash} from 'node:crypto'
import {gzipSync} from 'node:zlib'
import {CrossplaneError} from '../../src/errors.js'
import {Allowance} from '../../src/fetch/allowance.js'
import {ByteCursor} from '../../src/fetch/byte-cursor.js'
import {tarEntries} from '../../src/fetch/tar-entries.js'
import type {TarEntry} from '../../src/fetch/tar-entries.js'
import type {GoEntry, GoListing} from '../go-tar/go-tar.js'
import {chunked} from './fake-sources.js'

interface Seen extends Pick<TarEntry, 'name' | 'linkName' | 'kind'> {
  /** The SHA-256 of a file's content, in hex. */
  readonly content?: string
}

/** What this program reads in a tar, or that it rejects it. */
async function seenIn(tar: Uint8Array): Promise<readonly Seen[] | 'rejected'> {
  const seen: Seen[] = []
  const bounds = {headers: new Allowance(10_000, 'headers'), headerBytes: 1024 * 1024}
  try {
    for await (const entry of tarEntries(new ByteCursor(chunked(tar)), 'the tar', bounds)) {
      const {name, linkName, kind} = entry
      // A size beyond the tar is found by the reader once it moves on.
      const isFile = kind === 'file' && entry.size <= tar.length
      seen.push({name, linkName, kind, ...(isFile && {content: sha256(await entry.read())})})
    }
    return seen
  } catch (error) {
    if (error instanceof CrossplaneError) return 'rejected'
    throw error
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

const KINDS: Readonly<Record<string, TarEntry['kind']>> = {
  '0': 'file',
  '1': 'hardlink',
  '2': 'symlink',
  '3': 'device',
  '4': 'device',
  '5': 'directory',
  '6': 'fifo',
}

function asSeen({name, linkName, type, isSparse, content}: GoEntry): Seen {
  const kind = isSparse ? 'other' : (KINDS[type] ?? 'other')
  const texts = {name: name.toString('utf8'), linkName: linkName.toString('utf8'), kind}
  return content === undefined ? texts : {...texts, content}
}

/** How the reading of a tar compares with Go's: both accept it, both reject it, or only this program rejects it. */
export type Comparison = 'same' | 'both reject' | 'only we reject'

/**
 * Compares what this program reads in a tar with what Go does; throws where they differ in an entry, and where only Go
 * rejects the tar. The maps of sparse files are Go's alone to check: these files are rejected wherever they matter.
 */
export async function compareWithGo(tar: Uint8Array, go: GoListing): Promise<Comparison> {
  const seen = await seenIn(tar)
  if (seen === 'rejected') return go.error === undefined ? 'only we reject' : 'both reject'
  const isSparseMap = go.error !== undefined && seen[go.entries.length]?.kind === 'other'
  const ours = isSparseMap ? seen.slice(0, go.entries.length) : seen
  const theirs = {entries: go.entries.map(asSeen), error: isSparseMap ? undefined : go.error}
  if (JSON.stringify({entries: ours}) === JSON.stringify(theirs)) return 'same'
  const shown = JSON.stringify({ours, theirs, gzippedTar: gzipSync(tar).toString('base64')}, undefined, 1)
  throw new Error(`the tar is read otherwise than by Go: ${shown}`)
}
