import {CrossplaneError} from '../errors.js'
import {sha256Of} from '../plan/sha256.js'
import {count, quoted} from '../text.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {
  type BackedUpInstall,
  type BackedUpInstance,
  backedUpInstance,
  formatManifest,
} from './backup-manifest.js'
import {
  CRD_FOLDER,
  instancePaths,
  MANIFEST_FILE,
  partPath,
  README_FILE,
  type RecordFolder,
} from './backup-paths.js'
import {objectFile, statusFile} from './instance-files.js'
import {type BackedUpKind, restoreGuide} from './restore-guide.js'
import {secretNames} from './secret-names.js'

/** Port: a folder that a backup is written to. All methods throw `output-refused` and `output-failed`. */
export interface BackupFolder {
  /** The folder, as the user named it. */
  readonly name: string
  /** The size of the largest file that `read` returns, in bytes. */
  readonly maxRead: number
  /** Throws unless the folder is empty or does not exist. */
  expectEmpty(): Promise<void>
  /** Returns the text of a file; undefined if it is not a file of a backup. */
  read(path: string): Promise<string | undefined>
  /** Creates a file for its owner alone, and the folders that it is in; its bytes are on disk when this resolves. */
  create(path: string, text: string): Promise<void>
  /** Syncs the entries of all folders to disk. */
  settle(): Promise<void>
}

/** The source of a backup. */
export interface BackupSource {
  readonly installs: readonly BackedUpInstall[]
  /** What recorded or requested them, for reference. */
  readonly records: readonly BackedUpRecord[]
  /** Commands that install the packages again. */
  readonly reinstall: readonly string[]
  readonly kinds: readonly InstancesOfCrd[]
}

/** An object that is written to a folder of the backup. */
export interface BackedUpRecord {
  readonly folder: RecordFolder
  readonly name: string
  readonly object: KubernetesObject
}

/** A CRD, and the instances of it that are backed up. */
export interface InstancesOfCrd {
  readonly crd: KubernetesObject
  readonly instances: AsyncIterable<KubernetesObject>
}

/** The result of a backup. */
export interface BackupSummary {
  readonly instances: number
  /** Whether the folder already had the backup. */
  readonly isFound: boolean
}

/** The number of files that are synced to disk concurrently. */
const CONCURRENCY = 16

/** The names that the README and the manifest list. */
interface Names {
  readonly namespaces: Set<string>
  readonly secrets: Set<string>
  /** The files of the instances. */
  readonly files: BackedUpInstance[]
}

/**
 * Writes a backup; it is complete and on disk when this resolves, and the README is written last. Instances are written
 * as they arrive. Throws the errors of the folder and of the instances, `limit-exceeded` for more instances than a
 * manifest can list, and the signal's reason when it is aborted.
 */
export async function writeBackup(
  {installs, records, reinstall, kinds}: BackupSource,
  folder: BackupFolder,
  signal: AbortSignal,
): Promise<BackupSummary> {
  await folder.expectEmpty()
  for (const {folder: place, name, object} of records)
    await folder.create(partPath(place, name), objectFile(object))
  const names: Names = {namespaces: new Set(), secrets: new Set(), files: []}
  const backedUp: BackedUpKind[] = []
  for (const {crd, instances} of kinds) {
    await folder.create(partPath(CRD_FOLDER, crd.metadata.name), objectFile(crd))
    backedUp.push(await writeInstances(crd.metadata.name, instances, {folder, names, signal}))
  }
  const readme = restoreGuide({
    installs: installs.map(({name}) => name),
    records: [...new Set(records.map(record => record.folder))],
    reinstall,
    kinds: backedUp,
    namespaces: [...names.namespaces],
    secrets: [...names.secrets],
  })
  const manifest = formatManifest({readme: sha256Of(readme), installs, instances: names.files})
  // A repeated run reads both.
  for (const text of [manifest, readme]) expectReadable(text, folder, names.files.length)
  await folder.create(MANIFEST_FILE, manifest)
  await folder.settle()
  await folder.create(README_FILE, readme)
  await folder.settle()
  return {instances: names.files.length, isFound: false}
}

function expectReadable(text: string, {name, maxRead}: BackupFolder, instances: number): void {
  if (Buffer.byteLength(text) <= maxRead) return
  throw new CrossplaneError(
    'limit-exceeded',
    `cannot write a backup to ${quoted(name)}: the list of ${count(instances, 'custom resource')} is too large`,
    {
      suggestions: ['Save the custom resources with kubectl get, and run the command without --backup.'],
    },
  )
}

interface InstanceTarget {
  readonly folder: BackupFolder
  readonly names: Names
  readonly signal: AbortSignal
}

async function writeInstances(
  crd: string,
  instances: AsyncIterable<KubernetesObject>,
  {folder, names, signal}: InstanceTarget,
): Promise<BackedUpKind> {
  let total = 0
  for await (const batch of batches(instances, CONCURRENCY)) {
    signal.throwIfAborted()
    await Promise.all(batch.map(object => writeInstance(crd, object, folder)))
    for (const object of batch) {
      if (object.metadata.namespace !== undefined) names.namespaces.add(object.metadata.namespace)
      for (const secret of secretNames(object)) names.secrets.add(secret)
      names.files.push(backedUpInstance(crd, object))
    }
    total += batch.length
  }
  return {crd, instances: total}
}

async function writeInstance(crd: string, object: KubernetesObject, folder: BackupFolder): Promise<void> {
  const paths = instancePaths(crd, object.metadata)
  await folder.create(paths.object, objectFile(object))
  const status = statusFile(object)
  if (status !== undefined) await folder.create(paths.status, status)
}

async function* batches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
