import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {declarationText} from '../../declaration/add-package.js'
import type {Declaration, DeclaredPackage} from '../../declaration/declaration.js'
import {allLockChanges} from '../../declaration/lock-changes.js'
import type {Lock} from '../../declaration/lock.js'
import {EMPTY_LOCK} from '../../declaration/lock-document.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {observeLock} from '../../observe/core/observe-lock.js'
import {readCoreVersion} from '../../observe/core/read-core-version.js'
import type {CoreState} from '../../plan/cluster/core/core-state.js'
import {
  type ImportedPackage,
  importedEntries,
  importedPackages,
  importedPin,
} from '../../plan/cluster/core/imported-packages.js'
import {importedImageFindings} from '../../plan/cluster/core/imported-image-settings.js'
import {importedMirrorNotes, importedMirrors} from '../../plan/cluster/core/imported-mirrors.js'
import {problemText, requestText} from '../../plan/cluster/core/lock/problem-texts.js'
import {present} from '../../present.js'
import type {Mirrors} from '../../reference/mirrors.js'
import {escaped} from '../../text.js'
import {revisionName} from '../../xpkg/package-name.js'
import {lockRequest} from '../lock-request.js'
import {declaredInstall, readRequest, type RequestPorts} from '../request/read-request.js'
import type {ResolutionSettings} from '../request/request-query.js'
import {xpkgClosure} from '../../package/xpkg/closure.js'
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
 * content is read as for any lock. Throws `not-found` for a cluster without packages, `cluster-refused` for a poisoned Lock,
 * and the errors of `lockRequest`.
 */
export async function importPackages(
  {file, settings}: ImportQuery,
  api: ClusterApi,
  ports: RequestPorts,
): Promise<ImportReport> {
  const state = await readState(api)
  // In the declaration it would be there twice.
  const {coreVersion: flag, ...others} = settings
  const coreVersion = flag ?? (await readCoreVersion(api))
  const {packages, findings} = importedPackages(state)
  const requests = withClusterMirrors(ports, api)
  const {clusterMirror = () => undefined} = (await requests.packages()).remote
  const repositories = packages.map(({repository}) => repository)
  const mirrors = mirrorSettings(importedMirrors(repositories, clusterMirror))
  const declared = {...present({coreVersion}), ...mirrors}
  const draft = declarationText(packages.map(draftEntry), declared)
  const query = {kind: 'declaration', file, settings: others} as const
  const request = await readRequest(query, withDeclaration(requests, draft))
  const {budget} = request.policy
  const exact = await xpkgClosure(
    {roots: packages, budget, isInstalled: true, ...present({coreVersion})},
    request.packages,
  )
  const lock: Lock = {...EMPTY_LOCK, xpkgs: exact.locked}
  const seed = {name: file, lock, upgraded: [], otherwise: 'take', remedy: ''} as const
  const entries = importedEntries(packages, exact.locked, coreVersion)
  const report = await lockRequest({...request, requested: entries.map(declaredInstall)}, seed)
  const declaration = declarationText(entries, declared)
  const locked = report.lock.xpkgs ?? []
  const images = importedImageFindings(state.requests, await visibleImageConfigs(api), locked)
  const notes = [
    ...report.notes,
    ...findings,
    ...images,
    ...contentFindings(
      packages.filter(one => !isRewritten(one, images)),
      locked,
      state,
    ),
    ...missingFindings(locked, packages),
    ...importedMirrorNotes(repositories, clusterMirror),
    ...pinNote(state),
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

async function readState(api: ClusterApi): Promise<CoreState> {
  const observed = await observeLock(api)
  if (observed === undefined || observed.state.requests.length === 0)
    throw new CrossplaneError(
      'not-found',
      'cannot import packages: the cluster has none for a current Crossplane',
      {
        suggestions: ['kubectl get providers,functions,configurations'],
      },
    )
  const poison = observed.problems.find(({kind}) => ['requests', 'revisions', 'leftover'].includes(kind))
  if (poison === undefined) return observed.state
  throw new CrossplaneError('cluster-refused', `cannot import packages: ${problemText(poison)}`, {
    suggestions: ['kubectl crossplane doctor'],
  })
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

/** The name of a revision has the start of the digest that is installed. */
function contentFindings(
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

function pinNote(state: CoreState): readonly Diagnostic[] {
  const pin = importedPin(state)
  const message =
    pin === 'mixed'
      ? 'the packages of the cluster are pinned in different ways: those that skip the resolution of dependencies are missing for the others'
      : `the packages of the cluster are pinned as with --pin ${pin} of package render`
  return [{severity: pin === 'mixed' ? 'warning' : 'note', rule: 'import-pin', message}]
}
