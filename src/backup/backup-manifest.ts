import type {Inventory} from '../cluster/inventory/inventory.js'
import {CrossplaneError} from '../errors.js'
import {objectKey} from '../kubernetes/object-key.js'
import {sha256Of} from '../plan/sha256.js'
import {escaped, quoted} from '../text.js'
import {asObject, asObjects, asText, type JsonValue} from '../yaml/json-value.js'

/** What a complete backup holds, by which a repeated run recognizes it. */
export interface BackupManifest {
  /** The hash of the README, which is written after the manifest. */
  readonly readme: string
  readonly installs: readonly BackedUpInstall[]
  readonly instances: readonly BackedUpInstance[]
}

/** An install as it was backed up. Another one of the same name has objects with other uids. */
interface BackedUpInstall {
  /** As NAMESPACE/NAME. */
  readonly name: string
  /** The hash of its objects with their uids. */
  readonly objects: string
}

/** The file of an instance, and its uid: a restored instance has another one. */
export interface BackedUpInstance {
  readonly path: string
  readonly uid: string
}

/** Returns what identifies an install: an interrupted uninstall changes nothing of it. */
export function backedUpInstall({install, objects}: Inventory): BackedUpInstall {
  const names = objects.map(each => `${objectKey(each)} ${each.uid ?? ''}`).sort()
  return {name: `${install.namespace}/${install.name}`, objects: sha256Of(names.join('\n'))}
}

/** Formats a manifest as JSON. */
export function formatManifest(manifest: BackupManifest): string {
  return `${JSON.stringify({version: 1, ...manifest}, undefined, 1)}\n`
}

/** Reads the manifest of a backup with its README; undefined if the backup is not complete. */
export function readManifest(text: string, readme: string): BackupManifest | undefined {
  const {version, readme: hash, installs, instances} = asObject(parsed(text))
  if (version !== 1 || hash !== sha256Of(readme)) return undefined
  return {
    readme: hash,
    installs: asObjects(installs).map(({name, objects}) => ({name: asText(name), objects: asText(objects)})),
    instances: asObjects(instances).map(({path, uid}) => ({path: asText(path), uid: asText(uid)})),
  }
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Throws `output-refused` if a backup is not that of the same installs, which have not been installed again since. */
export function expectSameInstalls(
  folder: string,
  {installs}: BackupManifest,
  inventories: readonly Inventory[],
): void {
  const known = new Map(installs.map(each => [each.name, each.objects]))
  for (const {name, objects} of inventories.map(backedUpInstall)) {
    if (known.get(name) === objects) continue
    const why = known.has(name)
      ? `it has a backup of an earlier install ${name}`
      : `it has a backup of ${installs.map(each => each.name).join(', ')}`
    throw otherBackup(folder, why)
  }
}

/** The error for a folder that has another backup than that of the uninstall. */
export function otherBackup(folder: string, why: string): CrossplaneError {
  return new CrossplaneError(
    'output-refused',
    `cannot write a backup to ${quoted(folder)}: ${escaped(why)}`,
    {
      suggestions: ['Pass --backup with an empty or new folder.'],
    },
  )
}
