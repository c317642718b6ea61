import {
  NO_CONTROLLER,
  projectController,
  type ProjectController,
  type ProjectFile,
} from '../../author/init/project-controller.js'
import {projectCrds} from '../../author/init/project-crds.js'
import {type NewFile, type NewPackage, scaffold} from '../../author/init/scaffold.js'
import {xpkgScaffold} from '../../author/init/xpkg-scaffold.js'
import {updateCrds} from '../../author/init/update-crds.js'
import {SERVICE_FILE} from '../../author/init/service/service-definition.js'
import {PROJECT_CONTROLLER} from '../../author/init/service/runner/project-texts.js'
import {runnerFiles} from '../../author/init/service/runner/runner-files.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {WritableFolder} from '../../fetch/output-files.js'
import {CrossplaneError} from '../../errors.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
import {parseImageName} from '../../reference/image-name.js'
import {defaultInstanceName} from '../../reference/instance-name.js'
import {isDnsLabel} from '../../reference/kubernetes-names.js'
import {type CrdObject, readCrds, type SourceCrd} from '../../unpack/crds.js'
import type {DiagnosticCollector} from '../../unpack/diagnostics.js'
import {fileKinds} from '../../unpack/file-kinds.js'
import {directoryFiles} from '../../unpack/files/directory-files.js'
import type {PackageDirectory} from '../../unpack/files/package-directory.js'
import type {PermissionScope} from '../../unpack/package.js'
import {invalidPackage} from '../../unpack/read-package.js'
import {shellWord} from '../../text.js'
import {asObject} from '../../yaml/json-value.js'
import type {PackageSources} from '../../locate/package-sources.js'
import type {XpkgKind} from '../../xpkg/content/object-kinds.js'
import {
  changedFiles,
  claimDependency,
  existingService,
  newService,
  serviceFiles,
  type ServiceRequest,
  validCrds,
} from './init-service.js'
import {expectNew, writeAll} from './new-files.js'
import {unlessAbsent} from './unless-absent.js'

/** A package to create, or to update from its project. */
export interface InitQuery {
  /** The folder of the package. */
  readonly path: string
  /** The last part of that folder, after which the package is named unless `name` is given. */
  readonly folderName: string
  readonly name?: string
  readonly title?: string
  readonly scope?: PermissionScope
  /** A folder of CRDs, or kubebuilder's `config/crd`. */
  readonly fromCrds?: string
  readonly controller: boolean
  /** Whether the CRDs of an existing package are replaced. */
  readonly update: boolean
  /** The kind of a package for a current Crossplane, in place of one with `.registry/`. */
  readonly xpkg?: XpkgKind
  /** The managed service that the package is for. */
  readonly service?: ServiceRequest
}

/** The written files, by path from the package's folder. */
export interface InitReport {
  readonly writtenPaths: readonly string[]
  readonly notes: readonly Diagnostic[]
}

/**
 * Writes the files of a new package, or those of CRDs that changed since. Throws `output-refused` before the first write
 * if a file exists that is not to be replaced; `usage` for an invalid name or scope.
 */
export async function initPackage(
  query: InitQuery,
  folder: WritableFolder,
  sources: PackageSources,
): Promise<InitReport> {
  if (query.xpkg !== undefined) return await initXpkg(query, query.xpkg, folder)
  if (query.service !== undefined) return await initService(query, query.service, folder, sources)
  if (query.update && query.fromCrds === undefined) return await updateService(query.path, folder, sources)
  const project = query.fromCrds === undefined ? NO_PROJECT : await readProject(query.fromCrds, sources)
  const present = query.update ? await presentCrds(query.path, sources) : undefined
  if (present !== undefined) return await update(project, present, folder)
  const files = scaffold(newPackage(query, project))
  await expectNew(files, folder, afterRefusal(query))
  return {
    writtenPaths: await writeAll(files, folder),
    notes: query.controller ? project.controller.notes : [],
  }
}

async function initXpkg(query: InitQuery, kind: XpkgKind, folder: WritableFolder): Promise<InitReport> {
  const name = packageName(query)
  const files = xpkgScaffold({kind, name, title: query.title ?? titleOf(name)})
  await expectNew(files, folder, 'Use another folder, or move these files.')
  return {writtenPaths: await writeAll(files, folder), notes: []}
}

async function initService(
  query: InitQuery,
  request: ServiceRequest,
  folder: WritableFolder,
  sources: PackageSources,
): Promise<InitReport> {
  const service = await newService(request, sources)
  const {runner} = request
  const controller = runner === undefined ? NO_CONTROLLER : PROJECT_CONTROLLER
  const requested = newPackage(query, {crds: validCrds(service), controller})
  const ofPackage = scaffold({...requested, dependsOn: claimDependency(service)})
  const ofProject = runner === undefined ? [] : runnerFiles(service, {name: requested.name, ...runner})
  const files = [...serviceFiles(service), ...ofPackage, ...ofProject]
  const isUpdatable = (await folder.file(SERVICE_FILE)) !== undefined
  const next = `kubectl crossplane package init ${shellWord(query.path)} --update`
  await expectNew(files, folder, isUpdatable ? next : 'Use another folder, or move these files.')
  return {writtenPaths: await writeAll(files, folder), notes: []}
}

