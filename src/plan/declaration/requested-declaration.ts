import {newDeclaration, withPackage} from '../../declaration/add-package.js'
import type {DeclaredPackage} from '../../declaration/declaration.js'
import {type DeclarationFile, textOf} from '../../declaration/edit-declaration.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {withoutMarks} from '../../declaration/remove-package.js'
import {entryPlace, withTag} from '../../declaration/with-tag.js'
import {CrossplaneError} from '../../errors.js'
import {parseImageName} from '../../reference/image-name.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'
import {declaredEntries} from './declared-names.js'

/**
 * Returns the text of a declaration that has an entry: an entry of the same install stays, or gets the requested tag.
 * Without a name, the only entry of the package keeps its own. Throws `input-invalid` for one that differs otherwise.
 */
export function withEntry(
  file: DeclarationFile | undefined,
  requested: DeclaredPackage,
  defaultSource: string | undefined,
): string {
  if (file === undefined) return newDeclaration(requested)
  const declaration = readDeclaration(file.name, file.bytes)
  const source = defaultSource ?? declaration.defaultSource
  const entry = withKeptName(declaration, requested, source)
  const index = indexOfInstall(declaration, entry, source)
  const existing = declaration.packages[index]
  if (existing === undefined) return withPackage(file, entry)
  if (existing.draining === true) {
    // Installing a package again cancels its uninstall.
    return withEntry({...file, bytes: Buffer.from(withoutMarks(file, index))}, entry, defaultSource)
  }
  if (isRequested(existing, entry)) return textOf(file.bytes)
  const tag = movedTag(existing, entry)
  if (tag === undefined) throw declaredOtherwise(file, index, entry)
  return withTag(file, index, tag)
}

/** Reports whether an entry has all that a request requires. Without a tag, any version is requested. */
function isRequested(existing: DeclaredPackage, entry: DeclaredPackage): boolean {
  const {tag, digest} = parseImageName(entry.package ?? '') ?? {}
  const isAnyVersion = entry.package !== undefined && tag === undefined && digest === undefined
  const {package: reference, version} = existing
  return isSame(existing, isAnyVersion ? {...entry, package: reference, version} : entry)
}

/** Returns the tag of a request that differs from an entry in nothing else. */
function movedTag(existing: DeclaredPackage, entry: DeclaredPackage): string | undefined {
  const [before, after] = [existing, entry].map(declaredPackage =>
    parseImageName(declaredPackage.package ?? ''),
  )
  const isPinnedByDigest = before?.digest !== undefined || after?.digest !== undefined
  return isPinnedByDigest || !isSame({...existing, package: entry.package}, entry) ? undefined : after?.tag
}

/** Gives a request without a name the one that the only entry of its package has. */
function withKeptName(
  {packages}: {readonly packages: readonly DeclaredPackage[]},
  entry: DeclaredPackage,
  defaultSource: string | undefined,
): DeclaredPackage {
  if (entry.package === undefined || entry.name !== undefined || entry.namespace !== undefined) return entry
  const {all} = declaredEntries({packages: [...packages, entry]}, defaultSource)
  const identity = all.find(({index}) => index === packages.length)?.identity
  const [only, ...others] = all.filter(one => one.identity === identity && one.index < packages.length)
  const isKept = only?.name !== undefined && only.namespace === undefined && others.length === 0
  return isKept ? {...entry, name: only.name} : entry
}

/** Returns the place of the entry for the same package or CRD, namespace and name; -1 if there is none. */
function indexOfInstall(
  {packages}: {readonly packages: readonly DeclaredPackage[]},
  entry: DeclaredPackage,
  defaultSource: string | undefined,
): number {
  const {all} = declaredEntries({packages: [...packages, entry]}, defaultSource)
  const identityAt = (index: number) => all.find(declaredEntry => declaredEntry.index === index)?.identity
  const identity = identityAt(packages.length)
  return packages.findIndex(
    (declaredPackage, index) =>
      declaredPackage.namespace === entry.namespace &&
      declaredPackage.name === entry.name &&
      declaredPackage.crd === entry.crd &&
      identityAt(index) === identity,
  )
}

function isSame(one: DeclaredPackage, other: DeclaredPackage): boolean {
  return writeJson(plain(one)) === writeJson(plain(other))
}

/** Returns an entry without fields that are undefined. */
function plain(entry: DeclaredPackage): JsonObject {
  return JSON.parse(JSON.stringify(entry)) as JsonObject
}

function declaredOtherwise(file: DeclarationFile, index: number, entry: DeclaredPackage): CrossplaneError {
  const name = entry.package ?? entry.crd ?? ''
  const place = entryPlace(file, index)
  const message = 'the install is declared with other settings'
  return new CrossplaneError('input-invalid', `cannot add ${name} to ${file.name}: ${message}`, {
    diagnostics: [{severity: 'error', rule: 'declaration-edit', message, ...place, field: 'packages'}],
    suggestions: [`Edit line ${place.line} of ${place.file} by hand, or pass another NAME.`],
  })
}
