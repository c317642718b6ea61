import {CrossplaneError} from '../../errors.js'
import type {Repository} from '../../reference/repository.js'
import {entryBytes, type IndexedSummary, readEntry, readYank, yankBytes} from '../entry/entry-document.js'
import {entryTag, yankTag} from '../entry/entry-tag.js'
import {formatSummary} from '../package-summary.js'
import type {YankedVersion} from '../summaries.js'
import {type IndexLayout, shelvesOf} from './layout.js'
import {IndexWriting} from './index-writing.js'
import type {KeepPorts, Kept} from './keep-document.js'
import {quietly} from './quietly.js'

/** Adds to an index; what is there is never changed. */
export interface IndexWriter {
  /**
   * Adds a version to all of its groups and its package. Throws `access-denied` with all repositories that have to be
   * created, `usage` for another layout than the index has, `output-refused` where an entry of this version says
   * something else, `index-invalid` and `unsupported` for a version that no index can hold, and what the registry throws.
   */
  add(summary: IndexedSummary): Promise<Kept>
  /** Withdraws a version; whoever did so first has given the reason. `not-found` where there is no index. */
  yank(yanked: YankedVersion, groups: readonly string[]): Promise<Kept>
}

/** Writes to the index below a root, and starts one in this layout where there is none. */
export function indexWriter(root: Repository, ports: KeepPorts, layout: IndexLayout): IndexWriter {
  const writing = new IndexWriting(root, quietly(ports), layout)
  return {
    add: async summary => {
      const shelves = shelvesOf(
        summary,
        summary.crds.map(({group}) => group),
      )
      const name = formatSummary(summary)
      const bytes = readable(name, entryBytes(summary), readEntry)
      return await writing.add(`add ${name} to`, shelves, {
        kind: 'entry',
        tag: entryTag(summary),
        bytes,
        isSame: found => Buffer.from(entryBytes(readEntry(name, found))).equals(bytes),
      })
    },
    yank: async (yanked, groups) => {
      const name = formatSummary(yanked)
      const tag = yankTag(yanked)
      const bytes = readable(name, yankBytes(yanked), readYank)
      return await writing.yank(`withdraw ${name} in`, shelvesOf(yanked, groups), {
        kind: 'yank',
        tag,
        bytes,
        isSame: found => yankTag(readYank(name, found)) === tag,
      })
    },
  }
}

/** What its readers would refuse is not written. */
function readable(
  name: string,
  bytes: Uint8Array,
  read: (name: string, bytes: Uint8Array) => unknown,
): Uint8Array {
  try {
    read(name, bytes)
    return bytes
  } catch (cause) {
    if (!(cause instanceof CrossplaneError)) throw cause
    const {diagnostics} = cause
    const message = `Cannot write ${name} to an index: whoever reads it would refuse it`
    throw new CrossplaneError('index-invalid', message, {cause, diagnostics})
  }
}
