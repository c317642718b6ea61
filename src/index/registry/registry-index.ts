import {CrossplaneError} from '../../errors.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import {mapConcurrent} from '../../map-concurrent.js'
import type {PackageIndex} from '../package-index.js'
import type {Found, UnreadablePackage} from '../summaries.js'
import {IndexReading, type RegistryIndexPorts} from './index-reading.js'
import {
  groupPartition,
  markedPackage,
  packagePartition,
  type Partition,
  partitionIn,
  type PartitionName,
} from './layout.js'
import {quietPorts} from './quiet-ports.js'
import {checkEntryCount, type FilledPartition, VersionReader} from './version-reader.js'

/**
 * Opens the index below a root in a registry; each part is read once. A lookup lists the tags of one group or package,
 * and reads the entries that are not in the cache, many at a time where there are snapshots. Throws `not-found` for a
 * root without an index, `access-denied` for a listed repository that cannot be read, `limit-exceeded`, `offline`,
 * `index-invalid` for an invalid root, and the errors of the registry.
 */
export function registryIndex(root: Repository, ports: RegistryIndexPorts): PackageIndex {
  const reading = new IndexReading(root, quietPorts(ports))
  const reader = new VersionReader(reading)
  const on = async (name: PartitionName | undefined): Promise<Found> => {
    const layout = await reading.layout()
    if (name === undefined) return NOTHING
    const partition = partitionIn(root, layout, name)
    return await reader.read([checkEntryCount({partition, tags: await reading.tagsOn(partition)})])
  }
  return {
    name: formatRepository(root),
    ofGroup: group => on(groupPartition(group)),
    ofPackage: identity => on(packagePartition(identity)),
    all: () => everything(root, reading, reader),
  }
}

const NOTHING: Found = {summaries: [], unreadable: [], yanked: []}

/** Concurrent requests, and the limit of packages. */
const MAX_READS = 8
const MAX_PACKAGES = 50_000

async function everything(root: Repository, reading: IndexReading, reader: VersionReader): Promise<Found> {
  const layout = await reading.layout()
  const marked = [...(await reading.tags(root))].flatMap(tag => markedPackage(tag) ?? [])
  if (marked.length > MAX_PACKAGES) throw tooMany(root, marked.length)
  const filled: FilledPartition[] = []
  const closed: UnreadablePackage[] = []
  await mapConcurrent(marked, MAX_READS, async name => {
    const partition = partitionIn(root, layout, name)
    try {
      filled.push(checkEntryCount({partition, tags: await reading.tagsOn(partition)}))
    } catch (error) {
      closed.push(closedPackage(partition, root, error))
    }
  })
  const entries = await reader.read(filled)
  return {...entries, unreadable: [...closed, ...entries.unreadable]}
}

/** A package that cannot be read does not hide the others. */
function closedPackage({marker}: Partition, root: Repository, error: unknown): UnreadablePackage {
  if (!(error instanceof CrossplaneError) || !CLOSED.includes(error.code)) throw error
  return {identity: formatRepository(root), tag: marker, reason: error.message.replace(/\.$/, '')}
}

const CLOSED: readonly string[] = ['access-denied', 'limit-exceeded']

function tooMany(root: Repository, count: number): CrossplaneError {
  return new CrossplaneError(
    'limit-exceeded',
    `cannot list the package index ${formatRepository(root)}: it has ${count} packages; the limit is ${MAX_PACKAGES}`,
    {suggestions: ['Look up one API group: kubectl crossplane registry index list GROUP --index ROOT']},
  )
}
