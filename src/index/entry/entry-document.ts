import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {dependencyError} from '../../unpack/dependency-error.js'
import type {Dependency, PermissionScope} from '../../unpack/package.js'
import type {XpkgKind} from '../../xpkg/content/object-kinds.js'
import type {JsonObject, JsonValue} from '../../yaml/json-value.js'
import {crdName, type OwnedCrd, type PackageSummary} from '../package-summary.js'
import type {YankedVersion} from '../summaries.js'
import {FieldCheck} from './field-check.js'
import {
  DIGEST,
  GROUP,
  IDENTITY,
  KIND_FORM,
  LABEL,
  plainLine,
  REQUIREMENT,
  SCOPE,
  TAG_FORM,
  WORD_FORM,
  XPKG_FORM,
} from './field-forms.js'
import {INDEX_FORMAT, isReadable, parseDocument} from './read-document.js'
import {count} from '../../text.js'

/** The summary of a version in a registry, which has a digest. */
export interface IndexedSummary extends PackageSummary {
  readonly digest: string
}

/** The kinds of documents in an index. */
export const ENTRY_KIND = 'PackageEntry'
export const YANK_KIND = 'PackageYank'

const MAX_CRDS = 5000
const MAX_SERVED = 100
const MAX_KEYWORDS = 500
const MAX_DEPENDENCIES = 5000
const TITLE = plainLine(1000)
const KEYWORD = plainLine(200)
/** The reason of a yank. */
export const YANK_REASON = plainLine(500, 1)

/** Returns an entry as JSON, keys sorted, without spaces: the same summary gives the same bytes. */
export function entryBytes(summary: IndexedSummary): Uint8Array {
  return Buffer.from(entryText(summary))
}

/** Returns the same as text, also for a package in a folder, which has no digest. */
export function entryText(summary: PackageSummary): string {
  const {category, crds, dependsOn, digest, identity, keywords, permissionScope, tag, title, version, xpkg} =
    summary
  return JSON.stringify({
    category,
    crds: crds.map(({group, kind, plural, scope, served, singular, stored}) => ({
      ...{group, kind, plural, scope, served, singular, stored},
    })),
    dependsOn: dependsOn.map(dependency =>
      'crd' in dependency ? {crd: dependency.crd} : {package: dependency.package},
    ),
    digest,
    formatVersion: INDEX_FORMAT,
    identity,
    keywords,
    kind: ENTRY_KIND,
    permissionScope,
    tag,
    title,
    version,
    xpkg,
  })
}

/**
 * Reads an untrusted entry, which messages call `name`. Throws `index-invalid` with all errors of the entry, and for a
 * newer format. Unknown fields are ignored.
 */
export function readEntry(name: string, bytes: Uint8Array): IndexedSummary {
  const check = new FieldCheck({file: name})
  const document = parseDocument(bytes, check)
  const summary = document === undefined ? undefined : entryOf(document, check)
  if (summary !== undefined && summary.digest === undefined) check.text(undefined, 'digest', DIGEST)
  return {...soundOr(summary, name, check), digest: summary?.digest ?? ''}
}

/** Returns the errors of reading the entry of a summary. */
export function entryDiagnostics(summary: PackageSummary): readonly Diagnostic[] {
  const check = new FieldCheck({})
  const document = parseDocument(Buffer.from(entryText(summary)), check)
  if (document !== undefined) entryOf(document, check)
  return check.diagnostics
}

/** Returns a yank as JSON, like an entry. */
export function yankBytes(yanked: YankedVersion): Uint8Array {
  return Buffer.from(yankText(yanked))
}

/** Returns the same as text. */
export function yankText({digest, identity, reason, tag, version}: YankedVersion): string {
  return JSON.stringify({
    ...{digest, formatVersion: INDEX_FORMAT, identity, kind: YANK_KIND, reason, tag, version},
  })
}

/** Reads a yank as `readEntry` reads an entry. */
export function readYank(name: string, bytes: Uint8Array): YankedVersion {
  const check = new FieldCheck({file: name})
  const document = parseDocument(bytes, check)
  return soundOr(document === undefined ? undefined : yankOf(document, check), name, check)
}

