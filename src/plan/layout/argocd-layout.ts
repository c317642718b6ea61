import type {ArgoCdSettings} from '../../declaration/layout-settings.js'
import type {InstallSet, SetObject} from '../../render/install-set.js'
import {asObject, asText, type JsonObject} from '../../yaml/json-value.js'
import {groupOf} from '../../kubernetes/object-key.js'
import {kustomization} from '../folder/file-tree.js'
import {annotated, isBinding, isProtected} from './annotate.js'
import {ARGOCD_COMPARE, ARGOCD_OPTIONS, ARGOCD_WAVE} from '../folder/controller-annotations.js'
import {installDepths, installKey} from './install-order.js'
import type {LaidOutSet, TreeOptions} from './layout.js'
import {treeName} from './tree-name.js'

/** The folder of the Application, which is not part of what it syncs. */
const FOLDER = 'argocd'

/**
 * Lays a set out for Argo CD: one Application for the tree, whose objects have sync waves. Several Applications would
 * not wait for each other; see docs/decisions.
 */
export function argocdLayout(
  set: InstallSet,
  options: TreeOptions,
  settings: ArgoCdSettings,
  write: (value: JsonObject) => string,
): LaidOutSet {
  const depths = installDepths(set)
  const kinds = kindsOfCrds(set, options)
  return {
    set: annotated(set, each => ({
      ...(isProtected(each) ? KEPT : {}),
      ...optionsOf(each, kinds),
      [ARGOCD_WAVE]: `${waveOf(each, depths)}`,
    })),
    added: [
      {path: `${FOLDER}/application.yaml`, content: write(application(options, settings))},
      {path: `${FOLDER}/kustomization.yaml`, content: write(kustomization(['application.yaml']))},
    ],
  }
}

/** Without this, the Application would stay out of sync when the file of an object is removed that is not pruned. */
const KEPT = {[ARGOCD_COMPARE]: 'IgnoreExtraneous'}

const SHARED_WAVES = {namespaces: 0, crds: 1, base: 2} as const
const INSTALL_PHASES = ['identity', 'records', 'controllers']

/** Shared objects first, then the phases of each install after all of those of the installs that it requires. */
function waveOf({phase, install}: SetObject, depths: ReadonlyMap<string, number>): number {
  if (phase === 'namespaces' || phase === 'crds') return SHARED_WAVES[phase]
  if (install === undefined) return SHARED_WAVES.base
  const depth = depths.get(installKey(install)) ?? 0
  return SHARED_WAVES.base + 1 + depth * INSTALL_PHASES.length + INSTALL_PHASES.indexOf(phase)
}

/** https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options */
function optionsOf(each: SetObject, kinds: ReadonlySet<string>): Readonly<Record<string, string>> {
  const list = [
    // The annotation of a client-side apply would be too large for many CRDs, and claims of others would be removed.
    ...(each.phase === 'crds' ? ['ServerSideApply=true'] : []),
    ...(isProtected(each) ? ['Prune=false', 'Delete=false'] : []),
    // Not with `Replace=true`: Argo CD reconciles permissions before that, which creates a binding, and then cannot.
    ...(isBinding(each.object) ? ['Force=true'] : []),
    ...(needsForeignCrd(each, kinds) ? ['SkipDryRunOnMissingResource=true'] : []),
  ]
  return list.length === 0 ? {} : {[ARGOCD_OPTIONS]: list.join(',')}
}

/**
 * Argo CD creates the CRDs of an Application before it checks objects of their kinds; CRDs of others can be missing
 * while it checks.
 */
function needsForeignCrd({phase, object}: SetObject, kinds: ReadonlySet<string>): boolean {
  return phase === 'records' && !kinds.has(kindKey(groupOf(object.apiVersion), object.kind))
}

function kindsOfCrds({objects}: InstallSet, {externalCrds}: TreeOptions): ReadonlySet<string> {
  if (externalCrds) return new Set()
  const specs = objects.filter(({phase}) => phase === 'crds').map(({object}) => asObject(object.spec))
  return new Set(specs.map(({group, names}) => kindKey(asText(group), asText(asObject(names).kind))))
}

function kindKey(group: string, kind: string): string {
  return `${group}/${kind}`
}

/**
 * Without the finalizer of Argo CD, so that deleting the Application deletes no objects. Objects that did not change are
 * not applied again, so that a sync of one install does not write those of others.
 */
function application(
  {path}: TreeOptions,
  {name = treeName(path), repoURL, targetRevision, destination, project, namespace}: ArgoCdSettings,
): JsonObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {name, namespace},
    spec: {
      destination: {...destination},
      project,
      source: {path: path === '' ? '.' : path, repoURL, targetRevision},
      syncPolicy: {
        automated: {prune: true, selfHeal: true},
        retry: {backoff: {duration: '5s', factor: 2, maxDuration: '3m'}, limit: 10},
        syncOptions: ['ApplyOutOfSyncOnly=true'],
      },
    },
  }
}
