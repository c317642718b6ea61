import {count} from '../text.js'
import {MANIFEST_FILE, README_FILE} from './backup-paths.js'
import {
  backedUpInstance,
  type BackupManifest,
  expectSameInstalls,
  otherBackup,
  readManifest,
} from './backup-manifest.js'
import type {BackupFolder, BackupSource, BackupSummary} from './write-backup.js'

/**
 * Returns the manifest of the complete backup that a folder has; undefined if the folder is empty or does not exist. Throws
 * `output-refused` for any other content, such as an incomplete backup.
 */
export async function completeBackup(folder: BackupFolder): Promise<BackupManifest | undefined> {
  const [readme, text] = [await folder.read(README_FILE), await folder.read(MANIFEST_FILE)]
  const manifest = readme === undefined || text === undefined ? undefined : readManifest(text, readme)
  if (manifest === undefined) await folder.expectEmpty()
  return manifest
}

/**
 * Checks that a complete backup is that of an uninstall: it has the installs and all of the instances as they are now.
 * What is deleted already can have changed since, by its finalizers. Throws
 * `output-refused`, the errors of the instances, and the signal's reason when it is aborted.
 */
export async function expectBackupOf(
  manifest: BackupManifest,
  {installs, kinds}: Pick<BackupSource, 'installs' | 'kinds'>,
  folder: Pick<BackupFolder, 'name'>,
  signal: AbortSignal,
): Promise<BackupSummary> {
  expectSameInstalls(folder.name, manifest, installs)
  const byPath = new Map(manifest.instances.map(instance => [instance.path, instance]))
  for (const {crd, instances} of kinds) {
    for await (const object of instances) {
      signal.throwIfAborted()
      const {path, uid, sha256} = backedUpInstance(crd.metadata.name, object)
      const instance = byPath.get(path)
      if (instance?.uid !== uid) throw otherBackup(folder.name, `its backup lacks ${path}`)
      const isDeleted = object.metadata.deletionTimestamp !== undefined
      if (!isDeleted && instance.sha256 !== sha256)
        throw otherBackup(folder.name, `${path} has changed since`)
    }
  }
  return {instances: manifest.instances.length, isFound: true}
}

/** The result of a backup in words, with the folder as the user named it. */
export function backupText({instances, isFound}: BackupSummary, folder: string): string {
  const resources = count(instances, 'custom resource')
  return isFound ? `The backup in ${folder} is complete: ${resources}` : `Backed up ${resources} to ${folder}`
}
