import {asText, type KubernetesObject, nameOf, objectText} from 'kubectl-crossplane/plugin'
import {textOf} from './dependencies.js'
import type {Problem} from './problem.js'
import {idOf} from './written-records.js'

/** Returns the other requests of an install: those of its name, of another kind or era, that stay. */
export function othersOf(
  request: KubernetesObject,
  requests: readonly KubernetesObject[],
): readonly KubernetesObject[] {
  return requests.filter(
    other =>
      textOf(idOf(other)) === textOf(idOf(request)) &&
      other.metadata.uid !== request.metadata.uid &&
      other.metadata.deletionTimestamp === undefined,
  )
}

/** Returns why a request is not the one that decides about the install of its name: the oldest does. */
export function whyNotFirst(
  request: KubernetesObject,
  requests: readonly KubernetesObject[],
): Problem | undefined {
  const first = othersOf(request, requests).find(other => ageOf(other) < ageOf(request))
  if (first === undefined) return undefined
  const message = `${objectText(nameOf(first))} of ${first.apiVersion} has this name: give one of the requests another name`
  return {reason: 'Conflict', message}
}

/** Sorts as the request that was created first, and then by uid. */
function ageOf({metadata}: KubernetesObject): string {
  return `${asText(metadata.creationTimestamp)} ${asText(metadata.uid)}`
}
