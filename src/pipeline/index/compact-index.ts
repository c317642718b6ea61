import type {Diagnostic} from '../../diagnostic.js'
import {compactIndex} from '../../index/registry/compact-index.js'
import {formatRepository} from '../../reference/repository.js'
import type {IndexTarget, IndexTargetPorts} from './index-target.js'

/** The result of compacting an index. */
export interface CompactReport {
  /** The root of the index. */
  readonly index: string
  /** The groups and packages of which snapshots were written, by the name of their repository below the root. */
  readonly compacted: readonly {readonly name: string; readonly entries: number}[]
  /** Groups and packages that cannot be read or written. */
  readonly warnings: readonly Diagnostic[]
}

/** Writes the snapshots that an index lacks. Throws as reading the root of the index does. */
export async function compact(
  {root}: Pick<IndexTarget, 'root'>,
  ports: IndexTargetPorts,
): Promise<CompactReport> {
  const registry = await ports.registry(root.registry)
  const {compacted, failed} = await compactIndex(root, {registry, report: ports.report})
  return {
    index: formatRepository(root),
    compacted,
    warnings: failed.map(({name, error}) => ({
      severity: 'warning',
      rule: 'index-snapshot',
      message: `cannot write a snapshot of ${name}: ${error.message}`,
      suggestions: error.suggestions,
    })),
  }
}
