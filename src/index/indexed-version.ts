import type {Diagnostic} from '../diagnostic.js'
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
  const digests = new Map<string, Set<string>>()
  const yankedNames = new Set(yanked.map(({identity, tag, digest}) => `${identity}:${tag}@${digest}`))
  for (const {identity, tag, digest = ''} of summaries) {
    const name = `${identity}:${tag}`
    if (yankedNames.has(`${name}@${digest}`)) continue
    digests.set(name, (digests.get(name) ?? new Set()).add(digest))
  }
  const several = [...digests].filter(([, value]) => value.size > 1)
  const diagnostics = [
    ...unreadable.map(({identity, tag, reason}) => ({
      severity: 'warning' as const,
      rule: 'unreadable-package',
      message: `cannot read ${identity}:${tag}: ${reason}`,
      subject: {package: identity, tag},
    })),
    ...several.map(([name, value]) => ({
      severity: 'warning' as const,
      rule: 'several-digests',
      message: `${name} has ${value.size} entries with different digests: the tag was moved, or an entry is wrong`,
      suggestions: [
        `Yank the wrong digest: kubectl crossplane registry index yank ${name}@sha256:DIGEST --reason TEXT --index ROOT`,
      ],
    })),
  ]
  return [...diagnostics, ...severalVersions(summaries)].sort((a, b) => compareText(a.message, b.message))
}

/** A package has one version, so that all other entries for its bytes are wrong. */
function severalVersions(summaries: Seen['summaries']): Diagnostic[] {
  const versions = new Map<string, Set<string>>()
  for (const {identity, tag, digest, version} of summaries) {
    if (digest === undefined) continue
    const name = `${identity}:${tag}@${digest}`
    versions.set(name, (versions.get(name) ?? new Set()).add(version))
  }
  return [...versions]
    .filter(([, value]) => value.size > 1)
    .map(([name, value]) => ({
      severity: 'warning',
      rule: 'several-versions',
      message: `${name} has ${value.size} entries with different versions: all but one are wrong`,
      suggestions: [`Correct them: kubectl crossplane registry index add ${name} --index ROOT`],
    }))
}
