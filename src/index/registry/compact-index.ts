import {CrossplaneError} from '../../errors.js'
import type {Repository} from '../../reference/repository.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {compactPartition} from './compact-partition.js'
import {IndexReading} from './index-reading.js'
import type {KeepPorts} from './keep-document.js'
import {markedPartition, partitionIn} from './layout.js'
import {quietPorts} from './quiet-ports.js'

/** The result of adding snapshots to an index. */
export interface Compaction {
  /** Groups and packages with a new snapshot, by name. */
  readonly compacted: readonly CompactedPartition[]
  /** Groups and packages that could not be read or written. */
  readonly failed: readonly FailedPartition[]
}

interface CompactedPartition {
  readonly name: string
  /** Entries and yanks that were in no snapshot before. */
  readonly entries: number
}

interface FailedPartition {
  readonly name: string
  readonly error: CrossplaneError
}

/** The number of groups and packages that are compacted concurrently. */
const MAX_COMPACTIONS = 2

/**
 * Writes snapshots of all groups and packages of an index that have 16 or more entries outside of snapshots. Throws
 * `not-found` where there is none, and the errors of the registry for its root.
 */
export async function compactIndex(root: Repository, ports: KeepPorts): Promise<Compaction> {
  const quiet = quietPorts(ports)
  const reading = new IndexReading(root, quiet)
  const layout = await reading.layout()
  const names = [...(await reading.tags(root))].flatMap(tag => markedPartition(tag) ?? [])
  const compacted: CompactedPartition[] = []
  const failed: FailedPartition[] = []
  await mapConcurrent(names, MAX_COMPACTIONS, async name => {
    try {
      const entries = await compactPartition(reading, partitionIn(root, layout, name), quiet)
      if (entries > 0) compacted.push({name: name.name, entries})
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      failed.push({name: name.name, error})
    }
  })
  return {compacted: compacted.sort(byName), failed: failed.sort(byName)}
}

function byName(a: {readonly name: string}, b: {readonly name: string}): number {
  return a.name < b.name ? -1 : 1
}
