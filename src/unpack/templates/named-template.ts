/** What the path of a file says about a named template, or about a text that templates include. */
export interface NamedTemplate {
  /** `KIND.GROUP/VERSION` for a template of that kind, else the folder; empty for a file in no folder. */
  readonly key: string
  /** The file without its extension. */
  readonly name: string
  /** The kind whose custom resources the template is for. */
  readonly renders?: {readonly kind: string; readonly apiVersion: string}
}

/** The template of the status of a custom resource. */
export const STATUS_TEMPLATE = 'status'

const KIND_FOLDER = /^([A-Z][A-Za-z0-9]*)\.([a-z0-9.-]+)_(v[a-z0-9]+)$/
const EXTENSION = /\.(?:ya?ml|tpl|txt)$/

/** Reads a path in the folder of named templates: `KIND.GROUP_VERSION/NAME.yaml` is a template of that kind. */
export function namedTemplate(path: string): NamedTemplate {
  const slash = path.lastIndexOf('/')
  const folder = path.slice(0, Math.max(0, slash))
  const name = path.slice(slash + 1).replace(EXTENSION, '')
  const [, kind, group = '', version = ''] = KIND_FOLDER.exec(folder) ?? []
  if (kind === undefined) return {key: folder, name}
  const apiVersion = `${group}/${version}`
  return {key: `${kind}.${apiVersion}`, name, renders: {kind, apiVersion}}
}
