import type {ArgoCdSettings} from '../../declaration/layout-settings.js'
import type {JsonObject} from '../../yaml/json-value.js'
import type {TreeOptions} from './layout.js'
import {shortName, treeName} from './tree-name.js'
import type {TreeUnit} from './tree-units.js'

/** The folder of all other Applications, which Argo CD scans. */
export const ARGOCD_FOLDER = 'argocd/applications'

/** With it, Argo CD deletes the objects of an Application that is deleted, except for protected ones. */
const DELETES_OBJECTS = 'resources-finalizer.argocd.argoproj.io'

const COMMENT = `# Starts Argo CD on this tree. It is not part of the tree: apply it once.
`

/** The cluster that Argo CD runs in, which contains its Applications. */
const OWN_CLUSTER = {server: 'https://kubernetes.default.svc'}

/** Returns the beginning of the names of Applications. */
export function argocdPrefix(
  {path}: Pick<TreeOptions, 'path'>,
  {name = treeName(path)}: ArgoCdSettings,
): string {
  return name
}

/**
 * Returns the Application of one unit. Objects that did not change are not applied again. The Applications of shared
 * folders delete nothing when they are deleted.
 */
export function unitApplication(
  {name, path, install}: TreeUnit,
  options: TreeOptions,
  settings: ArgoCdSettings,
): JsonObject {
  const {destination, namespace} = settings
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {name, namespace, ...(install === undefined ? {} : {finalizers: [DELETES_OBJECTS]})},
    spec: {
      destination: {...destination},
      ...sourceOf(path, options, settings),
      syncPolicy: {...syncPolicy(settings), syncOptions: ['ApplyOutOfSyncOnly=true']},
    },
  }
}

/**
 * Returns the text of a file with the Application of all others. It is not named after the tree: an Application of that
 * name managed the objects themselves in earlier layouts, and would delete them. Deleting it deletes no Application.
 */
export function argocdStart(
  options: Pick<TreeOptions, 'path'>,
  settings: ArgoCdSettings,
  write: (value: JsonObject) => string,
): string {
  const root = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: shortName(`${argocdPrefix(options, settings)}-applications`),
      namespace: settings.namespace,
    },
    spec: {
      destination: {...OWN_CLUSTER},
      ...sourceOf(ARGOCD_FOLDER, options, settings),
      syncPolicy: syncPolicy(settings),
    },
  }
  return `${COMMENT}${write(root)}`
}

/** Returns the project and the source of the Application of a folder. */
export function sourceOf(
  folder: string,
  {path}: Pick<TreeOptions, 'path'>,
  {repoURL, targetRevision, project}: ArgoCdSettings,
): JsonObject {
  return {project, source: {path: path === '' ? folder : `${path}/${folder}`, repoURL, targetRevision}}
}

const BACKOFF = {duration: '5s', factor: 2, maxDuration: '3m'}

/**
 * Applications do not wait for each other: one whose requirements do not exist yet is retried until they do. A retry
 * uses the newest commit, so that a fix is deployed. Without that, retries must end: until then, no other commit is.
 */
export function syncPolicy({refresh}: ArgoCdSettings): JsonObject {
  const limit: JsonObject = refresh ? {limit: -1, refresh} : {limit: 10}
  return {automated: {prune: true, selfHeal: true}, retry: {backoff: BACKOFF, ...limit}}
}
