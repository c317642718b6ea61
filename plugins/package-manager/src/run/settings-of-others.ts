import type {KubernetesObject, PlannedPackages, SetInstall} from 'kubectl-crossplane/plugin'
import type {Problem} from './problem.js'
import {isInstalled} from './request-status.js'
import {isTrusted, type Place} from './served-request.js'
import {installFor} from './written-records.js'

/**
 * Reports whether the install of a request has no settings of others: its namespace may request all of them, or the install was
 * made for it. The second also holds for what an administrator adds to that install later, as nothing records who gave a setting:
 * the next pass makes the install what the request says.
 */
export function hasOwnSettings(request: KubernetesObject, place: Place): boolean {
  return isTrusted(request, place) || isInstalled(request)
}

/**
 * Returns why a request may not have the install of its name: a runtime can have Secrets in its environment, and annotations of a
 * service account give rights in a cloud. A request without an install that cannot have them neither takes them over nor shows
 * or removes them. @param installed - what is installed, at the time of a change.
 */
export function settingsOfOthers(
  request: KubernetesObject,
  place: Place,
  installed: PlannedPackages['before'],
): Problem | undefined {
  const before = hasOwnSettings(request, place) ? undefined : installFor(request, installed)
  const setting = before?.request && settingOf(before.request)
  if (before === undefined || setting === undefined) return undefined
  const {namespace, name} = before
  const message = `the install ${namespace}/${name} exists, with ${setting} that an administrator gave it`
  return {reason: 'PolicyRefused', message}
}

function settingOf({
  runtime,
  serviceAccountAnnotations,
}: Pick<NonNullable<SetInstall['request']>, 'runtime' | 'serviceAccountAnnotations'>): string | undefined {
  if (runtime !== undefined) return 'a runtime'
  return Object.keys(serviceAccountAnnotations).length > 0 ? 'annotations of its service account' : undefined
}
