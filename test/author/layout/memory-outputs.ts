import type {WritableFile, WritableFolder} from '../../../src/fetch/output-files.js'
import {bytesOf, memoryFile} from '../../fetch/fake-sources.js'

/** A folder in memory, with what is in it by path; it is there once something is. */
export function memoryFolder(
  name: string,
  files = new Map<string, Uint8Array>(),
): WritableFolder & {readonly files: Map<string, Uint8Array>} {
  let last: Promise<unknown> = Promise.resolve()
  return {
    name,
    files,
    list: () => {
      const names = new Set([...files.keys()].map(path => path.split('/')[0] ?? ''))
      return Promise.resolve(names.size === 0 ? undefined : [...names])
    },
    file: path => {
      const bytes = files.get(path)
      return Promise.resolve(bytes === undefined ? undefined : memoryFile(path, bytes))
    },
    write: async (path, content) => {
      files.set(path, await bytesOf(content))
    },
    exclusively: work => {
      const mine = last.then(work)
      last = mine.catch(() => undefined)
      return mine
    },
  }
}

/** A file in memory, there or not. */
export function memoryTarget(
  name: string,
  bytes?: Uint8Array,
): WritableFile & {content: () => Uint8Array | undefined} {
  let content = bytes
  return {
    name,
    content: () => content,
    existing: () => Promise.resolve(content === undefined ? undefined : memoryFile(name, content)),
    write: async chunks => {
      content = await bytesOf(chunks)
    },
    remove: () => {
      content = undefined
      return Promise.resolve()
    },
  }
}
