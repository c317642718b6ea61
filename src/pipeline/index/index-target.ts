import {type IndexWriter, indexWriter} from '../../index/registry/index-writer.js'
import type {IndexLayout} from '../../index/registry/layout.js'
import type {Repository} from '../../reference/repository.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {RegistryAt} from '../../registry/registry.js'

/** An index to write to; `layout` is for an index that does not exist yet. */
export interface IndexTarget {
  readonly root: Repository
  readonly layout: IndexLayout
}

export interface IndexTargetPorts {
  readonly registry: RegistryAt
  readonly report?: ReportProgress
}

/** Opens the writer of an index. Throws the errors of opening the registry. */
export async function openWriter(
  {root, layout}: IndexTarget,
  {registry, report}: IndexTargetPorts,
): Promise<IndexWriter> {
  const opened = await registry(root.registry)
  return indexWriter(root, {registry: opened, report}, layout)
}
