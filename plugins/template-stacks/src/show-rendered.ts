import {formatObjects, groupOf, type KubernetesObject, lines, nameOf} from 'kubectl-crossplane/plugin'

/** The formats of rendered objects. */
export const FORMATS = ['yaml', 'json', 'name'] as const
export type Format = (typeof FORMATS)[number]

/** Formats objects: a YAML stream, a List, or their names as kubectl prints them. */
export function formatRendered(objects: readonly KubernetesObject[], format: Format): string {
  if (format !== 'name') return formatObjects(objects, format)
  return objects.length === 0 ? '' : lines(objects.map(nameText))
}

/** `deployment.apps/web`. */
function nameText(object: KubernetesObject): string {
  const {apiVersion, kind, name} = nameOf(object)
  const group = groupOf(apiVersion)
  return `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${name}`
}
