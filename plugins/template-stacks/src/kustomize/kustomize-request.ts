import {
  asObject,
  type Behavior,
  CrossplaneError,
  isJsonArray,
  type JsonObject,
  type JsonValue,
  writeYaml,
} from 'kubectl-crossplane/plugin'
import {BEHAVIOR_FILE} from '../behavior-file.js'
import type {Files, KustomizeRequest} from '../engines/engine.js'

/** What is built: the templates of a package, the name of a custom resource, and its patches. */
export interface KustomizeInput {
  readonly behavior: Behavior
  readonly files: Files
  /** Name of the custom resource. */
  readonly name: string
  readonly patches: readonly JsonObject[]
}

const PATCH_FILE = 'overlaypatch.yaml'

/**
 * Makes a kustomization above that of the package: with the settings of behavior.yaml, the name of the custom resource
 * as prefix, and the patches of the overlays. Throws `package-invalid` for resources of its own: it has no files.
 */
export function kustomizeRequest({behavior, files, name, patches}: KustomizeInput): KustomizeRequest {
  const {path} = behavior.source
  const folder = unusedName(path)
  const settings = asObject(asObject(behavior.engine.kustomize).kustomization)
  if (isJsonArray(settings.resources) && settings.resources.length > 0) throw ownResources()
  const patched: JsonObject =
    patches.length === 0 ? {} : {patchesStrategicMerge: [...listOf(settings), PATCH_FILE]}
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    ...settings,
    namePrefix: `${name}-`,
    resources: [`${'../'.repeat(folder.split('/').length)}${path}`],
    ...patched,
  }
  const written: [string, Uint8Array][] = [
    [`${folder}/kustomization.yaml`, Buffer.from(writeYaml([kustomization]))],
  ]
  if (patches.length > 0) written.push([`${folder}/${PATCH_FILE}`, Buffer.from(writeYaml(patches))])
  const own = [...files].map(([file, bytes]): [string, Uint8Array] => [`${path}/${file}`, bytes])
  return {engine: 'kustomize', files: new Map([...own, ...written]), folder}
}

function listOf({patchesStrategicMerge}: JsonObject): readonly JsonValue[] {
  return isJsonArray(patchesStrategicMerge) ? patchesStrategicMerge : []
}

/** A folder beside that of the templates. */
function unusedName(path: string): string {
  const [first] = path.split('/')
  return first === 'behavior' ? 'behavior-of-package' : 'behavior'
}

function ownResources(): CrossplaneError {
  const field = 'engine.kustomize.kustomization.resources'
  const message = 'resources are not allowed here: the only resource is the folder that source.path names'
  return new CrossplaneError('package-invalid', `cannot build the kustomization: ${field} is set`, {
    diagnostics: [{severity: 'error', rule: 'kustomize-resources', message, file: BEHAVIOR_FILE, field}],
    suggestions: ['Move them to the folder of source.path, and list them in its kustomization.yaml.'],
  })
}
