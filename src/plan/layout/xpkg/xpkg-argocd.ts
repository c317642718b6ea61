import type {ArgoCdSettings} from '../../../declaration/layout-settings.js'
import {LEAVING} from '../../../declaration/moving-objects.js'
import type {JsonObject} from '../../../yaml/json-value.js'
import {ARGOCD_WAVE, IGNORED_BY_ARGOCD, KEPT_BY_ARGOCD} from '../../../kubernetes/controller-annotations.js'
import {ARGOCD_HEALTH, ARGOCD_START, treeGuard} from '../../folder/tree-guard.js'
import {ARGOCD_FOLDER, argocdPrefix, argocdStart, sourceOf, syncPolicy} from '../argocd-applications.js'
import type {TreeOptions} from '../layout.js'
import {shortName} from '../tree-name.js'
import {isLockGuard, LOCK_LUA} from './lock-guard.js'
import type {XpkgControllerFiles, XpkgFolder} from './xpkg-folder.js'

/**
 * Lays a set out for Argo CD: one Application, in which sync waves are the stages, beside those of other packages. Nothing is pruned: without its request,
 * Crossplane deletes the CRDs of a package with all their objects.
 */
export function xpkgArgocdFiles(
  {path, members}: XpkgFolder,
  options: Pick<TreeOptions, 'path'>,
  settings: ArgoCdSettings,
  write: (value: JsonObject) => string,
): XpkgControllerFiles {
  const {destination, namespace} = settings
  const application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {name: shortName(`${argocdPrefix(options, settings)}-xpkgs`), namespace},
    spec: {
      destination: {...destination},
      ...sourceOf(path, options, settings),
      syncPolicy: {...syncPolicy(settings), syncOptions: ['ApplyOutOfSyncOnly=true']},
    },
  }
  const isGuarded = members.some(({object}) => isLockGuard(object))
  return {
    annotationsOf: ({stage}) => ({
      ...IGNORED_BY_ARGOCD,
      ...KEPT_BY_ARGOCD,
      [ARGOCD_WAVE]: `${stage}`,
    }),
    added: [
      {path: ARGOCD_HEALTH, content: `${HEALTH_COMMENT}${write(healthChecks(namespace, isGuarded))}`},
      {path: `${ARGOCD_FOLDER}/xpkgs.yaml`, content: write(application)},
      {path: ARGOCD_START, content: argocdStart(options, settings, write)},
      treeGuard(ARGOCD_START, write),
    ],
  }
}

/** Both kinds of kubectl apply would remove the labels and settings with which Argo CD was installed; a merge patch removes nothing. */
const HEALTH_COMMENT = `# Health checks for packages: those of Argo CD end a wave while a new package has no status. Never use kubectl apply for them:
# it removes other settings of Argo CD. Add them before start.yaml: kubectl patch --filename health.yaml --patch-file health.yaml
`

/**
 * What messages of the core contain if waiting does not help: the package, the set or the registry must change. Others, such as `missing
 * dependencies` and a Deployment that is not available yet, are part of each installation, and end by themselves.
 */
const FAILURES = [
  'cannot parse package',
  'cannot extract package content',
  'cannot parse resolved package reference',
  'package is invalid due to multiple',
  'linting package contents failed',
  'incompatible Crossplane version',
  'cannot initialize dependency graph',
  'encountered an invalid dependency',
  'Invalid Semantic Version',
  'is incompatible with',
  'is already controlled by',
  'apiextensions.k8s.io/v1beta1',
  'no child with platform',
  'MANIFEST_UNKNOWN',
  'NAME_UNKNOWN',
  'UNAUTHORIZED',
  'DENIED',
]

/**
 * Lua of Argo CD: https://argo-cd.readthedocs.io/en/stable/operator-manual/health/. A wave of a sync ends when its packages are Healthy, and
 * fails with the first one that is Degraded. Conditions of an earlier package stay until the core has read the new one.
 */
const LUA = `local failures = {
${FAILURES.map(text => `  "${text}",`).join('\n')}
}
local conditions = {}
if obj.status ~= nil and obj.status.conditions ~= nil then
  for _, condition in ipairs(obj.status.conditions) do
    if condition.observedGeneration == nil or condition.observedGeneration == obj.metadata.generation then
      conditions[condition.type] = condition
    end
  end
end
local waiting = {status = "Progressing", message = "waiting until the package is installed and healthy"}
if conditions.Synced ~= nil and conditions.Synced.reason == "ReconcilePaused" then
  return {status = "Suspended", message = conditions.Synced.message}
end
local types = {"Installed"}
if obj.status ~= nil and obj.status.currentIdentifier == obj.spec.package then
  types[2] = "Healthy"
end
for _, type in ipairs(types) do
  local condition = conditions[type]
  if condition == nil or condition.status ~= "True" then
    if condition == nil or condition.message == nil then
      return waiting
    elseif condition.reason == "InactivePackageRevision" then
      local annotations = obj.metadata.annotations
      if annotations ~= nil and annotations["${LEAVING}"] ~= nil then
        return {status = "Healthy", message = "another package takes it over"}
      end
      return {status = "Suspended", message = condition.message}
    end
    for _, text in ipairs(failures) do
      if string.find(condition.message, text, 1, true) then
        return {status = "Degraded", message = condition.message}
      end
    end
    return {status = "Progressing", message = condition.message}
  end
end
if types[2] == nil then
  return waiting
end
return {status = "Healthy"}
`

/** The settings of Argo CD, as a patch with only these keys. */
function healthChecks(namespace: string, isGuarded: boolean): JsonObject {
  const checks = ['Configuration', 'Function', 'Provider'].map(kind => ({kind, lua: LUA}))
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: 'argocd-cm', namespace},
    data: Object.fromEntries(
      [...checks, ...(isGuarded ? [{kind: 'Lock', lua: LOCK_LUA}] : [])].flatMap(({kind, lua}) => [
        [`resource.customizations.health.pkg.crossplane.io_${kind}`, lua],
        // Without it, Lua has no functions for texts.
        [`resource.customizations.useOpenLibs.pkg.crossplane.io_${kind}`, 'true'],
      ]),
    ),
  }
}
