import {
  asObject,
  type JsonObject,
  type NewFile,
  type ProjectFile,
  projectCrds,
  scaffold,
  writeYaml,
} from 'kubectl-crossplane/plugin'
import {newCrd, type NewKind} from './new-crd.js'
import type {RenderedKind} from './sources.js'

/** A package of templates to be written. */
export interface NewTemplatePackage {
  /** A DNS label. */
  readonly name: string
  readonly title: string
  readonly version: string
  readonly overview?: string
  readonly kinds: readonly RenderedKind[]
  /** Files with CRDs that the package installs with those of its kinds. */
  readonly crds?: readonly ProjectFile[]
  /** The `engine` of behavior.yaml. */
  readonly engine: JsonObject
  /** The folder of the templates, from the package's root. */
  readonly path: string
  /** CRDs of other packages, as in app.yaml. */
  readonly dependsOn: readonly string[]
  /** Whether the package creates cluster-scoped objects, whatever the scope of its kinds. */
  readonly isCluster?: boolean
}

/** Returns the files of `.registry/`, by path from the package's root. Throws `input-invalid` for a CRD that no server accepts. */
export function registryFiles(requested: NewTemplatePackage): readonly NewFile[] {
  const {name, title, version, overview, kinds, dependsOn} = requested
  const text = writeYaml(kinds.map(({kind, spec}) => newCrd(kind, spec)))
  const file: ProjectFile = {name: 'the new CRDs', bytes: Buffer.from(text)}
  const crds = projectCrds([file, ...(requested.crds ?? [])], name)
  const isCluster = crds.some(({object}) => asObject(object.spec).scope === 'Cluster')
  const permissionScope = requested.isCluster === true || isCluster ? 'Cluster' : 'Namespaced'
  return [
    ...scaffold({name, title, version, overview, permissionScope, crds, dependsOn}),
    {path: '.registry/behavior.yaml', text: behaviorText(requested)},
  ]
}

function behaviorText({kinds, engine, path}: NewTemplatePackage): string {
  const [crd = null] = kinds.map(({kind}) => ({apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind}))
  const others = kinds.length === 1 ? '' : ', and of the other kinds of the templates folder'
  return `# The templates are rendered for each custom resource of this kind${others}.
${writeYaml([{crd}])}${writeYaml([{engine}])}# The folder of the templates, from the root of the package's image.
${writeYaml([{source: {path}}])}`
}

/** Returns an example of the kind. */
export function exampleResource(
  {
    kind,
    group,
    version,
    scope,
  }: Pick<NewKind, 'kind' | 'group' | 'version'> & Partial<Pick<NewKind, 'scope'>>,
  spec: JsonObject,
): JsonObject {
  const namespace: JsonObject = scope === 'Cluster' ? {} : {namespace: 'default'}
  return {apiVersion: `${group}/${version}`, kind, metadata: {name: 'example', ...namespace}, spec}
}
