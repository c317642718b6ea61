import type {Diagnostic} from '../../diagnostic.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject, asText, type JsonObject} from '../../yaml/json-value.js'
import {objectsOf} from './translated-runtime.js'
import {lostNote, type TranslationInput} from './translated.js'

/** The roles of a controller, and their bindings. */
export interface TranslatedRoles {
  readonly objects: readonly JsonObject[]
  readonly notes: readonly Diagnostic[]
}

/**
 * Translates the bindings of the controller and the roles that they name. Crossplane itself gives a Provider rights over its own
 * CRDs, Secrets, ConfigMaps and Events only.
 */
export function translatedRoles(input: TranslationInput): TranslatedRoles {
  const {set} = input
  const bindings = [...objectsOf(set, 'ClusterRoleBinding'), ...objectsOf(set, 'RoleBinding')]
  const roles = [...objectsOf(set, 'ClusterRole'), ...objectsOf(set, 'Role')]
  const objects = bindings.flatMap((binding, index) => boundRole(binding, index, roles, input))
  const isNamespaced = bindings.some(({kind}) => kind === 'RoleBinding')
  return {objects, notes: isNamespaced ? [namespacedNote(input)] : []}
}

function boundRole(
  binding: KubernetesObject,
  index: number,
  roles: readonly KubernetesObject[],
  {name, namespace}: TranslationInput,
): readonly JsonObject[] {
  const {kind, name: roleName} = asObject(binding.roleRef)
  const role = roles.find(candidate => candidate.kind === kind && candidate.metadata.name === roleName)
  const own = `${name}-runtime${index === 0 ? '' : `-${index + 1}`}`
  const place: JsonObject = binding.kind === 'RoleBinding' ? {namespace} : {}
  return [
    ...(role === undefined
      ? []
      : [{apiVersion: role.apiVersion, kind: role.kind, metadata: {name: own}, rules: role.rules ?? []}]),
    {
      apiVersion: binding.apiVersion,
      kind: binding.kind,
      metadata: {name: own, ...place},
      roleRef: {...asObject(binding.roleRef), name: role === undefined ? asText(roleName) : own},
      subjects: [{kind: 'ServiceAccount', name, namespace}],
    },
  ]
}

function namespacedNote({namespace}: TranslationInput): Diagnostic {
  return lostNote(
    'translate-scope',
    `the package is Namespaced: its roles hold in ${namespace} only; bind them in each namespace in which the controller should work`,
  )
}
