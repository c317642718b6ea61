import {CrossplaneError} from '../../errors.js'
import {groupOf, nameOf, objectKey, objectText} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {ERAS} from '../../render/era.js'
import {escaped, quoted} from '../../text.js'
import {isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'
import type {Operation} from '../plan.js'
import {GIT_ATTRIBUTES, GIT_ATTRIBUTES_TEXT, TREE_SETTINGS} from './owned-files.js'
import {ARGOCD_HEALTH} from './tree-guard.js'
import {isTreeSettings} from './tree-settings.js'

/** The kinds of objects that install sets have, as `group/kind`. */
const RENDERED_KINDS: ReadonlySet<string> = new Set([
  ...['/Namespace', '/ServiceAccount', 'apps/Deployment'],
  'apiextensions.k8s.io/CustomResourceDefinition',
  ...['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'].map(
    kind => `rbac.authorization.k8s.io/${kind}`,
  ),
  ...Object.values(ERAS).flatMap(({group, kinds}) => Object.values(kinds).map(kind => `${group}/${kind}`)),
  ...['Provider', 'Configuration', 'Function', 'ImageConfig', 'DeploymentRuntimeConfig'].map(
    kind => `pkg.crossplane.io/${kind}`,
  ),
  'apiextensions.crossplane.io/ManagedResourceActivationPolicy',
])

/** The kinds of what layouts add, and of kustomizations. */
const ADDED_KINDS: ReadonlySet<string> = new Set([
  'kustomize.config.k8s.io/Kustomization',
  'kustomize.toolkit.fluxcd.io/Kustomization',
  'source.toolkit.fluxcd.io/GitRepository',
  'argoproj.io/Application',
])

/**
 * Returns the reason why a file of a saved plan is none that this program writes: it holds exactly the object that its
 * operation names, of a kind that install sets have, or what a layout adds.
 */
export function contentProblem({path, object, content}: Operation): string | undefined {
  if (content === undefined) {
    if (path === TREE_SETTINGS) return 'the settings are not deleted'
    return object === undefined ? undefined : kindProblem(object.apiVersion, object.kind)
  }
  if (path === GIT_ATTRIBUTES) return content === GIT_ATTRIBUTES_TEXT ? undefined : 'the content was changed'
  if (path === TREE_SETTINGS) return isTreeSettings(content) ? undefined : 'the content was changed'
  const documents = documentsIn(content)
  if (documents === undefined) return 'the content is not YAML'
  if (object !== undefined) return objectProblem(documents, object)
  return documents.map(document => addedProblem(path, document)).find(problem => problem !== undefined)
}

function objectProblem([only, second]: readonly JsonObject[], object: ObjectName): string | undefined {
  if (only === undefined || second !== undefined) return 'the content is not one object'
  const name = nameOf(only)
  if (objectKey(name) !== objectKey(object) || name.apiVersion !== object.apiVersion) {
    return `the content is ${escaped(objectText(name))}, not ${escaped(objectText(object))}`
  }
  return kindProblem(name.apiVersion, name.kind)
}

function kindProblem(apiVersion: string, kind: string): string | undefined {
  return RENDERED_KINDS.has(`${groupOf(apiVersion)}/${kind}`)
    ? undefined
    : `install sets have no ${quoted(escaped(kind))} of ${quoted(escaped(apiVersion))}`
}

function addedProblem(path: string | undefined, document: JsonObject): string | undefined {
  const {apiVersion, kind} = nameOf(document)
  const isHealth = path === ARGOCD_HEALTH && apiVersion === 'v1' && kind === 'ConfigMap'
  return isHealth || ADDED_KINDS.has(`${groupOf(apiVersion)}/${kind}`)
    ? undefined
    : `the content is ${quoted(escaped(kind))} of ${quoted(escaped(apiVersion))}, which the operation does not name`
}

function documentsIn(text: string): readonly JsonObject[] | undefined {
  try {
    const values = readYaml(Buffer.from(text), 'the content').map(({value}) => value)
    return values.every(isJsonObject) ? values : undefined
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}
