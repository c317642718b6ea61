import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../../diagnostic.js'
import type {PackagePorts} from '../../../locate/located-package.js'
import {type OwnedCrd, ownedCrds} from '../../../observe/core/owned-crds.js'
import {packageFiles} from '../../../package/xpkg/package-files.js'
import type {VersionChange} from '../../../plan/cluster/core/crd-gate.js'
import {moveRisks, type newHandOvers} from '../../../plan/cluster/core/move-contents.js'
import type {CoreRequest, CoreState} from '../../../plan/cluster/state/core-state.js'
import {present} from '../../../present.js'
import {revisionName} from '../../../xpkg/package-name.js'
import type {InstallPorts} from '../install.js'
import {crdsOf, type ReadableChange} from './crd-instances.js'
import {observedLosses} from './lost-uses.js'
import {judgedCrds, moveEffects} from './moved-crds.js'
import type {ReadTarget} from './read-targets.js'

/** What packages are in their new place, and why they cannot be. */
interface JudgedMoves {
  readonly begun: Parameters<typeof newHandOvers>[0]
  /** What changes with other builds. */
  readonly changes: readonly VersionChange[]
  readonly rejections: readonly Diagnostic[]
  /** Returns the warnings of a request that changes its version with the move. */
  readonly risksOf: (request: CoreRequest) => readonly Diagnostic[]
}

/** Judges packages in their new place as an upgrade to these versions. */
export async function judgeMoved(
  moved: readonly ReadTarget[],
  core: CoreState,
  {packages, coreVersion}: {readonly packages: PackagePorts; readonly coreVersion: string | undefined},
  {api, requests}: InstallPorts,
): Promise<JudgedMoves> {
  const former = moved.map(({from}) => from)
  const crds = await ownedCrds(former, core, api)
  const changes = changedCrds(moved, crds, packages)
  const judged = await judgedCrds(changes, {api, requests})
  const {losses, lossRisks} = await movedLosses(moved, core, packages, coreVersion)
  const risksOf = (request: CoreRequest) =>
    [...judged.risks, ...lossRisks].flatMap(([own, risks]) => (own === request ? risks : []))
  const begun = moved.map(async (one, order) => {
    const {stops, creates} = await stepRisks(one, crds, api)
    return {
      from: one.from,
      to: requestOf(one, order),
      risks: {stops, creates: [...risksOf(one.from), ...ownWarnings(one), ...creates]},
    }
  })
  return {
    begun: await Promise.all(begun),
    changes,
    rejections: [...judged.rejections, ...losses],
    risksOf,
  }
}

/** What changes with another build; the same bytes need no comparison. */
function changedCrds(
  moved: readonly ReadTarget[],
  crds: readonly OwnedCrd[],
  ports: PackagePorts,
): readonly ReadableChange[] {
  return moved.filter(isOtherBuild).map(({from, selected, closure}) => ({
    request: from,
    objects: selected.objects ?? [],
    files: async () => await packageFiles(selected, closure.roots, ports),
    crds: crdsOf(from, crds),
  }))
}

function isOtherBuild({from, digest}: ReadTarget): boolean {
  return from.revision !== revisionName(from.name, digest)
}

/** What the packages of the cluster still use, and the packages in their new place do not have. */
async function movedLosses(
  moved: readonly ReadTarget[],
  core: CoreState,
  packages: PackagePorts,
  coreVersion: string | undefined,
): ReturnType<typeof observedLosses> {
  const [{closure}] = moved as readonly [ReadTarget, ...ReadTarget[]]
  const leaving = moved.filter(isOtherBuild).map(({from}) => from.repository)
  const query = {packages, settings: present({coreVersion})}
  const {losses, lossRisks} = await observedLosses({closure}, core, query, leaving)
  return {losses: losses.map(withAdvice), lossRisks}
}

/** The packages that served the kind are the former ones. */
function withAdvice(loss: Diagnostic): Diagnostic {
  if (loss.rule !== 'xpkg-kind-lost') return loss
  const advice = 'Move to a version that serves it, or first change the package that composes it.'
  return {...loss, suggestions: [advice]}
}

/** What resolution says of a package in its new place; a plan has only warnings, and that its version was yanked is a note. */
function ownWarnings({repository, tag, closure: {notes}}: ReadTarget): readonly Diagnostic[] {
  return notes
    .filter(({subject}) => subject?.package === repository)
    .filter(({severity, subject}) => severity === 'warning' || subject?.tag === tag)
    .map(({rule, message}) => ({severity: 'warning', rule, message}))
}

function requestOf({name, repository, tag, digest}: ReadTarget, order: number) {
  return {name, repository, digest, order, reference: `${repository}:${tag}`}
}

async function stepRisks(
  {from, name, repository, digest, selected}: ReadTarget,
  crds: readonly OwnedCrd[],
  api: ClusterApi,
) {
  const next = new Set((selected.objects ?? []).map(object => object.name))
  const effects = await moveEffects(from, crds, next, api)
  return moveRisks(from, {name, repository, revision: revisionName(name, digest)}, effects)
}
