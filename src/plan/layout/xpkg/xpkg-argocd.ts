import type {ArgoCdSettings} from '../../../declaration/layout-settings.js'
import type {JsonObject} from '../../../yaml/json-value.js'
import {ARGOCD_COMPARE, ARGOCD_OPTIONS, ARGOCD_WAVE} from '../../folder/controller-annotations.js'
import {ARGOCD_HEALTH, ARGOCD_START, treeGuard} from '../../folder/tree-guard.js'
import {ARGOCD_FOLDER, argocdPrefix, argocdStart, sourceOf, syncPolicy} from '../argocd-applications.js'
import type {TreeOptions} from '../layout.js'
import {shortName} from '../tree-name.js'
import type {XpkgControllerFiles} from './xpkg-folder.js'

/**
 * Lays a set out for Argo CD: one Application, in which sync waves are the stages, beside those of other packages. Nothing is pruned: without its request,
 * Crossplane deletes the CRDs of a package with all their objects.
 */
export function xpkgArgocdFiles(
  folder: string,
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
      ...sourceOf(folder, options, settings),
      syncPolicy: {...syncPolicy(settings), syncOptions: ['ApplyOutOfSyncOnly=true']},
    },
  }
  return {
    annotationsOf: ({stage}) => ({
      [ARGOCD_COMPARE]: 'IgnoreExtraneous',
      [ARGOCD_OPTIONS]: 'Prune=false,Delete=false',
      [ARGOCD_WAVE]: `${stage}`,
    }),
    added: [
      {path: ARGOCD_HEALTH, content: `${HEALTH_COMMENT}${write(healthChecks(namespace))}`},
      {path: `${ARGOCD_FOLDER}/xpkgs.yaml`, content: write(application)},
      {path: ARGOCD_START, content: argocdStart(options, settings, write)},
      treeGuard(ARGOCD_START, write),
    ],
  }
}

const HEALTH_COMMENT = `# Health checks for packages: those of Argo CD end a wave while a new package has no status.
# Add them to the settings of Argo CD, before start.yaml: kubectl apply --server-side --filename health.yaml
`

/** Lua of Argo CD: https://argo-cd.readthedocs.io/en/stable/operator-manual/health/ */
const LUA = `local isTrue = {}
if obj.status ~= nil and obj.status.conditions ~= nil then
  for _, condition in ipairs(obj.status.conditions) do
    local isCurrent = condition.observedGeneration == nil or condition.observedGeneration == obj.metadata.generation
    if condition.status == "True" and isCurrent then
      isTrue[condition.type] = true
    elseif condition.status == "False" and isCurrent and condition.message ~= nil then
      isTrue.message = condition.message
    end
  end
end
if isTrue.Installed and isTrue.Healthy then
  return {status = "Healthy"}
end
return {status = "Progressing", message = isTrue.message or "waiting until the package is installed and healthy"}
`

/** The settings of Argo CD, in which server-side apply owns only these keys. */
function healthChecks(namespace: string): JsonObject {
  const prefix = 'resource.customizations.health.pkg.crossplane.io_'
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: 'argocd-cm', namespace},
    data: Object.fromEntries(
      ['Configuration', 'Function', 'Provider'].map(kind => [`${prefix}${kind}`, LUA]),
    ),
  }
}
