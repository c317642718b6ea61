import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import type {Lock, LockedPackage, LockedXpkg} from '../../declaration/lock.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {present} from '../../present.js'
import {declaredEntries, declaredNames} from './declared-names.js'

/** What a lock had of a package, in one of the formats. */
interface FormerVersion {
  readonly repository: string
  readonly stack?: LockedPackage
  readonly xpkg?: LockedXpkg
}

/**
 * Returns the text of a declaration in which a pin of a package is the former version; an entry without a pin stays, because its lock
 * decides. Throws `input-invalid` for a pin that cannot be moved.
 */
export function withFormerPin(file: DeclarationFile, {repository, stack, xpkg}: FormerVersion): string {
  const declaration = readDeclaration(file.name, file.bytes)
  const {all} = declaredEntries(declaration, declaration.defaultSource)
  const isPinned = all.some(
    ({identity, image}) => identity === repository && (image.tag ?? image.digest) !== undefined,
  )
  const tag = isPinned ? (stack ?? xpkg)?.tag : undefined
  return declaredNames(file, {names: [tag === undefined ? repository : `${repository}:${tag}`]}).text
}

/** Returns a lock that has the former version of a package, whose request keeps its present name. */
export function withFormerVersion(lock: Lock, {repository, stack, xpkg}: FormerVersion): Lock {
  return {
    ...lock,
    packages: lock.packages.map(own =>
      own.identity === repository && stack !== undefined ? {...stack, installs: own.installs} : own,
    ),
    ...(lock.xpkgs === undefined || xpkg === undefined
      ? {}
      : {xpkgs: lock.xpkgs.map(own => (own.repository === repository ? renamed(xpkg, own) : own))}),
  }
}

function renamed({name: _former, ...xpkg}: LockedXpkg, {name}: LockedXpkg): LockedXpkg {
  return {...xpkg, ...present({name})}
}
