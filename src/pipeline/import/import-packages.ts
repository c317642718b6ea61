import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {type DeclaredSettings, withSettings} from '../../declaration/add-settings.js'
import {declarationText} from '../../declaration/add-package.js'
import type {DeclaredPackage} from '../../declaration/declaration.js'
import {allLockChanges} from '../../declaration/lock-changes.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {requestFindings} from '../../health/core/request-findings.js'
import {nameOf} from '../../kubernetes/object-key.js'
import {readObjects} from '../../observe/objects/read-live.js'
import type {CoreState} from '../../plan/cluster/state/core-state.js'
import {findHandOver, type HandOver, type SearchedFiles} from '../../plan/git/hand-over.js'
import {type ObservedLock, observeLock} from '../../observe/core/observe-lock.js'
import {readCoreVersion} from '../../observe/objects/read-core-version.js'
import {
  type ImportedPackage,
  importedPackages,
  unheldFindings,
} from '../../plan/cluster/core/imported-packages.js'
import {duplicatesIn} from '../../plan/cluster/core/lock/lock-problems.js'
import {imageConfigNotes, unpinnedFindings} from '../../plan/cluster/core/imported-image-configs.js'
import {importedMirrorNotes, importedMirrors} from '../../plan/cluster/core/imported-mirrors.js'
import {present} from '../../present.js'
import {readRequest, type RequestPorts} from '../request/read-request.js'
import type {ResolutionSettings} from '../request/request-query.js'
import {xpkgClosure} from '../../package/xpkg/closure.js'
import {differenceFindings} from './imported-set.js'
import {declarablePackages, readablePackages} from './readable-packages.js'
import {visibleImageConfigs, withClusterMirrors} from '../cluster/core/cluster-mirrors.js'
import type {LockReport} from '../../package/reports.js'
import {declaredSet} from './declared-set.js'
import {contentFindings, joinedFindings, lockFindings, resolverFindings} from './import-findings.js'

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
  /** The layout that it has. */
  readonly tree?: DeclaredSettings['tree']
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
  const ofRequests = [
    ...lockFindings(state, problems),
    ...findings,
    ...stateFindings(state, unread),
    ...contentFindings(packages, state, report.lock.xpkgs ?? [], imageConfigs),
    ...unpinnedFindings(packages.map(({request}) => request)),
  ]
  const notes = [
    ...report.notes,
    ...joinedFindings(ofRequests, state.requests),
    ...imageConfigNotes(imageConfigs, names, objects),
    ...importedMirrorNotes(
      packages.map(({repository}) => repository),
      clusterMirror,
    ),
    ...resolverFindings(packages, exact.locked, state),
    ...differenceFindings(differences),
  ]
  // The versions of the cluster are no earlier lock.
  const changes = allLockChanges(undefined, report.lock)
  return {
    ...report,
    changes,
    declaration: withTree(declaration, tree, file),
    notes,
    ...present({tree, handOver}),
  }
}

/** @param unread - the packages that cannot be read: they are not installed for the same reason. */
function stateFindings(state: CoreState, unread: ReadonlySet<string>): readonly Diagnostic[] {
  return [
    ...requestFindings(state).filter(
      ({rule, subject}) => rule !== 'import-unhealthy' || !unread.has(subject?.package ?? ''),
    ),
    ...state.requests.flatMap(unheldFindings),
  ]
}

/** The layout decides about files of the tree, and not about what is requested. */
function withTree(declaration: string, tree: DeclaredSettings['tree'], name: string): string {
  if (tree === undefined) return declaration
  const settings = {render: {}, assume: [], owners: [], tree}
  return withSettings({name, bytes: Buffer.from(declaration)}, settings)
}

/** Only what is read tells which of them the declaration has to name. */
function draftEntry({request: {reference}}: ImportedPackage): DeclaredPackage {
  return {package: reference, parameters: {imagePullSecrets: [], serviceAccountAnnotations: {}}}
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
