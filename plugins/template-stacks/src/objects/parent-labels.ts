import {asText, groupOf, LABEL_LENGTH, truncate, versionOf} from 'kubectl-crossplane/plugin'
import type {CustomResource} from '../custom-resource.js'

/** The labels by which an object names its custom resource begin so. */
export const PARENT_LABEL = 'core.crossplane.io/parent-'

/** The labels by which the objects of a custom resource name it. Long values are cut as the package manager does. */
export function parentLabels({
  object,
  name,
  namespace = '',
}: CustomResource): Readonly<Record<string, string>> {
  const apiVersion = asText(object.apiVersion)
  return {
    [`${PARENT_LABEL}group`]: groupOf(apiVersion),
    [`${PARENT_LABEL}version`]: versionOf(apiVersion),
    [`${PARENT_LABEL}kind`]: asText(object.kind),
    [`${PARENT_LABEL}namespace`]: truncate(namespace, LABEL_LENGTH),
    [`${PARENT_LABEL}name`]: truncate(name, LABEL_LENGTH),
  }
}

const DECIDING =
  /^(?!app\.kubernetes\.io\/)(?:.+\.)?(?:(?:kubernetes|k8s|crossplane)\.io|kubectl-crossplane\.dev)\//

/** Leaves out the labels of a custom resource by which Kubernetes, Crossplane and this program decide. */
export function harmlessLabels(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !DECIDING.test(key)))
}
