import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const folder = temporaryFolder()
let packages = 0

/** What a package of these cases says. */
export interface Content {
  readonly owns?: string
  readonly served?: string
  readonly app?: string
}

/** A new folder with these files; the packages are made of their short descriptions. */
export function folderOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  contents: Readonly<Record<string, Content>> = {},
): string {
  const root = mkdtempSync(join(folder, 'case-'))
  for (const [path, content] of Object.entries(contents)) addPackage(root, path, content)
  return writeTree(root, files)
}

/** Writes a package below a folder. */
export function addPackage(root: string, path: string, content: Content): void {
  writeTree(join(root, path), packageFiles(path, content))
}

/** A path at which nothing is. */
export function newPath(name = 'new'): string {
  return join(folder, `${name}-${(packages += 1)}`)
}

/** The files of a package whose version is the end of its path. */
function packageFiles(path: string, {owns, served = 'v1', app = ''}: Content): Record<string, string> {
  const version = path.split('@').at(-1) ?? ''
  const scope = app.includes('permissionScope') ? '' : 'permissionScope: Cluster\n'
  return {
    '.registry/app.yaml': `title: Case\nversion: ${version}\n${scope}${app}`,
    ...(owns === undefined
      ? {}
      : {
          '.registry/resources/a.crd.yaml': crdText(
            owns,
            served,
            app.includes('Namespaced') ? 'Namespaced' : 'Cluster',
          ),
        }),
  }
}

/** A CRD such as `as.x.example.org`. */
export function crdText(name: string, served = 'v1', scope = 'Cluster'): string {
  const [plural = '', ...group] = name.split('.')
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${name}}
spec:
  group: ${group.join('.')}
  scope: ${scope}
  names: {plural: ${plural}, kind: ${plural.toUpperCase()}}
  versions:
  - {name: ${served}, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`
}

/** A declaration of packages, with more lines. */
export function declarationOf(names: readonly string[], more = ''): string {
  const list = names.map(name => `- package: ${name}\n`).join('')
  return `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n${list}${more}`
}
