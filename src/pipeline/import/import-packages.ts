import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {type DeclaredSettings, withSettings} from '../../declaration/add-settings.js'
import {declarationText} from '../../declaration/add-package.js'
import type {Declaration, DeclaredPackage} from '../../declaration/declaration.js'
import {allLockChanges} from '../../declaration/lock-changes.js'
import type {Lock, LockedXpkg} from '../../declaration/lock.js'
import {EMPTY_LOCK} from '../../declaration/lock-document.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {SetDifference} from '../../health/core/set-differences.js'
import {requestFindings} from '../../health/core/request-findings.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {nameOf} from '../../kubernetes/object-key.js'
import {readObjects} from '../../observe/objects/read-live.js'
import {findHandOver, type HandOver, type SearchedFiles} from '../../plan/git/hand-over.js'
import {type ObservedLock, observeLock} from '../../observe/core/observe-lock.js'
import {readCoreVersion} from '../../observe/objects/read-core-version.js'
import type {CoreRequest, CoreState} from '../../plan/cluster/state/core-state.js'
import {
  type ImportedPackage,
  importedEntries,
  importedPackages,
  unheldFindings,
} from '../../plan/cluster/core/imported-packages.js'
import {
  type ImportChoices,
  importedPins,
  importedXpkgSettings,
  needsNoResolver,
  sameChoices,
  unresolvablePairs,
} from '../../plan/cluster/core/imported-choices.js'
import {
  type ImageConfigNames,
  imageConfigNotes,
  unpinnedFindings,
} from '../../plan/cluster/core/imported-image-configs.js'
import {importedImageFindings} from '../../plan/cluster/core/imported-image-settings.js'
import {importedMirrorNotes, importedMirrors} from '../../plan/cluster/core/imported-mirrors.js'
import type {LockProblem} from '../../plan/cluster/core/lock/lock-problems.js'
import {resolverCommand} from '../../plan/cluster/core/resolver-change.js'
import {byHand} from '../../plan/cluster/core/lock/repair-by-hand.js'
import {problemText, requestText} from '../../plan/cluster/core/lock/problem-texts.js'
import {present} from '../../present.js'
import {kubectlGet} from '../../plan/cluster/objects/object-reasons.js'
import {escaped} from '../../text.js'
import {derivedName} from '../../xpkg/package-name.js'
import {revisionName} from '../../xpkg/package-name.js'
import {lockRequest} from '../resolution/lock-request.js'
import {renderRecognized} from '../render/render-recognized.js'
import {type ReadRequest, readRequest, type RequestPorts} from '../request/read-request.js'
import type {ResolutionSettings} from '../request/request-query.js'
import {xpkgClosure} from '../../package/xpkg/closure.js'
import {differenceFindings, differencesFrom, withoutCreating} from './imported-set.js'
import {declarablePackages, readablePackages} from './readable-packages.js'
import {visibleImageConfigs, withClusterMirrors} from '../cluster/core/cluster-mirrors.js'
import type {LockReport} from '../../package/reports.js'

/** A query for the declaration of a cluster. */
export interface ImportQuery {
  /** The path of the declaration to write. */
  readonly file: string
  readonly settings: ResolutionSettings
  /** How the tree is laid out; written to the declaration. */
  readonly tree?: DeclaredSettings['tree']
  /** The files in which objects of the cluster are searched. */
  readonly files?: SearchedFiles
}

/** The declaration and the lock of what a cluster has. */
export interface ImportReport extends LockReport {
  /** The text of the declaration. */
  readonly declaration: string
  /** How the rendered tree takes objects over from other files. */
  readonly handOver?: HandOver
}

/**
 * Makes a declaration and its lock of the packages for a current Crossplane in a cluster, in the versions that it has. Their
 * content is read as for any lock; what cannot be read is left out. Throws `not-found` for a cluster without packages, and the
 * errors of `lockRequest`.
 */
