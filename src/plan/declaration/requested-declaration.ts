import {newDeclaration, withPackage} from '../../declaration/add-package.js'
import type {DeclaredPackage} from '../../declaration/declaration.js'
import {type DeclarationFile, lineOfPackage, textOf, withTag} from '../../declaration/edit-declaration.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {withoutMarks} from '../../declaration/remove-package.js'
import {CrossplaneError} from '../../errors.js'
import {parseImageName} from '../../reference/image-name.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'
import {declaredEntries} from './declared-names.js'

/**
 * Returns the text of a declaration that has an entry: an entry of the same install stays, or gets the requested tag.
 * Throws `input-invalid` for one that differs otherwise.
 */
export function withEntry(
  file: DeclarationFile | undefined,
  entry: DeclaredPackage,
  defaultSource: string | undefined,
): string {
  if (file === undefined) return newDeclaration(entry)
  const declaration = readDeclaration(file.name, file.bytes)
  const index = indexOfInstall(declaration, entry, defaultSource ?? declaration.defaultSource)
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
  const line = lineOfPackage(file, index)
  const message = 'the install is declared with other settings'
  return new CrossplaneError('input-invalid', `cannot add ${name} to ${file.name}: ${message}`, {
    diagnostics: [
      {severity: 'error', rule: 'declaration-edit', message, file: file.name, line, field: 'packages'},
    ],
    suggestions: [`Edit line ${line} of ${file.name} by hand, or pass another NAME.`],
  })
}
