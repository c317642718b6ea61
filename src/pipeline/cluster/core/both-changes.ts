import type {SourcePolicy} from '../../../resolve/packages/resolution-policy.js'
import {expectFew} from '../../../resolve/packages/source-policy.js'
import type {Decision} from '../cluster-change.js'
import type {PackagesChange} from './change-packages.js'

/**
 * Joins two changes of one cluster, of packages of either format, to one plan: it is confirmed and applied as a whole. Throws
 * `policy-refused` for more packages than a policy allows.
 */
export function bothChanges(
  first: PackagesChange,
  second: PackagesChange,
  teams?: readonly SourcePolicy[],
): PackagesChange {
  expectFew([...(first.identities ?? []), ...(second.identities ?? [])], teams)
  return {
    set: {warnings: [...first.set.warnings, ...second.set.warnings]},
    notes: [...first.notes, ...second.notes],
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
