import {
  projectController,
  type ProjectController,
  type ProjectFile,
} from '../../author/init/project-controller.js'
import {projectCrds} from '../../author/init/project-crds.js'
import {type NewFile, type NewPackage, scaffold} from '../../author/init/scaffold.js'
import type {WritableFolder} from '../../fetch/output-files.js'
import {once} from '../../author/layout/write-layout.js'
import {CrossplaneError} from '../../errors.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
import {parseImageName} from '../../reference/image-name.js'
import {defaultInstanceName} from '../../reference/instance-name.js'
import {isDnsLabel} from '../../reference/kubernetes-names.js'
import type {CrdObject} from '../../unpack/crds.js'
import type {PackageDirectory} from '../../unpack/files/package-directory.js'
import type {PermissionScope} from '../../unpack/package.js'
import {asObject} from '../../yaml/json-value.js'
import type {PackageSources} from '../locate/package-sources.js'

/** What a new package is to be, as far as anybody said. */
export interface InitQuery {
  /** The last part of the new package's folder, after which it is called unless there is a name. */
  readonly folderName: string
  readonly name?: string
  readonly title?: string
  readonly scope?: PermissionScope
  /** A folder of CRDs, or kubebuilder's `config/crd`. */
  readonly fromCrds?: string
  readonly controller: boolean
}

/**
 * Writes the first files of a package, and says which. Throws `output-refused` if one of them is there already, before
 * any is written; `usage` where name or scope cannot be.
 */
export async function initPackage(
  query: InitQuery,
  folder: WritableFolder,
  sources: PackageSources,
): Promise<readonly string[]> {
  const project = query.fromCrds === undefined ? NO_PROJECT : await readProject(query.fromCrds, sources)
  const files = scaffold(newPackage(query, project))
  await expectNew(files, folder)
  for (const {path, text} of files) await folder.write(path, once(Buffer.from(text)))
  return files.map(({path}) => path)
}

const NO_PROJECT: Project = {crds: [], controller: {command: []}}

function newPackage(query: InitQuery, {crds, controller}: Project): NewPackage {
  const name = packageName(query)
  return {
    name,
    title: query.title ?? titleOf(name),
    version: versionOf(query.controller ? controller.image : undefined),
    permissionScope: scopeOf(query.scope, crds),
    crds,
    ...(query.controller ? {controller} : {}),
  }
}

function packageName({name, folderName}: InitQuery): string {
  const selected = name ?? defaultInstanceName(folderName).slice(0, MOST)
  if (isDnsLabel(selected) && selected.length <= MOST) return selected
  throw new CrossplaneError('usage', `${JSON.stringify(selected)} cannot name a package`, {
    suggestions: [
      `Give it a --name of lower-case letters, digits and -, at most ${MOST}, such as provider-sql.`,
    ],
  })
}

/** The controller's Deployment has `-controller` after it. */
const MOST = 52

function titleOf(name: string): string {
  return name
    .split('-')
    .filter(word => word !== '')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}

/** That of the controller's image, as they are released together. */
function versionOf(image: string | undefined): string {
  const tag = image === undefined ? undefined : parseImageName(image)?.tag
  return tag !== undefined && /^v?\d/.test(tag) ? tag : 'v0.1.0'
}

/** The narrower one, unless a CRD needs the other. */
function scopeOf(asked: PermissionScope | undefined, crds: readonly CrdObject[]): PermissionScope {
  const wide = crds.find(({object}) => asObject(object.spec).scope === 'Cluster')
  if (wide === undefined) return asked ?? 'Namespaced'
  if (asked !== 'Namespaced') return 'Cluster'
  const {name} = wide.definition
  throw new CrossplaneError('usage', `--scope Namespaced was given, and ${name} is a cluster-scoped CRD`, {
    suggestions: ['Leave --scope out, or make the CRD namespaced.'],
  })
}

interface Project {
  readonly crds: readonly CrdObject[]
  readonly controller: ProjectController
}

/** kubebuilder keeps CRDs in `config/crd/bases`, and the Deployment in `config/manager`. */
async function readProject(path: string, sources: PackageSources): Promise<Project> {
  const given = await sources.directory(path)
  const hasBases = (await given.entry('bases')).kind === 'directory'
  const crds = projectCrds(await yamlFiles(given, hasBases ? 'bases' : ''), path)
  const isBases = given.location.at(-1) === 'bases'
  const manager = `${path}/${isBases ? '../../manager' : '../manager'}`
  return {crds, controller: projectController(await managerFiles(manager, sources))}
}

async function managerFiles(path: string, sources: PackageSources): Promise<ProjectFile[]> {
  try {
    return await yamlFiles(await sources.directory(path), '')
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'not-found') return []
    throw error
  }
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

async function expectNew(files: readonly NewFile[], folder: WritableFolder): Promise<void> {
  const present: string[] = []
  for (const {path} of files) if ((await folder.file(path)) !== undefined) present.push(path)
  if (present.length === 0) return
  const diagnostics = present.map(file => ({
    severity: 'error' as const,
    rule: 'present',
    message: 'is there already',
    file,
  }))
  throw new CrossplaneError('output-refused', `${folder.name} has files of a package: nothing was written`, {
    diagnostics,
    suggestions: ['Name another folder, or move these files away.'],
  })
}
