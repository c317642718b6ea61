import {createHash} from 'node:crypto'
import {dirname} from 'node:path/posix'
import {buffer} from 'node:stream/consumers'
import {type Header, pack} from 'tar-stream'
import {gzipped} from '../../../src/author/build/gzip.js'
import type {PackageLayer} from '../../../src/author/build/package-layer.js'
import {OCI_TYPES} from '../../../src/fetch/media-types.js'
import {blobOf} from '../../../src/fetch/oci-parts.js'
import {folderAt, type RootEntry} from './root-entry.js'

/** Returns a layer, which depends on the entries and the time (in seconds since 1970) alone. */
export async function rootLayer(entries: readonly RootEntry[], time: number): Promise<PackageLayer> {
  const archive = pack()
  for (const entry of inOrder(entries)) {
    const header = {...headerOf(entry), mtime: new Date(time * 1000)}
    archive.entry(header, Buffer.from(entry.content ?? []))
  }
  archive.finalize()
  const tar = await buffer(archive)
  const diffId = `sha256:${createHash('sha256').update(tar).digest('hex')}` as const
  return {blob: blobOf(OCI_TYPES.gzip, gzipped([tar])), diffId}
}

function headerOf({path, mode, owner = 0, content, link}: RootEntry): Partial<Header> & Pick<Header, 'name'> {
  const common = {name: path, mode, uid: owner, gid: owner}
  if (content !== undefined) return {...common, type: 'file', size: content.length}
  return link === undefined
    ? {...common, name: `${path}/`, type: 'directory'}
    : {...common, type: 'symlink', linkname: link}
}

/** All entries and the folders that they are in, sorted; a folder comes before what is in it. */
function inOrder(entries: readonly RootEntry[]): readonly RootEntry[] {
  const parents = entries.flatMap(({path}) => parentsOf(path)).map(path => folderAt(path))
  const byPath = new Map([...parents, ...entries].map(entry => [entry.path, entry]))
  return [...byPath.values()].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
}

function parentsOf(path: string): readonly string[] {
  const parent = dirname(path)
  return parent === '.' ? [] : [...parentsOf(parent), parent]
}
