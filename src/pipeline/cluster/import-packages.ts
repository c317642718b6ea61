import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {declarationText} from '../../declaration/add-package.js'
import type {Declaration, DeclaredPackage} from '../../declaration/declaration.js'
import {allLockChanges} from '../../declaration/lock-changes.js'
import type {Lock} from '../../declaration/lock.js'
import {EMPTY_LOCK} from '../../declaration/lock-document.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {requestFindings} from '../../health/core/request-findings.js'
import {nameOf} from '../../kubernetes/object-key.js'
import {type ObservedLock, observeLock} from '../../observe/core/observe-lock.js'
import {readCoreVersion} from '../../observe/core/read-core-version.js'
import type {CoreRequest, CoreState} from '../../plan/cluster/core/core-state.js'
import {
  type ImportedPackage,
  importedEntries,
  importedPackages,
  importedPin,
  requestPin,
  unheldFindings,
} from '../../plan/cluster/core/imported-packages.js'
import {importedImageFindings} from '../../plan/cluster/core/imported-image-settings.js'
import {importedMirrorNotes, importedMirrors} from '../../plan/cluster/core/imported-mirrors.js'
import type {LockProblem} from '../../plan/cluster/core/lock/lock-problems.js'
import {problemText, requestText} from '../../plan/cluster/core/lock/problem-texts.js'
import {present} from '../../present.js'
import type {Mirrors} from '../../reference/mirrors.js'
import {kubectlGet} from '../../plan/cluster/objects/object-reasons.js'
import {escaped, listNames, plural} from '../../text.js'
import type {XpkgPin} from '../../xpkg/pins.js'
import {revisionName} from '../../xpkg/package-name.js'
import {lockRequest} from '../lock-request.js'
import {declaredInstall, readRequest, type RequestPorts} from '../request/read-request.js'
import type {ResolutionSettings} from '../request/request-query.js'
import {xpkgClosure} from '../../package/xpkg/closure.js'
import {readablePackages} from './core/readable-packages.js'
import {visibleImageConfigs, withClusterMirrors} from './core/cluster-mirrors.js'
import type {LockReport} from '../../package/reports.js'

/** A query for the declaration of a cluster. */
interface ImportQuery {
  /** The path of the declaration to write. */
  readonly file: string
  readonly settings: ResolutionSettings
}

/** The declaration and the lock of what a cluster has. */
export interface ImportReport extends LockReport {
  /** The text of the declaration. */
  readonly declaration: string
}

/**
 * Makes a declaration and its lock of the packages for a current Crossplane in a cluster, in the versions that it has. Their
 * content is read as for any lock; what cannot be read is left out. Throws `not-found` for a cluster without packages, and the
 * errors of `lockRequest`.
 */
export async function importPackages(
  {file, settings}: ImportQuery,
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
  const mirrors = mirrorSettings(
    importedMirrors(
      all.map(({repository}) => repository),
      clusterMirror,
    ),
  )
  const declared = {...present({coreVersion}), ...mirrors}
  const query = {kind: 'declaration', file, settings: others} as const
  const draft = declarationText(all.map(draftEntry), declared)
  const request = await readRequest(query, withDeclaration(requests, draft))
  const {packages, findings} = await readablePackages(all, request.packages)
  const {budget} = request.policy
  const exact = await xpkgClosure(
    {roots: packages, budget, isInstalled: true, ...present({coreVersion})},
    request.packages,
  )
  const lock: Lock = {...EMPTY_LOCK, xpkgs: exact.locked}
  const seed = {name: file, lock, upgraded: [], otherwise: 'take', remedy: ''} as const
  const entries = importedEntries(packages, exact.locked, coreVersion)
  const report = await lockRequest({...request, requested: entries.map(declaredInstall)}, seed)
  const pin = importedPin(state.requests)
  const declaration = declarationText(entries, {...declared, xpkg: {...declared.xpkg, pin}})
  const notes = [
    ...report.notes,
    ...lockFindings(state, problems),
    ...findings,
    ...requestFindings(state.requests),
    ...state.requests.flatMap(unheldFindings),
    ...(await contentFindings(packages, state, report.lock.xpkgs ?? [], api)),
    ...importedMirrorNotes(
      packages.map(({repository}) => repository),
      clusterMirror,
    ),
    ...pinNotes(state, pin),
  ]
  // The versions of the cluster are no earlier lock.
  const changes = allLockChanges(undefined, report.lock)
  return {...report, changes, declaration, notes}
}

/** Only what is read tells which of them the declaration has to name. */
function draftEntry({request: {reference}}: ImportedPackage): DeclaredPackage {
  return {package: reference, parameters: {imagePullSecrets: [], serviceAccountAnnotations: {}}}
}

/** The core has not read the tag of the request. */
function isRewritten({repository}: ImportedPackage, findings: readonly Diagnostic[]): boolean {
  return findings.some(({rule, subject}) => rule === 'import-rewrite' && subject?.package === repository)
}

function mirrorSettings(
  registries: Mirrors,
): Pick<Declaration, 'xpkg'> & Partial<Pick<Declaration, 'registries'>> {
  return Object.keys(registries).length === 0 ? {} : {registries, xpkg: {mirrors: true}}
}

async function readState(api: ClusterApi): Promise<ObservedLock> {
  const observed = await observeLock(api)
  if (observed !== undefined && observed.state.requests.length > 0) return observed
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
      suggestions: ['kubectl crossplane doctor --repair --dry-run=server'],
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
async function contentFindings(
  packages: readonly ImportedPackage[],
  state: CoreState,
  locked: NonNullable<Lock['xpkgs']>,
  api: ClusterApi,
): Promise<readonly Diagnostic[]> {
  const images = importedImageFindings(state.requests, await visibleImageConfigs(api), locked)
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

function pinNotes({requests}: CoreState, pin: XpkgPin): readonly Diagnostic[] {
  const others = requests.filter(request => ![pin, undefined].includes(requestPin(request)))
  if (others.length === 0) return []
  const message = `${listNames(others.map(requestText))} ${plural(others.length, 'is', 'are')} not pinned as most packages are, by ${pin}: rendered, they are`
  return [{severity: 'warning', rule: 'import-pin', message}]
}
