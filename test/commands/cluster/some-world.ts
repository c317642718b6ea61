import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import type {PermissionScope} from '../../../src/unpack/package.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'

const folder = temporaryFolder()

const crd = (
  scope: PermissionScope,
  plural: string,
  tag: string,
  keepsFields: boolean,
) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.demo.example.org}
spec:
  group: demo.example.org
  scope: ${scope}
  names: {plural: ${plural}, kind: ${plural.toUpperCase()}, listKind: ${plural.toUpperCase()}List}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, description: Of ${tag}${keepsFields ? KEEPS_FIELDS : ''}}}}
`

const KEEPS_FIELDS = ', x-kubernetes-preserve-unknown-fields: true'

const controller = (image: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: controller}
spec:
  replicas: 1
  selector: {matchLabels: {app: controller}}
  template:
    metadata: {labels: {app: controller}}
    spec:
      containers: [{name: controller, image: "registry.example.org/${image}"}]
`

/** The files of a package `demo/NAME` that owns `NAMEs.demo.example.org` and requires others of these CRDs. */
function packageFiles(
  scope: PermissionScope,
  name: string,
  tag: string,
  requires: readonly string[],
  keepsFields: boolean,
): Record<string, string> {
  const at = `demo/${name}@${tag}/.registry`
  const needs = requires.map(plural => `{crd: ${plural}.demo.example.org/v1}`).join(', ')
  const dependsOn = requires.length === 0 ? '' : `dependsOn: [${needs}]\n`
  return {
    [`${at}/app.yaml`]: `title: ${name}\nversion: ${tag}\npermissionScope: ${scope}\n${dependsOn}`,
    [`${at}/install.yaml`]: controller(`demo/${name}:${tag}`),
    [`${at}/resources/${name}.crd.yaml`]: crd(scope, `${name}s`, tag, keepsFields),
  }
}

/** The arguments that assign the group of demo packages to `demo/NAME`. */
export function ownedBy(name: string): string[] {
  return ['--owner', `demo.example.org=demo/${name}`]
}

/** A folder with packages of one group: each owns a CRD named after it. */
export class DemoPackages {
  readonly folder = mkdtempSync(join(folder, 'demo-'))
  readonly #scope: PermissionScope
  readonly #keepsFields: boolean

  /** With `keepsFields`, instances can have any fields. */
  constructor(scope: PermissionScope = 'Cluster', {keepsFields = false} = {}) {
    this.#scope = scope
    this.#keepsFields = keepsFields
  }

  publish(name: string, tag: string, ...requires: readonly string[]): this {
    writeTree(this.folder, packageFiles(this.#scope, name, tag, requires, this.#keepsFields))
    return this
  }
}
