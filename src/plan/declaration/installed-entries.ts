import type {Declaration, DeclaredPackage} from '../../declaration/declaration.js'
import type {LockedInstall} from '../../declaration/lock.js'
import {declaredEntries} from './declared-names.js'

/** An install of a lock, with its package. */
export interface InstalledEntry extends Pick<LockedInstall, 'namespace' | 'name' | 'requestedFor'> {
  readonly identity: string
}

/** Returns the entries of a declaration that request an install, with their places. */
export function entriesFor(
  {identity, namespace, name, requestedFor}: InstalledEntry,
  declaration: Declaration,
): readonly {readonly index: number; readonly entry: DeclaredPackage}[] {
  const {all} = declaredEntries(declaration, declaration.defaultSource)
  const named = new Set(all.flatMap(entry => (entry.identity === identity ? [entry.index] : [])))
  return declaration.packages.flatMap((entry, index) => {
    const isPackage = named.has(index) || (entry.crd !== undefined && requestedFor.includes(entry.crd))
    const isPlace = (entry.namespace ?? namespace) === namespace && (entry.name ?? name) === name
    return isPackage && isPlace ? [{index, entry}] : []
  })
}
