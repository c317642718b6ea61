import type {Diagnostic} from '../diagnostic.js'
import {grouped} from '../grouped.js'
import {versionKey} from './joined-index.js'
import {crdName, type PackageSummary} from './package-summary.js'
import type {Found} from './summaries.js'
import {present} from '../present.js'
import {compareVersions} from '../reference/newest-version.js'
import {compareText} from '../reference/compare-text.js'

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
  /** The reason for the yank. */
  readonly withdrawn?: string
}

/** Returns a function that gives the reason of a yank; undefined for versions that are not yanked. */
export function withdrawals(yanked: Found['yanked']): (summary: PackageSummary) => string | undefined {
  const reasons = new Map(yanked.map(version => [versionKey(version), version.reason]))
  return summary => reasons.get(versionKey(summary))
}

/** Versions by package, newest first. */
export function indexedVersions({summaries, yanked}: Found): IndexedVersion[] {
  const reasonOf = withdrawals(yanked)
  return summaries.map(summary => indexedVersion(summary, reasonOf(summary))).sort(byPackageAndVersion)
}

function indexedVersion(summary: PackageSummary, withdrawn: string | undefined): IndexedVersion {
  const {identity, tag, version, digest, permissionScope, title, category, keywords, crds} = summary
  return {
    package: identity,
    tag,
    version,
    ...present({digest}),
    ...{permissionScope, title, category, keywords},
    crds: crds.map(crd => ({name: crdName(crd), kind: crd.kind, served: crd.served})),
    ...present({withdrawn}),
  }
}

type Sorted = Pick<IndexedVersion, 'package' | 'tag' | 'digest'>

/** Orders by package, newest tag first, then by digest. */
export function byPackageAndVersion(a: Sorted, b: Sorted): number {
  return (
    compareText(a.package, b.package) ||
    compareVersions(a.tag, b.tag) ||
    compareText(a.digest ?? '', b.digest ?? '')
  )
}

interface Seen extends Pick<Found, 'unreadable'> {
  readonly yanked?: Found['yanked']
  readonly summaries: readonly Pick<PackageSummary, 'identity' | 'tag' | 'digest' | 'version'>[]
}

/**
 * Returns warnings for entries that cannot be read, for tags with several digests that are not yanked, and for digests
 * with several versions.
 */
export function indexDiagnostics({unreadable, summaries, yanked = []}: Seen): Diagnostic[] {
  const yankedNames = new Set(yanked.map(digestName))
  const digests = several(
    summaries.filter(summary => !yankedNames.has(digestName(summary))),
    ({identity, tag}) => `${identity}:${tag}`,
    ({digest = ''}) => digest,
  )
  const versions = several(
    summaries.filter(({digest}) => digest !== undefined),
    digestName,
    ({version}) => version,
  )
  const diagnostics = [
    ...unreadable.map(({identity, tag, reason}) => ({
      severity: 'warning' as const,
      rule: 'unreadable-package',
      message: `cannot read ${identity}:${tag}: ${reason}`,
      subject: {package: identity, tag},
    })),
    ...digests.map(([name, number]) => ({
      severity: 'warning' as const,
      rule: 'several-digests',
      message: `${name} has ${number} entries with different digests: the tag was moved, or an entry is wrong`,
      suggestions: [
        `Yank the wrong digest: kubectl crossplane registry index yank ${name}@sha256:DIGEST --reason TEXT --index ROOT`,
      ],
    })),
    // A package has one version, so that all other entries for its bytes are wrong.
    ...versions.map(([name, number]) => ({
      severity: 'warning' as const,
      rule: 'several-versions',
      message: `${name} has ${number} entries with different versions: all but one are wrong`,
      suggestions: [`Correct them: kubectl crossplane registry index add ${name} --index ROOT`],
    })),
  ]
  return diagnostics.sort((a, b) => compareText(a.message, b.message))
}

function digestName({
  identity,
  tag,
  digest = '',
}: Pick<PackageSummary, 'identity' | 'tag' | 'digest'>): string {
  return `${identity}:${tag}@${digest}`
}

/** Returns the names of summaries that have several values, with the number of these. */
function several<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  valueOf: (item: Item) => string,
): readonly (readonly [name: string, number: number])[] {
  return [...grouped(items, nameOf)]
    .map(([name, group]) => [name, new Set(group.map(valueOf)).size] as const)
    .filter(([, number]) => number > 1)
}
