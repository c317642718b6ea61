import type {PackageIndex} from '../index/package-index.js'
import {crdName} from '../index/package-summary.js'
import type {UnreadablePackage} from '../index/summaries.js'
import {present} from '../present.js'
import {parseCrdName} from '../reference/install-target.js'
import {byPackageAndVersion, withdrawals} from '../index/indexed-version.js'
import {parseCrdRequirement, matchingCrds} from '../resolve/requirement.js'
import {crossplaneReleaseOf} from '../package/existing-crd.js'
import type {XpkgKind} from '../xpkg/content/object-kinds.js'
import {compareText} from '../reference/compare-text.js'

/** The versions of packages that own a CRD. */
export interface ProvidesReport {
  readonly crd: string
  /** By package, newest first. */
  readonly providers: readonly Provider[]
  readonly unreadable: readonly UnreadablePackage[]
  /** The newest release of Crossplane that provides the CRD itself, if one does. */
  readonly crossplane?: string
}

interface Provider {
  readonly package: string
  readonly tag: string
  readonly version: string
  readonly digest?: string
  /** The kind of a package for a current Crossplane. */
  readonly xpkg?: XpkgKind
  readonly name: string
  readonly kind: string
  readonly scope: string
  readonly served: readonly string[]
  readonly stored: string
  /** Whether it serves the given version; true if none is given. */
  readonly serves: boolean
  /** The reason why its publisher yanked it. */
  readonly withdrawn?: string
}

/** Lists the versions that own a CRD; `*` stands for any resource of the group. */
export async function provides(name: string, index: PackageIndex): Promise<ProvidesReport> {
  const crd = parseCrdName(name.replace(/^crd:/, ''))
  const requirement = parseCrdRequirement(crd)
  const {summaries, unreadable, yanked} = await index.ofGroup(requirement.group)
  const reasonOf = withdrawals(yanked)
  const crossplane = crossplaneReleaseOf(requirement)
  const providers = summaries.flatMap(summary =>
    matchingCrds(requirement, summary.crds).map(owned => {
      const withdrawn = reasonOf(summary)
      return {
        package: summary.identity,
        tag: summary.tag,
        version: summary.version,
        ...present({digest: summary.digest, xpkg: summary.xpkg}),
        name: crdName(owned),
        kind: owned.kind,
        scope: owned.scope,
        served: owned.served,
        stored: owned.stored,
        serves: requirement.version === undefined || owned.served.includes(requirement.version),
        ...present({withdrawn}),
      }
    }),
  )
  return {
    crd,
    providers: providers.sort((a, b) => byPackageAndVersion(a, b) || compareText(a.name, b.name)),
    unreadable,
    ...present({crossplane}),
  }
}
