import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {declarationText} from '../../declaration/add-package.js'
import type {Declaration} from '../../declaration/declaration.js'
import type {LockedXpkg} from '../../declaration/lock.js'
import {EMPTY_LOCK} from '../../declaration/lock-document.js'
import type {SetDifference} from '../../health/core/set-differences.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {type ImportedPackage, importedEntries} from '../../plan/cluster/core/imported-packages.js'
import {
  type ImportChoices,
  importedPins,
  importedXpkgSettings,
  needsNoResolver,
  sameChoices,
} from '../../plan/cluster/core/imported-choices.js'
import type {ImageConfigNames} from '../../plan/cluster/core/imported-image-configs.js'
import {lockRequest} from '../resolution/lock-request.js'
import {renderRecognized} from '../render/render-recognized.js'
import type {ReadRequest} from '../request/read-request.js'
import {differencesFrom, withoutCreating} from './imported-set.js'
import type {LockReport} from '../../package/reports.js'

/** What a declaration is made of. */
export interface ImportSource {
  readonly packages: readonly ImportedPackage[]
  readonly contents: readonly LockedXpkg[]
  readonly declared: Partial<Pick<Declaration, 'coreVersion' | 'registries'>>
  readonly coreVersion: string | undefined
  /** Reads the text of a declaration like a file. */
  readonly read: (text: string) => Promise<ReadRequest>
  readonly file: string
  readonly api: ClusterApi
  readonly imageConfigs: readonly KubernetesObject[]
}

/** A declaration with its lock, and what applying its rendered set would change in the cluster. */
export interface DeclaredSet {
  readonly declaration: string
  readonly report: LockReport
  readonly objects: readonly KubernetesObject[]
  readonly differences: readonly SetDifference[]
  readonly isPinning: boolean
}

/** Without a limit, choices that do not settle would be tried for ever. */
const MAX_ROUNDS = 4

/** Renders the declaration, and leaves to the cluster what it would create, until nothing more can be left. */
export async function declaredSet(
  source: ImportSource,
): Promise<DeclaredSet & {readonly names: ImageConfigNames}> {
  const {packages, contents, declared, imageConfigs} = source
  const cluster = {imageConfigs, requests: packages.map(({request}) => request)}
  let choices: ImportChoices = {
    isUnresolved: needsNoResolver(packages, contents),
    activatesNone: false,
    hasMirrors: declared.registries !== undefined,
    imageConfigs: {},
  }
  for (let round = 1; ; round += 1) {
    const set = await declaredWith(choices, source)
    const next = withoutCreating(choices, set.differences, cluster, set.isPinning)
    if (round === MAX_ROUNDS || sameChoices(next, choices)) return {...set, names: choices.imageConfigs}
    choices = next
  }
}

async function declaredWith(choices: ImportChoices, source: ImportSource): Promise<DeclaredSet> {
  const {packages, contents, declared, coreVersion, read, file, api} = source
  const {pin, own} = importedPins(
    packages.map(({request}) => request),
    choices,
  )
  const entries = importedEntries(packages, contents, coreVersion, own)
  const declaration = declarationText(entries, {...declared, xpkg: importedXpkgSettings(choices, pin)})
  const request = await read(declaration)
  const seed = {name: file, upgraded: [], otherwise: 'take', remedy: ''} as const
  const report = await lockRequest(request, {...seed, lock: {...EMPTY_LOCK, xpkgs: contents}})
  const policy = {...request.policy, lock: {...seed, lock: report.lock}}
  const choicesOfFlags = {choices: {flags: {}, defaults: {}, tree: {}}, settings: {}}
  const {xpkgs} = await renderRecognized({...request, policy}, choicesOfFlags)
  const objects = (xpkgs?.objects ?? []).map(({object}) => object)
  const isPinning = pin === 'config' || [...own.values()].includes('config')
  return {declaration, report, objects, differences: await differencesFrom(objects, api), isPinning}
}
