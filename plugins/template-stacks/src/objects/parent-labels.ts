import {asText, groupOf, LABEL_LENGTH, truncate, versionOf} from 'kubectl-crossplane/plugin'
import type {CustomResource} from '../custom-resource.js'

/** The labels by which the objects of a custom resource name it. Long values are cut as the package manager does. */
export function parentLabels({
  object,
  name,
  namespace = '',
}: CustomResource): Readonly<Record<string, string>> {
  const apiVersion = asText(object.apiVersion)
  return {
    'core.crossplane.io/parent-group': groupOf(apiVersion),
    'core.crossplane.io/parent-version': versionOf(apiVersion),
    'core.crossplane.io/parent-kind': asText(object.kind),
    'core.crossplane.io/parent-namespace': truncate(namespace, LABEL_LENGTH),
    'core.crossplane.io/parent-name': truncate(name, LABEL_LENGTH),
  }
}
