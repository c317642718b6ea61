import type {OutputFolder} from '../commit/output-folder.js'
import {readLists} from '../commit/folder-target.js'
import {type FolderWrite, writeFolder} from '../commit/write-folder.js'
import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import type {FolderEntries} from '../plan/folder/folder-snapshot.js'
import {BOOKKEEPING, joinOwnedFiles, parseLists, TREE_SETTINGS} from '../plan/folder/owned-files.js'
import {listSome} from '../text.js'
import {SCHEMA_PATH, schemaFiles} from '../usage/schema-files.js'
import {packageSet, readSurfaces, type SetQuery, surfaceReader} from './impact/package-set.js'
import type {RequestPorts} from './request/read-request.js'

/** The changes of a folder of schemas, and warnings for CRDs without one. */
export interface SchemasWrite {
  readonly change: FolderWrite
  readonly warnings: readonly Diagnostic[]
}

/** A folder for schemas, and its current files. */
interface SchemasFolder {
  readonly folder: OutputFolder
  readonly listing: () => Promise<FolderEntries | undefined>
}

/**
 * Writes the schemas of a set of packages as JSON Schema. Files of former packages are removed. Throws `output-refused` for a folder
 * with files that this command did not write.
 */
export async function writeSchemas(
  query: SetQuery,
  {folder, listing}: SchemasFolder,
  ports: RequestPorts,
): Promise<SchemasWrite> {
  await expectOwn(folder, await listing())
  const set = await packageSet(query, ports)
  const packages = await readSurfaces(set.packages, surfaceReader(ports, {isDescribed: true}))
  const {files, unread} = schemaFiles(packages)
  return {
    change: await writeFolder(files, folder),
    warnings: unread.map(({package: name, name: crd, reason}) => ({
      severity: 'warning',
      rule: 'crd-unread',
      message: `${crd} of ${name} has no schema: ${reason}`,
      subject: {package: name},
    })),
  }
}

const MAX_NAMES = 3

/** A tree of rendered files has a list, too, but no list of schemas. */
async function expectOwn(folder: OutputFolder, entries: FolderEntries | undefined): Promise<void> {
  const owned = joinOwnedFiles(parseLists(await readLists(folder), folder.name).values())
  const isOwn = (path: string) =>
    path.startsWith(`${BOOKKEEPING}/`) ? path !== TREE_SETTINGS : owned.has(path) && SCHEMA_PATH.test(path)
  const others = [...(entries?.keys() ?? [])].filter(path => !isOwn(path)).sort()
  if (others.length === 0) return
  const message = `cannot write schemas to ${folder.name}: it has other files: ${listSome(others, MAX_NAMES)}`
  throw new CrossplaneError('output-refused', message, {
    suggestions: ['Choose an empty folder, or move the other files elsewhere.'],
  })
}