/** Returns the value that was read, or throws all errors. */
function soundOr<Read>(read: Read | undefined, name: string, {diagnostics}: FieldCheck): Read {
  if (read !== undefined && diagnostics.length === 0) return read
  const total = count(diagnostics.length, 'error')
  throw new CrossplaneError('index-invalid', `cannot read the index entry ${name}: ${total}`, {diagnostics})
}

/** Converts a document to a yank; to be used only if the check has no errors. */
export function yankOf(document: JsonObject, check: FieldCheck): YankedVersion | undefined {
  if (!isReadable(document, YANK_KIND, check)) return undefined
  const {digest, identity, reason, tag, version} = document
  return {
    identity: check.text(identity, 'identity', IDENTITY),
    tag: check.text(tag, 'tag', TAG_FORM),
    version: check.text(version, 'version', WORD_FORM),
    digest: check.text(digest, 'digest', DIGEST),
    reason: check.text(reason, 'reason', YANK_REASON),
  }
}

/** Converts a document to a summary, with or without a digest; to be used only if the check has no errors. */
export function entryOf(document: JsonObject, check: FieldCheck): PackageSummary | undefined {
  if (!isReadable(document, ENTRY_KIND, check)) return undefined
  const {category, crds, dependsOn, digest, identity, keywords, permissionScope, tag, title, version, xpkg} =
    document
  return {
    identity: check.text(identity, 'identity', IDENTITY),
    tag: check.text(tag, 'tag', TAG_FORM),
    version: check.text(version, 'version', WORD_FORM),
    ...(digest === undefined ? {} : {digest: check.text(digest, 'digest', DIGEST)}),
    ...(xpkg === undefined ? {} : {xpkg: check.text(xpkg, 'xpkg', XPKG_FORM) as XpkgKind}),
    permissionScope: check.text(permissionScope, 'permissionScope', SCOPE) as PermissionScope,
    title: check.text(title, 'title', TITLE),
    category: check.text(category, 'category', TITLE),
    keywords: check.texts(keywords, 'keywords', MAX_KEYWORDS, KEYWORD),
    crds: ownedCrds(crds, check),
    dependsOn: check
      .list(dependsOn, 'dependsOn', MAX_DEPENDENCIES)
      .map((value, index) => dependencyOf(value, `dependsOn[${index}]`, check)),
  }
}

function ownedCrds(value: JsonValue | undefined, check: FieldCheck): OwnedCrd[] {
  const before = check.diagnostics.length
  const crds = check.list(value, 'crds', MAX_CRDS).map((crd, index) => ownedCrd(crd, `crds[${index}]`, check))
  if (check.diagnostics.length > before) return crds
  crds.forEach((crd, index) => {
    const next = crds[index + 1]
    if (next === undefined || isBefore(crd, next)) return
    const same = crdName(crd) === crdName(next)
    check.reject(
      same ? 'crds has a duplicate' : 'crds must be sorted by group and plural',
      `crds[${index + 1}]`,
    )
  })
  return crds
}

function isBefore(a: OwnedCrd, b: OwnedCrd): boolean {
  return a.group === b.group ? a.plural < b.plural : a.group < b.group
}

function ownedCrd(value: JsonValue, at: string, check: FieldCheck): OwnedCrd {
  const {group, plural, singular, kind, scope, served, stored} = check.object(value, at) ?? {}
  return {
    group: check.text(group, `${at}.group`, GROUP),
    plural: check.text(plural, `${at}.plural`, LABEL),
    singular: check.text(singular, `${at}.singular`, LABEL),
    kind: check.text(kind, `${at}.kind`, KIND_FORM),
    scope: check.text(scope, `${at}.scope`, SCOPE) as PermissionScope,
    served: check.texts(served, `${at}.served`, MAX_SERVED, LABEL),
    stored: check.text(stored, `${at}.stored`, LABEL),
  }
}

/** Reads a dependency, and rejects the same entries as unpacking a package. */
function dependencyOf(value: JsonValue, at: string, check: FieldCheck): Dependency {
  const fields = check.object(value, at)
  const error = fields === undefined ? undefined : dependencyError(fields)
  if (error !== undefined) check.reject(`${at} ${error}`, at)
  return fields?.package === undefined
    ? {crd: check.text(fields?.crd, `${at}.crd`, REQUIREMENT)}
    : {package: check.text(fields.package, `${at}.package`, REQUIREMENT)}
}
