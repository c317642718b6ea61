import type {DirectoryEntry, PackageDirectory} from '../../../src/unpack/files/package-directory.js'

/** What a directory holds, by path: a file's content, a link's target, or a thing that is no file. */
export type DirectorySpec = Readonly<
  Record<string, string | {readonly link: string} | {readonly other: true}>
>

/** A directory in memory, at a place that only absolute links notice. Directories are what paths imply, and '' paths. */
export function memoryDirectory(
  spec: DirectorySpec,
  location: readonly string[] = ['home', 'pkg'],
): PackageDirectory {
  return {
    name: './pkg',
    location,
    list: (path, atMost) => {
      const start = path === '' ? '' : `${path}/`
      const below = Object.keys(spec).filter(key => key.startsWith(start) && key !== start)
      const names = new Set(below.map(key => key.slice(start.length).split('/')[0] ?? ''))
      return Promise.resolve([...names].slice(0, atMost + 1))
    },
    entry: path => Promise.resolve(entryAt(spec, path)),
    read: (path, atMost) => {
      const content = spec[path]
      if (typeof content !== 'string') throw new Error(`${path} is no file`)
      return Promise.resolve(Buffer.from(content).subarray(0, atMost + 1))
    },
  }
}

function entryAt(spec: DirectorySpec, path: string): DirectoryEntry {
  const found = spec[path]
  if (typeof found === 'string') return {kind: 'file'}
  if (found !== undefined && 'link' in found) return {kind: 'symlink', target: found.link}
  if (found !== undefined) return {kind: 'other'}
  return {kind: Object.keys(spec).some(key => key.startsWith(`${path}/`)) ? 'directory' : 'absent'}
}
