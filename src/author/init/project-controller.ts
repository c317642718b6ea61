import type {Diagnostic} from '../../diagnostic.js'
import {count, listAll} from '../../text.js'
import {documentsIn, type DiagnosticCollector} from '../../unpack/diagnostics.js'
import {asObject, asObjects, asText, asTexts, type JsonObject} from '../../yaml/json-value.js'

/** The settings with which a project runs its controller. */
export interface ProjectController {
  /** Absent if the package's own image is run. */
  readonly image?: string
  /** Other fields of the container of `install.yaml`, in the order of a Deployment. */
  readonly settings: JsonObject
  /** Settings of the project's Deployment that are not carried over to `install.yaml`. */
  readonly notes: readonly Diagnostic[]
}

/** A file of a project. */
export interface ProjectFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The controller of a project without a Deployment. */
export const NO_CONTROLLER: ProjectController = {settings: {}, notes: []}

/**
 * Reads the first Deployment of kubebuilder's `config/manager`: its first container, with the image that the
 * kustomization puts in its place. kubebuilder's placeholder `controller:latest` counts as no image.
 */
export function projectController(files: readonly ProjectFile[]): ProjectController {
  const documents = files.flatMap(documentsOf)
  const deployment = documents.find(({yaml}) => yaml.kind === 'Deployment')
  if (deployment === undefined) return NO_CONTROLLER
  const podSpec = asObject(asObject(asObject(deployment.yaml.spec).template).spec)
  const [container = {}] = asObjects(podSpec.containers)
  const image = documents.reduce(
    (name, {yaml}) => replaced(name, asObjects(yaml.images)),
    asText(container.image),
  )
  return {
    image: isRunnable(image) ? image : undefined,
    settings: keptSettings(container),
    notes: [...droppedArguments(container), ...droppedFields(container, podSpec)].map(message => ({
      severity: 'note',
      rule: 'init-dropped',
      message,
      file: deployment.file,
    })),
  }
}

interface ProjectDocument {
  readonly file: string
  readonly yaml: JsonObject
}

/** Invalid YAML is the project's concern and is not reported here. */
function documentsOf({name, bytes}: ProjectFile): ProjectDocument[] {
  const collector: DiagnosticCollector = {errors: [], warnings: []}
  return documentsIn(name, bytes, collector).map(({yaml}) => ({file: name, yaml: asObject(yaml.value)}))
}

/** Settings of a container that have the same meaning in a package. */
const KEPT = ['command', 'args', 'ports', 'env', 'livenessProbe', 'readinessProbe', 'resources']

function keptSettings(container: JsonObject): JsonObject {
  const args = argumentsOf(container).filter(text => !ELECTION.test(text))
  const settings = {...container, args}
  return Object.fromEntries(
    KEPT.map(name => [name, asObject(settings)[name] ?? null] as const).filter(([, value]) => isGiven(value)),
  )
}

function isGiven(value: JsonObject[string] | undefined): boolean {
  if (value === undefined || value === null) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** A leader is elected through a Lease, which packages are not permitted to write. */
const ELECTION = /^--?(?:enable-)?leader-elect(?:ion)?(?:=|$)/

function argumentsOf(container: JsonObject): readonly string[] {
  return asTexts(container.args)
}

function droppedArguments(container: JsonObject): string[] {
  return argumentsOf(container)
    .filter(text => ELECTION.test(text))
    .map(text => `install.yaml does not get ${text}: packages have no permission for leases`)
}

/** Settings that installing a package decides, or that name objects of the project. */
function droppedFields(container: JsonObject, podSpec: JsonObject): string[] {
  const handled = new Set([...KEPT, 'name', 'image'])
  const others = Object.keys(container).filter(name => !handled.has(name) && isGiven(container[name]))
  const ofPod = ['volumes', 'initContainers', 'serviceAccountName', 'securityContext'].filter(name =>
    isGiven(podSpec[name]),
  )
  const further = asObjects(podSpec.containers).length - 1
  return [
    ...(others.length === 0 ? [] : [`install.yaml does not get ${listAll(others)} of the container`]),
    ...(ofPod.length === 0 ? [] : [`install.yaml does not get ${listAll(ofPod)} of the pod`]),
    ...(further < 1 ? [] : [`install.yaml does not get ${count(further, 'further container')} of the pod`]),
  ]
}

/** https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/images */
function replaced(image: string, rules: readonly JsonObject[]): string {
  const name = withoutTag(image)
  const rule = rules.find(object => asText(object.name) === name && name !== '')
  if (rule === undefined) return image
  const newName = asText(rule.newName) || name
  const [tag, digest] = [asText(rule.newTag), asText(rule.digest)]
  if (digest !== '') return `${newName}@${digest}`
  return tag === '' ? newName + image.slice(name.length) : `${newName}:${tag}`
}

function withoutTag(image: string): string {
  const [name = ''] = image.split('@')
  const colon = name.indexOf(':', name.lastIndexOf('/') + 1)
  return colon === -1 ? name : name.slice(0, colon)
}

function isRunnable(image: string): boolean {
  return (
    image !== '' &&
    withoutTag(image) !== 'controller' &&
    /[@:][^/]*$/.test(image) &&
    !image.endsWith(':latest')
  )
}