export async function importPackages(
  {file, settings, tree, files}: ImportQuery,
  api: ClusterApi,
  ports: RequestPorts,
): Promise<ImportReport> {
  const {state, problems} = await readState(api)
  // In the declaration it would be there twice.
  const {coreVersion: flag, ...others} = settings
  const coreVersion = flag ?? (await readCoreVersion(api))
  const requests = withClusterMirrors(ports, api)
  const {clusterMirror = () => undefined} = (await requests.packages()).remote
  const all = importedPackages(state, duplicatesIn(state, problems))
  const declarable = declarablePackages(all)
  const registries = importedMirrors(
    declarable.map(({repository}) => repository),
    clusterMirror,
  )
  const declared = {...present({coreVersion}), ...(Object.keys(registries).length === 0 ? {} : {registries})}
  const query = {kind: 'declaration', file, settings: others} as const
  const read = async (text: string) => await readRequest(query, withDeclaration(requests, text))
  const request = await read(declarationText(declarable.map(draftEntry), declared))
  const {packages, findings, unread} = await readablePackages(all, request.packages)
  const {budget} = request.policy
  const roots = packages.map(one => ({...one, name: one.request.name}))
  const exact = await xpkgClosure(
    {roots, budget, isInstalled: true, ...present({coreVersion})},
    request.packages,
  )
  const imageConfigs = await visibleImageConfigs(api)
  const source = {packages, contents: exact.locked, declared, coreVersion, read, file, api, imageConfigs}
  const {declaration, report, objects, differences, names} = await declaredSet(source)
  const handOver = files && findHandOver(files, objects, await readObjects(objects.map(nameOf), api))
  const notes = [
    ...report.notes,
    ...lockFindings(state, problems),
    ...findings,
    // What cannot be read is not installed for the same reason.
    ...requestFindings(state).filter(
      ({rule, subject}) => rule !== 'import-unhealthy' || !unread.has(subject?.package ?? ''),
    ),
    ...state.requests.flatMap(unheldFindings),
    ...contentFindings(packages, state, report.lock.xpkgs ?? [], imageConfigs),
    ...unpinnedFindings(packages.map(({request}) => request)),
    ...imageConfigNotes(imageConfigs, names),
    ...importedMirrorNotes(
      packages.map(({repository}) => repository),
      clusterMirror,
    ),
    ...resolverFindings(packages, exact.locked),
    ...differenceFindings(differences),
  ]
  // The versions of the cluster are no earlier lock.
  const changes = allLockChanges(undefined, report.lock)
  return {...report, changes, declaration: withTree(declaration, tree, file), notes, ...present({handOver})}
}

/** The layout decides about files of the tree, and not about what is requested. */
function withTree(declaration: string, tree: DeclaredSettings['tree'], name: string): string {
  if (tree === undefined) return declaration
  const settings = {render: {}, assume: [], owners: [], tree}
  return withSettings({name, bytes: Buffer.from(declaration)}, settings)
}

