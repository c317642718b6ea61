import type {Diagnostic} from '../../diagnostic.js'
import {coreCrd} from '../../render/core-crds.js'
import {type CoreKind, coreKindsOf} from '../../render/core-kinds.js'
import {type Era, eraOf} from '../../render/era.js'
import type {SetObject} from '../../render/install-set.js'
import type {ResolutionPolicy} from '../../resolve/packages/resolution-policy.js'
import type {InstalledState} from '../../resolve/requested/installed-package.js'
import type {Resolution, SatisfiedRequirement} from '../../resolve/resolution.js'
import {listSome} from '../../text.js'
import {crdName} from '../../index/package-summary.js'
import {coreFact} from '../../pipeline/request/assumed-facts.js'
import type {RenderChoices} from '../../render/render-part.js'

/** The API group of the packages of a current Crossplane. */
const CORE_GROUP = 'pkg.crossplane.io'

/**
 * Returns the policy for a cluster: the CRDs that it serves take the place of Crossplane's, and with the base also
 * those that the base creates.
 */
export function clusterPolicy<Settings extends ResolutionPolicy>(
  policy: Settings,
  installed: InstalledState,
  choices: Pick<RenderChoices, 'base' | 'era'>,
): Settings {
  const created = choices.base ? missingKinds(policy, installed, choices) : []
  return {
    ...policy,
    installed,
    facts: [...policy.facts.filter(({origin}) => origin !== 'crossplane'), ...created.map(coreFact)],
    crossplane: {...policy.crossplane, target: targetOf(installed, choices)},
  }
}

function targetOf(
  {served}: Pick<InstalledState, 'served'>,
  {base}: Pick<RenderChoices, 'base'>,
): 'cluster' | 'cluster-with-base' | 'cluster-with-core' {
  if (base) return 'cluster-with-base'
  return served.some(({group}) => group === CORE_GROUP) ? 'cluster-with-core' : 'cluster'
}

/** The kinds of the release and of the era that the cluster does not serve. */
function missingKinds(
  {crossplane}: Pick<ResolutionPolicy, 'crossplane'>,
  {served}: Pick<InstalledState, 'served'>,
  {era}: Pick<RenderChoices, 'era'>,
): readonly CoreKind[] {
  const isServed = new Set(served.map(crdName))
  const isOtherRelease = ({group, version}: CoreKind) =>
    served.some(fact => fact.group === group && fact.served?.includes(version) === false)
  return (coreKindsOf(crossplane.version) ?? []).filter(kind => {
    const isCreated = (eraOfKind(kind) ?? era).name === era.name
    return isCreated && !isServed.has(crdName(kind)) && !isOtherRelease(kind)
  })
}

function eraOfKind({group, version}: CoreKind): Era | undefined {
  return eraOf(`${group}/${version}`)
}

/** The rule of the note on CRDs that Crossplane is assumed to provide: here the base creates them. */
export const ASSUMED_RULE = 'assumed-crossplane'

/** The CRDs of Crossplane that a set creates, and the note on them. */
interface CoreCrds {
  readonly objects: readonly SetObject[]
  readonly notes: readonly Diagnostic[]
}

/**
 * Returns the CRDs of Crossplane itself that packages require and a cluster lacks, with whole groups: a controller
 * that watches one kind of a group watches others too. The era's own kinds are part of the base.
 */
export function requiredCoreCrds(
  {packages, roots}: Pick<Resolution, 'packages' | 'roots'>,
  policy: ResolutionPolicy,
  choices: Pick<RenderChoices, 'base' | 'era'>,
): CoreCrds {
  if (policy.installed === undefined || !choices.base) return {objects: [], notes: []}
  const groups = new Set(
    [...roots, ...packages.flatMap(({requirements}) => requirements)].flatMap(groupOfFact),
  )
  const owned = new Set(packages.flatMap(({summary}) => summary.crds.map(crdName)))
  const kinds = missingKinds(policy, policy.installed, choices).filter(
    kind => groups.has(kind.group) && !owned.has(crdName(kind)) && eraOfKind(kind) === undefined,
  )
  return {
    objects: kinds.map(kind => ({phase: 'crds', shared: 'base', object: coreCrd(kind)})),
    notes: kinds.length === 0 ? [] : [coreNote(kinds)],
  }
}

function groupOfFact({by}: SatisfiedRequirement): string[] {
  return by.kind === 'fact' ? [by.fact.group] : []
}

function coreNote(kinds: readonly CoreKind[]): Diagnostic {
  const message = `CRDs of Crossplane itself are created without validation, because the cluster has no Crossplane that provides them: ${listSome(kinds.map(crdName))}`
  return {severity: 'note', rule: 'crossplane-crds', message}
}
