import type {Diagnostic} from '../../diagnostic.js'
import {compareText} from '../../reference/compare-text.js'
import {activationPolicies} from './activation-policy.js'
import {checkPin} from './check-pin.js'
import {checkNames} from './check-names.js'
import type {Closure} from './closure.js'
import {pinningImageConfig} from './image-config.js'
import {mirrorImageConfigs} from './mirror-image-configs.js'
import {withNamesOfCluster} from './named-image-configs.js'
import {type PinnedPackage, pinnedPackage} from './pinned-package.js'
import {requestObject} from './request-object.js'
import {runtimeConfig} from './runtime-config.js'
import {setWarnings} from './set-warnings.js'
import {stagesOf} from './stages.js'
import type {XpkgSet, XpkgSetObject} from './xpkg-set.js'
import type {XpkgSettings} from './xpkg-settings.js'

/**
 * Renders the requests for a package and everything that it requires, under names with which Crossplane adds none. The same
 * inputs give the same set on every machine. Throws as `checkPin` and `checkNames` do.
 * @param conflicts - what keeps Crossplane's resolver from installing the packages together.
 */
export function renderXpkgs(
  closure: Closure,
  settings: XpkgSettings,
  conflicts: readonly Diagnostic[],
): XpkgSet {
  checkPin(closure, settings, conflicts)
  checkNames(closure, settings)
  const {names} = closure
  const stages = stagesOf(closure.packages)
  const pinned = closure.packages.map(selected =>
    pinnedPackage(selected, names.get(selected.repository) ?? '', settings),
  )
  const objects = pinned.flatMap(one =>
    objectsOf(one, {stage: stages.get(one.selected.repository) ?? 1, place: placeName(one, names)}, settings),
  )
  const {coreVersion, activation = 'all', mirrors, imageConfigs = {}} = settings
  const mirrorConfigs = mirrorImageConfigs(pinned, mirrors ?? {})
  const name = names.get(closure.roots[0]?.repository ?? '') ?? ''
  const {policies, warnings} = activationPolicies(closure.packages, activation, {name, coreVersion})
  const prepared = [...policies, ...mirrorConfigs].map(object => ({stage: 0, object}))
  return {
    objects: [...withNamesOfCluster([...prepared, ...objects], imageConfigs)].sort(inStages),
    warnings: [
      ...setWarnings(closure, pinned, settings),
      ...warnings,
      ...(mirrors !== undefined && mirrorConfigs.length === 0 ? [NO_MIRROR] : []),
    ],
  }
}

const NO_MIRROR: Diagnostic = {
  severity: 'warning',
  rule: 'xpkg-no-mirror',
  message: 'xpkg.mirrors has no effect: no entry of registries in the declaration is for these packages',
}

/** The name of the objects that a request needs: packages of several kinds can have the same name. */
function placeName({name, selected: {kind}}: PinnedPackage, names: Closure['names']): string {
  const isShared = [...names.values()].filter(other => other === name).length > 1
  return isShared ? `${name}-${kind.toLowerCase()}` : name
}

interface PlacedPackage {
  readonly stage: number
  readonly place: string
}

function objectsOf(
  one: PinnedPackage,
  {stage, place}: PlacedPackage,
  settings: XpkgSettings,
): readonly XpkgSetObject[] {
  const {selected, rewrittenTo} = one
  const own = settings.own?.get(selected.repository) ?? {}
  const runtime = runtimeConfig({selected, name: place}, own, settings.coreVersion)
  return [
    ...(rewrittenTo === undefined
      ? []
      : [{stage: 0, object: pinningImageConfig(one, place, rewrittenTo), fileName: place}]),
    ...(runtime === undefined ? [] : [{stage: 0, object: runtime}]),
    {stage, object: requestObject(one, settings, runtime?.metadata.name)},
  ]
}

const KINDS = [
  'ImageConfig',
  'DeploymentRuntimeConfig',
  'ManagedResourceActivationPolicy',
  'Provider',
  'Function',
  'Configuration',
]

/** Compares objects of a set by the order in which a cluster needs them. */
export function inStages(a: XpkgSetObject, b: XpkgSetObject): number {
  return (
    a.stage - b.stage ||
    KINDS.indexOf(a.object.kind) - KINDS.indexOf(b.object.kind) ||
    compareText(a.object.metadata.name, b.object.metadata.name)
  )
}
