import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {XpkgSetObject} from '../../../render/xpkg/xpkg-set.js'
import {derivedName} from '../../../xpkg/package-name.js'
import {asObject, asText, type JsonObject} from '../../../yaml/json-value.js'
import {CORE_LOCK} from '../../cluster/state/core-state.js'

/** The versions of a tree, on the Lock of Crossplane: a health check sees one object only. */
const VERSIONS = 'kubectl-crossplane/versions'

/**
 * Returns the object by which the first stage of a tree waits, for requests that skip the resolver under names that Crossplane would not derive:
 * while the Lock has a package that requires one, another version of it makes Crossplane request it once more. The tree owns only an annotation
 * of the Lock. With the versions in there, and not in the check, no controller can compare those of another commit.
 */
export function lockGuard(objects: readonly XpkgSetObject[]): readonly XpkgSetObject[] {
  const versions = objects.flatMap(({object}) => guardedVersion(object))
  if (versions.length === 0) return []
  const {apiVersion, kind, name} = CORE_LOCK
  const annotations = {[VERSIONS]: ` ${versions.join(' ')} `}
  return [{stage: 0, object: {apiVersion, kind, metadata: {name, annotations}}}]
}

/** Crossplane splits a reference alike into the source and the version of an entry. */
function guardedVersion({spec, metadata}: KubernetesObject): readonly string[] {
  const {package: reference, skipDependencyResolution} = asObject(spec)
  const [, repository = '', version = ''] = /^(.*?)(?:@|:(?=[^/:]*$))(.*)$/.exec(asText(reference)) ?? []
  const isGuarded = skipDependencyResolution === true && metadata.name !== derivedName(repository)
  return isGuarded ? [`${repository}@${version}`] : []
}

/** Reports whether an object is the one of `lockGuard`. */
export function isLockGuard({kind, metadata}: KubernetesObject): boolean {
  return kind === CORE_LOCK.kind && metadata.annotations?.[VERSIONS] !== undefined
}

const WANTED = `metadata.annotations['${VERSIONS}']`

/** The check for Flux. An empty Lock has no packages, which an expression that reads them would take for an error. */
export const LOCK_HEALTH: JsonObject = {
  apiVersion: CORE_LOCK.apiVersion,
  kind: CORE_LOCK.kind,
  current: `!metadata.managedFields.exists(m, has(m.fieldsV1) && 'f:packages' in m.fieldsV1) || packages.all(p, p.dependencies.all(d, !${WANTED}.contains(' ' + d.package + '@') || packages.exists(q, q.source == d.package && ${WANTED}.contains(' ' + q.source + '@' + q.version + ' '))))`,
}

/** The same for Argo CD, in Lua. */
export const LOCK_LUA = `local wanted = ""
if obj.metadata.annotations ~= nil then
  wanted = obj.metadata.annotations["${VERSIONS}"] or ""
end
local entries = obj.packages or {}
local function isSame(repository)
  for _, entry in ipairs(entries) do
    local text = " " .. entry.source .. "@" .. entry.version .. " "
    if entry.source == repository and string.find(wanted, text, 1, true) then
      return true
    end
  end
  return false
end
for _, entry in ipairs(entries) do
  for _, dependency in ipairs(entry.dependencies or {}) do
    local repository = dependency.package
    if string.find(wanted, " " .. repository .. "@", 1, true) and not isSame(repository) then
      local message = entry.name .. " is still in the Lock, and Crossplane would request " .. repository .. " once more: complete the change of the resolver with kubectl crossplane package upgrade --resolver=off"
      return {status = "Progressing", message = message}
    end
  end
end
return {status = "Healthy"}
`
