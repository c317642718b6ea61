import type {Diagnostic} from '../../diagnostic.js'
import type {FormatName} from '../../locate/expect-format.js'
import type {SourcePolicy} from '../../resolve/packages/resolution-policy.js'
import {expectFew} from '../../resolve/packages/source-policy.js'
import type {ClusterChange, Decision} from './cluster-change.js'

/** A change by packages of one format or of all, with what is to be said of it. */
export interface PackagesChange extends ClusterChange {
  readonly set: {readonly warnings: readonly Diagnostic[]}
  readonly notes: readonly Diagnostic[]
  /** The formats of the packages; absent for packages with `.registry/`. */
  readonly formats?: readonly FormatName[]
}

/**
 * Joins the changes of packages of all formats to one plan, which is confirmed and applied as a whole. Throws `policy-refused` for
 * more packages than a policy allows.
 */
export function joinedChanges(
  [first, ...others]: readonly PackagesChange[],
  teams?: readonly SourcePolicy[],
): PackagesChange {
  if (first === undefined) throw new RangeError('no format has packages')
  return others.reduce((before, change) => bothChanges(before, change, teams), first)
}

function bothChanges(
  first: PackagesChange,
  second: PackagesChange,
  teams: readonly SourcePolicy[] | undefined,
): PackagesChange {
  const identities = [...(first.identities ?? []), ...(second.identities ?? [])]
  expectFew(identities, teams)
  return {
    set: {warnings: [...first.set.warnings, ...second.set.warnings]},
    notes: [...first.notes, ...second.notes],
    identities,
    decision: bothDecisions(first.decision, second.decision),
    formats: first.identities?.length === 0 ? ['xpkg'] : ['stack', 'xpkg'],
    decide: async () => bothDecisions(await first.decide(), await second.decide()),
  }
}

function bothDecisions(first: Decision, second: Decision): Decision {
  const {plan, snapshot} = second
  return {
    ...first,
    signerChanges: [...(first.signerChanges ?? []), ...(second.signerChanges ?? [])],
    plan: {
      ...first.plan,
      operations: [...first.plan.operations, ...plan.operations],
      unchanged: first.plan.unchanged + plan.unchanged,
      rejections: [...first.plan.rejections, ...plan.rejections],
      ...bothImpacts(first, second),
    },
    snapshot: {
      ...first.snapshot,
      live: new Map([...first.snapshot.live, ...snapshot.live]),
      dryRuns: new Map([...first.snapshot.dryRuns, ...snapshot.dryRuns]),
    },
  }
}

function bothImpacts({plan: {impact: a}}: Decision, {plan: {impact: b}}: Decision) {
  if (a === undefined || b === undefined) return {...(a && {impact: a}), ...(b && {impact: b})}
  return {impact: {crds: [...a.crds, ...b.crds], dependents: [...a.dependents, ...b.dependents]}}
}