/** The CRDs and examples follow the definition of the service; all other files belong to their author. */
async function updateService(
  path: string,
  folder: WritableFolder,
  sources: PackageSources,
): Promise<InitReport> {
  const service = await existingService(path, sources)
  const project = {crds: validCrds(service), controller: NO_CONTROLLER}
  const {writtenPaths, notes} = await update(project, (await presentCrds(path, sources)) ?? [], folder)
  const others = await writeAll(await changedFiles(service, folder), folder)
  return {writtenPaths: [...writtenPaths, ...others], notes}
}

async function update(
  {crds}: Project,
  present: readonly SourceCrd[],
  folder: WritableFolder,
): Promise<InitReport> {
  const {changed, added, notes} = updateCrds(crds, present)
  const absent: NewFile[] = []
  for (const file of added) if ((await folder.file(file.path)) === undefined) absent.push(file)
  return {writtenPaths: await writeAll([...changed, ...absent], folder), notes}
}

/**
 * Reads the CRDs of the package in that folder; undefined if there is none. Throws `package-invalid` for invalid
 * CRDs.
 */
async function presentCrds(path: string, sources: PackageSources): Promise<readonly SourceCrd[] | undefined> {
  const directory = await unlessAbsent(sources.directory(path))
  if (directory === undefined || (await directory.entry('.registry')).kind === 'absent') return undefined
  const collector: DiagnosticCollector = {errors: [], warnings: []}
  const {crds} = fileKinds(await directoryFiles(directory))
  const present = readCrds(crds, 'Cluster', collector)
  if (collector.errors.length > 0) throw invalidPackage(path, collector.errors)
  return present
}

const NO_PROJECT: Project = {crds: [], controller: NO_CONTROLLER}

function newPackage(query: InitQuery, {crds, controller}: Project): NewPackage {
  const name = packageName(query)
  return {
    name,
    title: query.title ?? titleOf(name),
    version: versionOf(query.controller ? controller.image : undefined),
    permissionScope: scopeOf(query.scope, crds),
    crds,
    controller: query.controller ? controller : undefined,
  }
}

function packageName({name, folderName}: InitQuery): string {
  const selected = name ?? defaultInstanceName(folderName).slice(0, MAX_NAME)
  if (isDnsLabel(selected) && selected.length <= MAX_NAME) return selected
  throw new CrossplaneError('usage', `invalid package name ${JSON.stringify(selected)}`, {
    suggestions: [
      `Pass --name with lowercase letters, digits and -, at most ${MAX_NAME} characters, such as provider-sql.`,
    ],
  })
}

/** A DNS label without the `-controller` that the name of the Deployment ends with. */
const MAX_NAME = 52

function titleOf(name: string): string {
  return name
    .split('-')
    .filter(word => word !== '')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}

/** The version of the controller's image, since both are released together. */
function versionOf(image: string | undefined): string {
  const tag = image === undefined ? undefined : parseImageName(image)?.tag
  return tag !== undefined && /^v?\d/.test(tag) ? tag : 'v0.1.0'
}

/** Namespaced, unless a CRD is cluster-scoped. */
function scopeOf(requested: PermissionScope | undefined, crds: readonly CrdObject[]): PermissionScope {
  const wide = crds.find(({object}) => asObject(object.spec).scope === 'Cluster')
  if (wide === undefined) return requested ?? 'Namespaced'
  if (requested !== 'Namespaced') return 'Cluster'
  const {name} = wide.definition
  const message = `a package with scope Namespaced cannot own ${name}, which is cluster-scoped`
  throw new CrossplaneError('usage', message, {suggestions: ['Omit --scope, or make the CRD namespaced.']})
}

interface Project {
  readonly crds: readonly CrdObject[]
  readonly controller: ProjectController
}

/** kubebuilder keeps CRDs in `config/crd/bases`, and the Deployment in `config/manager`. */
async function readProject(path: string, sources: PackageSources): Promise<Project> {
  const folder = await sources.directory(path)
  const hasBases = (await folder.entry('bases')).kind === 'directory'
  const crds = projectCrds(await yamlFiles(folder, hasBases ? 'bases' : ''), path)
  const isBases = folder.location.at(-1) === 'bases'
  const manager = `${path}/${isBases ? '../../manager' : '../manager'}`
  return {crds, controller: projectController(await managerFiles(manager, sources))}
}

async function managerFiles(path: string, sources: PackageSources): Promise<ProjectFile[]> {
  const directory = await unlessAbsent(sources.directory(path))
  return directory === undefined ? [] : await yamlFiles(directory, '')
}

/** The YAML files of a folder, sorted by name; not those below it. */
async function yamlFiles(directory: PackageDirectory, inside: string): Promise<ProjectFile[]> {
  const at = (name: string) => (inside === '' ? name : `${inside}/${name}`)
  const names = (await directory.list(inside, SOURCE_LIMITS.files)).filter(name => /\.ya?ml$/.test(name))
  const files: ProjectFile[] = []
  for (const name of [...names].sort()) {
    if ((await directory.entry(at(name))).kind !== 'file') continue
    const bytes = await directory.read(at(name), SOURCE_LIMITS.fileBytes)
    files.push({name: at(name), bytes})
  }
  return files
}

/** The next step where the folder has a package. */
function afterRefusal({path, fromCrds}: InitQuery): string {
  if (fromCrds === undefined) return 'Use another folder, or move these files.'
  return `kubectl crossplane package init ${shellWord(path)} --from-crds ${shellWord(fromCrds)} --update`
}
