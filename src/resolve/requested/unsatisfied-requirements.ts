import type {PackageSummary} from '../../index/package-summary.js'
import type {Dependency} from '../../unpack/package.js'
import {type Fact, factFor, factTable} from '../facts.js'
import {type CrdRequirement, type Identify, offerOf, requirementOf} from '../requirement.js'
import type {InstalledPackage} from './installed-package.js'

/** The state that requirements of installed packages are compared with. */
interface InstalledContext {
  /** Whether an install stays at its version. */
  readonly isFixed: (installed: InstalledPackage) => boolean
  /** Whether an install is no part of the resolution. */
  readonly isApart: (installed: InstalledPackage) => boolean
  readonly facts: readonly Fact[]
  readonly identify: Identify
}

/**
 * Returns the requirements of fixed installs that no install and no fact satisfies now, in the spelling of their authors:
 * what was not satisfied before need not be afterwards, so that one broken install does not stop every command.
 */
export function unsatisfiedRequirements(
  installed: ReadonlyMap<InstalledPackage, PackageSummary>,
  {isFixed, isApart, facts, identify}: InstalledContext,
): ReadonlyMap<InstalledPackage, readonly string[]> {
  const table = factTable(facts)
  const providers = [...installed]
    .filter(([installedPackage]) => !isApart(installedPackage))
    .map(([, summary]) => summary)
  return new Map(
    [...installed]
      .filter(([installedPackage]) => isFixed(installedPackage))
      .map(([installedPackage, {dependsOn}]) => {
        const accepted = (installedPackage.acceptedMismatches ?? []).map(({crd}) => crd)
        const open = dependsOn.filter(dependency => {
          const requirement = requirementOf(dependency, identify)
          return requirement.form === 'package'
            ? !providers.some(({identity}) => identity === requirement.identity)
            : factFor(requirement, table) === undefined && !isProvided(requirement, accepted, providers)
        })
        return [installedPackage, open.map(textOf)]
      }),
  )
}

function isProvided(
  requirement: CrdRequirement,
  accepted: readonly string[],
  providers: readonly PackageSummary[],
): boolean {
  const offers = providers.map(summary => offerOf(requirement, summary))
  return offers.includes('serves') || (accepted.includes(requirement.text) && offers.includes('owns'))
}

function textOf(dependency: Dependency): string {
  return 'crd' in dependency ? dependency.crd : dependency.package
}
