import type {OutputFolder} from '../commit/output-folder.js'
import type {SealMemory} from '../commit/sealed-files.js'
import {type FileSink, writeStreamed} from '../commit/streamed-write.js'
import type {FolderWrite} from '../commit/write-folder.js'
import {CrossplaneError} from '../errors.js'
import type {OwnedFiles} from '../plan/folder/folder-snapshot.js'
import {BOOKKEEPING, CATALOG_STATE} from '../plan/folder/owned-files.js'
import {listSome} from '../text.js'

/** The paths of a site: its start, its styles and scripts, and the pages of packages. */
const SITE_PATH = /^(?:index\.html|site\.css|[a-z-]+\.js|p\/.+)$/

/** A site that is written: files go into it, and what it was made of. */
export interface SiteSink extends FileSink {
  /** What the last build remembered; it is in the folder, where anyone can have changed it. */
  readonly state: string | undefined
  /** Takes what the next build is to know. */
  remember(state: string): Promise<void>
}

/**
 * Writes the files that `make` puts into a site; those of a former one that no longer exist are removed, other files stay. Throws
 * `output-refused` for a folder whose managed files are not those of a site, such as a tree of rendered packages, and as `make` does.
 * @param seals - what tells which pages are as the last build wrote them; without it, they are read.
 */
export async function writeSite<T>(
  folder: OutputFolder,
  make: (site: SiteSink) => Promise<T>,
  seals?: SealMemory,
): Promise<{readonly change: FolderWrite; readonly made: T}> {
  return await writeStreamed(folder, {
    seals,
    expectOwn: owned => expectSite(owned, folder),
    make: async sink =>
      await make({
        put: async (path, content) => await sink.put(path, content),
        keep: async files => await sink.keep(files),
        group: files => sink.group(files),
        state: await stateIn(folder),
        remember: async state => void (await sink.put(CATALOG_STATE, state)),
      }),
  })
}

function expectSite(owned: OwnedFiles, {name}: OutputFolder): void {
  const others = [...owned.keys()].filter(
    path => !path.startsWith(`${BOOKKEEPING}/`) && !SITE_PATH.test(path),
  )
  if (others.length === 0) return
  const message = `cannot write a catalog to ${name}: it has files of another command: ${listSome(others.sort(), 3)}`
  throw new CrossplaneError('output-refused', message, {
    suggestions: ['Choose an empty folder for the catalog.'],
  })
}

/** It only saves time: one that is too large, or no file, is as good as none. */
async function stateIn(folder: OutputFolder): Promise<string | undefined> {
  try {
    return await folder.read(CATALOG_STATE)
  } catch (error) {
    if (error instanceof CrossplaneError) return ''
    throw error
  }
}
