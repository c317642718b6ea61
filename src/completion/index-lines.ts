import {ENTRY_KIND, YANK_KIND} from '../index/entry/entry-document.js'
import {IDENTITY, TAG_FORM} from '../index/entry/field-forms.js'
import {asObject, asText, type JsonValue} from '../yaml/json-value.js'
import type {NamedPackage} from './known-packages.js'

/**
 * Returns the versions in documents of an index: an entry, or the lines of a snapshot or an index file. Yanked versions and lines that
 * cannot be read are left out. The rest of an entry is not checked, as it is when the package is used.
 */
export function packagesInIndex(documents: readonly Uint8Array[]): readonly NamedPackage[] {
  const packages = new Map<string, NamedPackage>()
  const yanked = new Set<string>()
  for (const line of documents.flatMap(bytes => Buffer.from(bytes).toString().split('\n'))) {
    const {kind, identity, tag} = asObject(parsed(line))
    const [repository, version] = [asText(identity), asText(tag)]
    if (!IDENTITY.is(repository) || !TAG_FORM.is(version)) continue
    if (kind === ENTRY_KIND) packages.set(`${repository}:${version}`, {repository, tag: version})
    if (kind === YANK_KIND) yanked.add(`${repository}:${version}`)
  }
  return [...packages].filter(([key]) => !yanked.has(key)).map(([, namedPackage]) => namedPackage)
}

function parsed(line: string): JsonValue {
  try {
    return JSON.parse(line) as JsonValue
  } catch {
    return null
  }
}
