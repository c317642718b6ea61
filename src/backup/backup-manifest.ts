import type {Inventory} from '../cluster/inventory/inventory.js'
import {CrossplaneError} from '../errors.js'
import {objectKey} from '../kubernetes/object-key.js'
import {sha256Of} from '../plan/sha256.js'
import {escaped, quoted} from '../text.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {asObject, asObjects, asText, asTexts} from '../yaml/json-value.js'
import {parsedJson} from '../yaml/parsed-json.js'
import {instancePaths} from './backup-paths.js'
import {objectFile} from './instance-files.js'

/** What a complete backup holds, by which a repeated run recognizes it. */
export interface BackupManifest {
  /** The hash of the README, which is written after the manifest. */
  readonly readme: string
  readonly installs: readonly BackedUpInstall[]
  readonly instances: readonly BackedUpInstance[]
}

/** What is removed, as it was backed up. Another install of the same name has objects with other uids. */
export interface BackedUpInstall {
  /** As NAMESPACE/NAME, or as the request of a package. */
  readonly name: string
  /** Its objects with their uids, sorted. */
  readonly objects: readonly string[]
}

/** The file of an instance, its uid, and the hash of the file: a restored instance has another uid. */
export interface BackedUpInstance {
  readonly path: string
  readonly uid: string
  readonly sha256: string
}

/** Returns what identifies an install: an interrupted uninstall removes objects, and adds none. */
export function backedUpInstall({install, objects}: Inventory): BackedUpInstall {
  const names = objects.map(object => `${objectKey(object)} ${object.uid ?? ''}`).sort()
  return {name: `${install.namespace}/${install.name}`, objects: names}
}

/** Returns what identifies an instance, and the text of its file. */
export function backedUpInstance(crd: string, object: KubernetesObject): BackedUpInstance {
  const {metadata} = object
  const path = instancePaths(crd, metadata).object
  return {path, uid: asText(metadata.uid), sha256: sha256Of(objectFile(object))}
}

/** Formats a manifest as JSON. */
export function formatManifest(manifest: BackupManifest): string {
  return `${JSON.stringify({version: 1, ...manifest}, undefined, 1)}\n`
}

/** Reads the manifest of a backup with its README; undefined if the backup is not complete. */
export function readManifest(text: string, readme: string): BackupManifest | undefined {
  const {version, readme: hash, installs, instances} = asObject(parsedJson(text))
  if (version !== 1 || hash !== sha256Of(readme)) return undefined
  return {
    readme: hash,
    installs: asObjects(installs).map(({name, objects}) => ({name: asText(name), objects: asTexts(objects)})),
    instances: asObjects(instances).map(object => ({
      path: asText(object.path),
      uid: asText(object.uid),
      sha256: asText(object.sha256),
    })),
  }
}

/** Throws `output-refused` if a backup is not that of the same installs, which have not been installed again since. */
export function expectSameInstalls(
  folder: string,
  {installs}: BackupManifest,
  removed: readonly BackedUpInstall[],
): void {
  const keysByInstall = new Map(installs.map(install => [install.name, new Set(install.objects)]))
  for (const {name, objects} of removed) {
    const backedUp = keysByInstall.get(name)
    if (backedUp !== undefined && objects.every(object => backedUp.has(object))) continue
    const why =
      backedUp !== undefined
        ? `it has a backup of an earlier install ${name}`
        : `it has a backup of ${installs.map(install => install.name).join(', ')}`
    throw otherBackup(folder, why)
  }
}

/** The error for a folder that has a different backup than that of the uninstall. */
export function otherBackup(folder: string, why: string): CrossplaneError {
  return new CrossplaneError(
    'output-refused',
    `cannot write a backup to ${quoted(folder)}: ${escaped(why)}`,
    {
      suggestions: ['Pass --backup with an empty or new folder.'],
    },
  )
}
