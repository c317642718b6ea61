import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {PackageIndex} from '../../index/package-index.js'
import {isDnsSubdomain} from '../../reference/kubernetes-names.js'
import {quoted} from '../../text.js'
import {type IndexedVersion, indexedVersions, indexDiagnostics} from '../../index/indexed-version.js'

/** The content of an index. */
export interface IndexListing {
  /** By package, newest first. */
  readonly packages: readonly IndexedVersion[]
  readonly findings: readonly Diagnostic[]
}

/** Lists all versions of an index, or those that own CRDs of one API group. Throws `usage` for an invalid group. */
export async function listIndex(index: PackageIndex, group?: string): Promise<IndexListing> {
  if (group !== undefined && !isDnsSubdomain(group)) {
    throw new CrossplaneError('usage', `invalid API group ${quoted(group)}`, {
      suggestions: ['Write a DNS name, such as sql.example.org'],
    })
  }
  const content = group === undefined ? await index.all() : await index.ofGroup(group)
  return {packages: indexedVersions(content), findings: indexDiagnostics(content)}
}
