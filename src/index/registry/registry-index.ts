import {CrossplaneError} from '../../errors.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import {mapConcurrent} from '../../registry/map-concurrent.js'
import type {PackageIndex} from '../package-index.js'
import type {Found, UnreadablePackage} from '../summaries.js'
import {IndexReading, type RegistryIndexPorts} from './index-reading.js'
import {groupShelf, markedPackage, packageShelf, type Shelf, shelfIn, type ShelfName} from './layout.js'
import {quietly} from './quietly.js'
import {expectFew, type FilledShelf, VersionReader} from './versions-on.js'

/**
 * The index below a root in a registry, as it was when it was first asked. A lookup reads the tags of one group or
 * package, and of their entries those that were never read. Throws `not-found` where there is no index, `access-denied`
 * where it lists what may not be read, `limit-exceeded`, `offline` for what only the network has, `index-invalid` for a root that is none,
 * and what the registry throws.
 */
export function registryIndex(root: Repository, ports: RegistryIndexPorts): PackageIndex {
  const reading = new IndexReading(root, quietly(ports))
  const reader = new VersionReader(reading)
  const on = async (name: ShelfName | undefined): Promise<Found> => {
    const layout = await reading.layout()
    if (name === undefined) return NOTHING
    const shelf = shelfIn(root, layout, name)
    return await reader.read([expectFew({shelf, tags: await reading.tagsOn(shelf)})])
  }
  return {
    name: formatRepository(root),
    ofGroup: group => on(groupShelf(group)),
    ofPackage: identity => on(packageShelf(identity)),
    all: () => everything(root, reading, reader),
  }
}

const NOTHING: Found = {summaries: [], unreadable: [], yanked: []}

/** Requests at a time, and packages that are listed. */
const MAX_READS = 8
const MAX_PACKAGES = 50_000

async function everything(root: Repository, reading: IndexReading, reader: VersionReader): Promise<Found> {
  const layout = await reading.layout()
  const marked = [...(await reading.tags(root))].flatMap(tag => markedPackage(tag) ?? [])
  if (marked.length > MAX_PACKAGES) throw tooMany(root, marked.length)
  const filled: FilledShelf[] = []
  const closed: UnreadablePackage[] = []
  await mapConcurrent(marked, MAX_READS, async name => {
    const shelf = shelfIn(root, layout, name)
    try {
      filled.push(expectFew({shelf, tags: await reading.tagsOn(shelf)}))
    } catch (error) {
      closed.push(closedPackage(shelf, root, error))
    }
  })
  const found = await reader.read(filled)
  return {...found, unreadable: [...closed, ...found.unreadable]}
}

/** What a marker leads to may be gone, another's secret or made to break things, which hides no other package. */
function closedPackage({marker}: Shelf, root: Repository, error: unknown): UnreadablePackage {
  if (!(error instanceof CrossplaneError) || !CLOSED.includes(error.code)) throw error
  return {identity: formatRepository(root), tag: marker, reason: error.message.replace(/\.$/, '')}
}

const CLOSED: readonly string[] = ['access-denied', 'limit-exceeded']

function tooMany(root: Repository, count: number): CrossplaneError {
  return new CrossplaneError(
    'limit-exceeded',
    `${formatRepository(root)} lists ${count} packages, and up to ${MAX_PACKAGES} are read at once`,
    {suggestions: ['Look groups and packages up by name.']},
  )
}
