import {documentsIn, type Findings} from '../../unpack/diagnostics.js'
import {asObject, asObjects, asText, asTexts, type JsonObject} from '../../yaml/json-value.js'

/** How a project runs its controller. */
export interface ProjectController {
  /** Absent where the package's own image is to be run. */
  readonly image?: string
  readonly command: readonly string[]
}

/** A file of a project. */
export interface ProjectFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * What kubebuilder's `config/manager` says: the first container of its Deployment, and the image that its kustomization
 * puts in its place. `controller:latest`, which is what it is made with, is no image that could be run. Arguments stay
 * behind: they ask for what a package is not allowed, as a lease for electing leaders.
 */
export function projectController(files: readonly ProjectFile[]): ProjectController {
  const documents = files.flatMap(documentsOf)
  const container = documents.filter(({kind}) => kind === 'Deployment').map(firstContainer)[0] ?? {}
  const written = asText(container.image)
  const image = documents.reduce((name, {images}) => replaced(name, asObjects(images)), written)
  return {
    ...(isRunnable(image) ? {image} : {}),
    command: asTexts(container.command),
  }
}

/** What is no YAML is the project's concern, and says nothing here. */
function documentsOf({name, bytes}: ProjectFile): JsonObject[] {
  const findings: Findings = {errors: [], warnings: []}
  return documentsIn(name, bytes, findings).map(({yaml}) => asObject(yaml.value))
}

function firstContainer(deployment: JsonObject): JsonObject {
  const podSpec = asObject(asObject(asObject(deployment.spec).template).spec)
  return asObjects(podSpec.containers)[0] ?? {}
}

/** https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/images */
function replaced(image: string, rules: readonly JsonObject[]): string {
  const name = withoutTag(image)
  const rule = rules.find(each => asText(each.name) === name && name !== '')
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
