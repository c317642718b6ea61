import {present} from '../../present.js'
import type {InstallId, InstallSet, SetObject} from '../../render/install-set.js'
import {distinctNames} from '../folder/file-name.js'
import {foldersOf, type ObjectFolder} from '../folder/file-tree.js'
import {installKey} from './awaited-installs.js'
import type {TreeOptions} from './layout.js'
import {shortName} from './tree-name.js'

/** A folder of a tree that a controller reconciles by itself. */
export interface TreeUnit extends ObjectFolder {
  /** The name by which the controller knows it; it never changes. */
  readonly name: string
  /** The name of the file with its settings. */
  readonly fileName: string
  /** Absent for a folder that installs share. */
  readonly install?: InstallId
  /** The CRDs of its package, if another declaration owns them. */
  readonly externalCrds: readonly SetObject[]
}

/**
 * Returns the units of a tree: each shared folder, and each install, so that a broken one stops only what requires it.
 * @param prefix - of the names.
 */
export function treeUnits(set: InstallSet, {externalCrds}: TreeOptions, prefix: string): readonly TreeUnit[] {
  const isExternal = ({phase}: SetObject) => externalCrds && phase === 'crds'
  const folders = foldersOf(
    set.objects.filter(object => !isExternal(object)),
    'apart',
  ).filter(({members}) => members.length > 0)
  const fileNames = distinctNames(
    folders.map(({path}) => ({stem: basename(path), identity: path})),
    '.yaml',
  )
  const external = byOwner(set.objects.filter(isExternal))
  return folders.map((folder, index) => {
    const install = installOf(folder)
    const stem = install === undefined ? folder.path : `${install.namespace}.${install.name}`
    return {
      ...folder,
      name: shortName(`${prefix}-${stem}`),
      fileName: fileNames[index] ?? '',
      ...present({install}),
      externalCrds: install === undefined ? [] : (external.get(installKey(install)) ?? []),
    }
  })
}

function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** CRDs belong to no install; one whose CRDs are left of it has nothing else. */
function installOf({path, members}: ObjectFolder): InstallId | undefined {
  if (!path.includes('/')) return undefined
  const [first] = members
  return first?.install ?? first?.ownedBy?.[0]
}

function byOwner(crds: readonly SetObject[]): ReadonlyMap<string, readonly SetObject[]> {
  const owned = new Map<string, SetObject[]>()
  for (const crd of crds) {
    for (const owner of crd.ownedBy ?? []) {
      const key = installKey(owner)
      owned.set(key, [...(owned.get(key) ?? []), crd])
    }
  }
  return owned
}
