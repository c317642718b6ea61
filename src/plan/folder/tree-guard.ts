import type {JsonObject} from '../../yaml/json-value.js'
import {kustomization, type OutputFile} from './file-tree.js'

/** The file that starts Flux on a tree. */
export const FLUX_START = 'flux/start.yaml'

/** The file that starts Argo CD on a tree. */
export const ARGOCD_START = 'argocd/start.yaml'

/** The file with health checks for Argo CD, which users add to its settings. */
export const ARGOCD_HEALTH = 'argocd/health.yaml'

const COMMENT = `# This folder cannot be applied as a whole: its parts are applied by themselves, which FILE starts.
# The missing resource stops a controller that is pointed here: it neither applies nor deletes anything.
`

/**
 * Returns the kustomization at the top of a tree that a controller applies in parts. It cannot be built: otherwise a
 * controller that is pointed at the whole tree, as earlier layouts were, would delete objects or apply them twice.
 * @param start - the path of the file that starts the controller.
 */
export function treeGuard(
  start: string,
  write: (value: JsonObject) => string,
): Pick<OutputFile, 'path' | 'content'> {
  const missing = `apply-${start.replaceAll('/', '-')}`
  return {
    path: 'kustomization.yaml',
    content: `${COMMENT.replace('FILE', start)}${write(kustomization([missing]))}`,
  }
}

/** Returns the path of the file that starts the controller, if text is such a kustomization. */
export function guardedStart(text: string): string | undefined {
  return GUARD.exec(text)?.[1]
}

const GUARD = /^# This folder cannot be applied as a whole: .*, which (\S+) starts\.$/m