/** What a declaration is made of. */
interface ImportSource {
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
interface DeclaredSet {
  readonly declaration: string
  readonly report: LockReport
  readonly objects: readonly KubernetesObject[]
  readonly differences: readonly SetDifference[]
  readonly isPinning: boolean
}

/** Without a limit, choices that do not settle would be tried for ever. */
const MAX_ROUNDS = 4

/** Renders the declaration, and leaves to the cluster what it would create, until nothing more can be left. */
async function declaredSet(source: ImportSource): Promise<DeclaredSet & {readonly names: ImageConfigNames}> {
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

function resolverFindings(
  packages: readonly ImportedPackage[],
  contents: readonly LockedXpkg[],
): readonly Diagnostic[] {
  return unresolvablePairs(packages, contents).map(({required, by}): Diagnostic => ({
    severity: 'warning',
    rule: 'import-resolver',
    message: `${requestText(required.request)} is required by ${requestText(by.request)}, and Crossplane would request it once more when it is upgraded: the declaration has resolver: off, with which such names are safe once the cluster was changed to it`,
    subject: {package: required.repository},
    suggestions: [resolverCommand('off'), ...renaming(required.request)],
  }))
}

/** With the name that Crossplane derives, a package is safe with the resolver, too. */
function renaming(request: CoreRequest): readonly string[] {
  return byHand({kind: 'name', request, derived: derivedName(request.repository)})
}

/** Only what is read tells which of them the declaration has to name. */
function draftEntry({request: {reference}}: ImportedPackage): DeclaredPackage {
  return {package: reference, parameters: {imagePullSecrets: [], serviceAccountAnnotations: {}}}
}

/** The core has not read the tag of the request. */
function isRewritten({repository}: ImportedPackage, findings: readonly Diagnostic[]): boolean {
  return findings.some(({rule, subject}) => rule === 'import-rewrite' && subject?.package === repository)
}

async function readState(api: ClusterApi): Promise<ObservedLock> {
  const observed = await observeLock(api)
  if (observed === undefined) {
    const message = 'cannot import packages: the cluster does not serve Providers of pkg.crossplane.io'
    throw new CrossplaneError('not-found', message, {
      suggestions: ['Install Crossplane in the cluster, or select another one with --context.'],
    })
  }
  if (observed.state.requests.length > 0) return observed
  throw new CrossplaneError(
    'not-found',
    'cannot import packages: the cluster has none for a current Crossplane',
    {suggestions: ['kubectl get providers,functions,configurations']},
  )
}

/** Returns the requests that another one for the same repository is kept for: as a repair would, or else the first one. */
function duplicatesIn({requests}: CoreState, problems: readonly LockProblem[]): readonly CoreRequest[] {
  const repaired = problems.flatMap(problem => (problem.kind === 'requests' ? problem.others : []))
  const left = requests.filter(request => !repaired.includes(request))
  const isFirst = (request: CoreRequest) =>
    left.find(({repository}) => repository === request.repository) === request
  return [...repaired, ...left.filter(request => !isFirst(request))]
}

/** A poisoned Lock stops all packages: nothing that is installed changes until it is repaired. */
function lockFindings(state: CoreState, problems: readonly LockProblem[]): readonly Diagnostic[] {
  const poison = problems.filter(({kind}) => kind !== 'name')
  const inLock = problems.flatMap(problem => (problem.kind === 'requests' ? problem.others : []))
  const others = duplicatesIn(state, problems).filter(request => !inLock.includes(request))
  return [
    ...poison.map((problem): Diagnostic => ({
      severity: 'warning',
      rule: problem.kind === 'requests' ? 'import-duplicate' : 'import-lock',
      message: problemText(problem),
      suggestions: problem.kind === 'move' ? byHand(problem) : ['kubectl crossplane doctor --repair'],
    })),
    ...others.map((request): Diagnostic => ({
      severity: 'warning',
      rule: 'import-duplicate',
      message: `${requestText(request)} is left out of the files: ${escaped(request.repository)} has another request`,
      subject: {package: request.repository},
      suggestions: [kubectlGet(nameOf(request.object))],
    })),
  ]
}

/** The file that does not exist yet is read like any other. */
function withDeclaration(ports: RequestPorts, text: string): RequestPorts {
  const {inputs} = ports
  return {
    ...ports,
    inputs: {
      ...inputs,
      read: async (name, flag) =>
        flag === '--declaration' ? {name, bytes: Buffer.from(text)} : await inputs.read(name, flag),
    },
  }
}

/** Returns how the content that the lock has differs from what the cluster runs. */
function contentFindings(
  packages: readonly ImportedPackage[],
  state: CoreState,
  locked: NonNullable<Lock['xpkgs']>,
  imageConfigs: readonly KubernetesObject[],
): readonly Diagnostic[] {
  const images = importedImageFindings(state.requests, imageConfigs, locked)
  const read = packages.filter(one => !isRewritten(one, images))
  return [...images, ...movedTags(read, locked, state), ...missingFindings(locked, packages)]
}

/** The name of a revision has the start of the digest that is installed. */
function movedTags(
  packages: readonly ImportedPackage[],
  locked: NonNullable<Lock['xpkgs']>,
  {revisions}: CoreState,
): readonly Diagnostic[] {
  return packages.flatMap(({request, repository, version}): readonly Diagnostic[] => {
    const {kind, name} = request
    const digest = locked.find(xpkg => xpkg.repository === repository)?.digest
    const active = revisions.find(
      revision => revision.kind === kind && revision.request === name && revision.isActive,
    )
    if (digest === undefined || active === undefined || active.name === revisionName(name, digest)) return []
    const message = `${requestText(request)} runs ${escaped(active.name)}, but ${escaped(repository)}:${escaped(version)} is now ${digest}: the tag was moved after it was installed`
    return [{severity: 'warning', rule: 'import-content', message, subject: {package: repository}}]
  })
}

function missingFindings(
  locked: NonNullable<Lock['xpkgs']>,
  packages: readonly ImportedPackage[],
): readonly Diagnostic[] {
  return locked
    .filter(({repository}) => !packages.some(other => other.repository === repository))
    .map(({repository}) => ({
      severity: 'warning',
      rule: 'import-missing',
      message: `${escaped(repository)} is required and has no request in the cluster: it is added`,
      subject: {package: repository},
    }))
}
