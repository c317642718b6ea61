import type {OwnedCrd} from '../index/package-summary.js'
import type {Inspection} from '../package/reports.js'
import {type Fact, factFor, factTable} from '../resolve/facts.js'
import {type CrdRequirement, type Offer, offerOf, parseCrdRequirement} from '../resolve/requirement.js'
import {CONSTRAINT_RULES} from '../xpkg/constraints/constraint-rules.js'
import {readConstraint, satisfies} from '../xpkg/constraints/constraint.js'
import {readVersion} from '../xpkg/constraints/version.js'
import {present} from '../present.js'
import {assumedFacts} from './request/assumed-facts.js'

/** What a version of a package requires: a package, or a CRD that may exist without one. */
export type CatalogRequirement =
  | {readonly form: 'package'; readonly package: string; readonly constraint: string}
  | (CrdRequirement & {readonly exists?: Fact['origin']})

/** What of a version decides whether it satisfies a requirement. */
export interface OfferingVersion {
  readonly version: string
  readonly digest?: string
  readonly crds: readonly Pick<OwnedCrd, 'group' | 'kind' | 'plural' | 'served' | 'singular'>[]
}

const FACTS = factTable(assumedFacts({crds: [], files: [], crossplane: 'v0.12'}))

/** Returns what a version requires, with the facts that `package tree` satisfies it by. */
export function catalogRequirements({kind, report}: Inspection): readonly CatalogRequirement[] {
  if (kind === 'XpkgReport')
    return report.requires.map(({package: name, version}) => ({
      form: 'package',
      package: name,
      constraint: version,
    }))
  return report.requires.map(({package: name, crd = ''}) => {
    if (name !== undefined) return {form: 'package', package: name, constraint: ''}
    const requirement = parseCrdRequirement(crd)
    return {...requirement, ...present({exists: factFor(requirement, FACTS)?.origin})}
  })
}

/** Returns the degree to which a version satisfies a requirement; of a package that is required, any version `owns`. */
export function catalogOffer(requirement: CatalogRequirement, version: OfferingVersion): Offer {
  if (requirement.form === 'crd') return offerOf(requirement, version)
  return isAccepted(requirement.constraint, version) ? 'serves' : 'owns'
}

/** A constraint holds only if both rules that a Crossplane can have accept the version. */
function isAccepted(constraint: string, {version, digest}: OfferingVersion): boolean {
  if (constraint === '' || constraint === digest) return true
  return CONSTRAINT_RULES.every(rules => {
    const [range, own] = [readConstraint(constraint, rules), readVersion(version, rules)]
    return range !== undefined && own !== undefined && satisfies(range, own)
  })
}
