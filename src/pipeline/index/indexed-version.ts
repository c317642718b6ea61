import type {Diagnostic} from '../../diagnostic.js'
import {versionKey} from '../../index/joined-index.js'
import {crdName, type PackageSummary} from '../../index/package-summary.js'
import type {Found} from '../../index/summaries.js'
import {compareVersions} from '../../reference/newest-version.js'
import {compareText} from '../../reference/compare-text.js'

/** One version of a package as an index has it. */
export interface IndexedVersion {
  readonly package: string
  readonly tag: string
  readonly version: string
  readonly digest?: string
  readonly permissionScope: string
  readonly title: string
  readonly category: string
  readonly keywords: readonly string[]
  readonly crds: readonly {readonly name: string; readonly kind: string; readonly served: readonly string[]}[]
  /** Why its publisher withdrew it. */
  readonly withdrawn?: string
}

/** Why a version was withdrawn; undefined for most. */
export function withdrawals(yanked: Found['yanked']): (summary: PackageSummary) => string | undefined {
  const reasons = new Map(yanked.map(each => [versionKey(each), each.reason]))
  return summary => reasons.get(versionKey(summary))
}

/** Versions by package, newest first. */
export function indexedVersions({summaries, yanked}: Found): IndexedVersion[] {
  const reasonOf = withdrawals(yanked)
  return summaries.map(each => indexedVersion(each, reasonOf(each))).sort(byPackageAndVersion)
}

function indexedVersion(summary: PackageSummary, withdrawn: string | undefined): IndexedVersion {
  const {identity, tag, version, digest, permissionScope, title, category, keywords, crds} = summary
  return {
    package: identity,
    tag,
    version,
    ...(digest === undefined ? {} : {digest}),
    ...{permissionScope, title, category, keywords},
    crds: crds.map(crd => ({name: crdName(crd), kind: crd.kind, served: crd.served})),
    ...(withdrawn === undefined ? {} : {withdrawn}),
  }
}

type Sorted = Pick<IndexedVersion, 'package' | 'tag' | 'digest'>

/** By package, newest first; of one tag by digest. */
export function byPackageAndVersion(a: Sorted, b: Sorted): number {
  return (
    compareText(a.package, b.package) ||
    compareVersions(a.tag, b.tag) ||
    compareText(a.digest ?? '', b.digest ?? '')
  )
}

interface Seen extends Pick<Found, 'unreadable'> {
  readonly summaries: readonly Pick<PackageSummary, 'identity' | 'tag' | 'digest'>[]
}

/** What a careful reader of an index should know: what cannot be read, and tags of which there are several. */
export function indexFindings({unreadable, summaries}: Seen): Diagnostic[] {
  const digests = new Map<string, Set<string>>()
  for (const {identity, tag, digest = ''} of summaries) {
    const name = `${identity}:${tag}`
    digests.set(name, (digests.get(name) ?? new Set()).add(digest))
  }
  const several = [...digests].filter(([, each]) => each.size > 1)
  const findings = [
    ...unreadable.map(({identity, tag, reason}) => ({
      severity: 'warning' as const,
      rule: 'unreadable-package',
      message: `${identity}:${tag} was not looked into: ${reason}`,
    })),
    ...several.map(([name, each]) => ({
      severity: 'warning' as const,
      rule: 'several-digests',
      message: `${name} is there ${each.size} times with different bytes: the tag was moved, or two people published it`,
    })),
  ]
  return findings.sort((a, b) => compareText(a.message, b.message))
}
