import {asText, type JsonObject} from '../../yaml/json-value.js'
import {translatedMetadata} from './translated-metadata.js'
import {translatedRoles} from './translated-roles.js'
import {translatedRuntime} from './translated-runtime.js'
import {lostNote, type Translated, type TranslationInput} from './translated.js'

/**
 * Translates a package of 2020 into a Provider for a current Crossplane. Its controller runs as the runtime of the package, with
 * a ServiceAccount of a fixed name, to which the roles beside the request are bound: such a package cannot contain roles.
 */
export function translatePackage(input: TranslationInput): Translated {
  const {crds, name, target, set} = input
  const {metadata, notes} = translatedMetadata(input)
  const runtime = translatedRuntime(input)
  const roles = runtime.runs ? translatedRoles(input) : {objects: [], notes: []}
  return {
    metadata,
    crds,
    objects: [...roles.objects, runtime.config, requestFor(name, target, runtime.pullSecrets)],
    notes: [...set.warnings, ...notes, ...runtime.notes, ...roles.notes, ...REPLACED],
  }
}

/** Differences that concern every package. */
const REPLACED = [
  lostNote(
    'translate-user-roles',
    'the roles admin, edit and view of the package are replaced by those of the RBAC manager of Crossplane',
  ),
  lostNote(
    'translate-namespace',
    'the controller runs in the namespace of Crossplane, and once for the whole cluster',
  ),
]

function requestFor(name: string, target: string, pullSecrets: readonly JsonObject[]): JsonObject {
  return {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: {name},
    spec: {
      package: target,
      runtimeConfigRef: {name},
      ...(pullSecrets.length === 0
        ? {}
        : {packagePullSecrets: pullSecrets.map(secret => ({name: asText(secret.name)}))}),
    },
  }
}
