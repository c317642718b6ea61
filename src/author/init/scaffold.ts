import {present} from '../../present.js'
import type {CrdObject} from '../../unpack/crds.js'
import type {PermissionScope} from '../../unpack/package.js'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import type {ProjectController} from './project-controller.js'

/** The content of a new package. */
export interface NewPackage {
  /** A DNS label, after which its objects are named. */
  readonly name: string
  readonly title: string
  readonly version: string
  readonly permissionScope: PermissionScope
  readonly overview?: string
  readonly crds: readonly CrdObject[]
  /** CRDs of other packages, as in app.yaml. */
  readonly dependsOn?: readonly string[]
  /** Absent for a package without a controller. */
  readonly controller?: ProjectController
}

/** A file of a package, by its path from the package's root. */
export interface NewFile {
  readonly path: string
  readonly text: string
}

/** The files of a new package; lint finds nothing in them if its CRDs are valid. */
export function scaffold(requested: NewPackage): readonly NewFile[] {
  const {name, crds, controller} = requested
  return [
    {path: '.registry/app.yaml', text: appText(requested)},
    ...(controller === undefined
      ? []
      : [{path: '.registry/install.yaml', text: installText(name, controller)}]),
    ...groupFiles(crds),
    ...crds.flatMap(crd => [crdFile(crd), resourceFile(crd)]),
  ]
}

/** The `group.yaml` of each group. */
export function groupFiles(crds: readonly CrdObject[]): readonly NewFile[] {
  const groups = [...new Set(crds.map(({definition}) => definition.group))]
  return groups.map(group => ({path: `.registry/resources/${group}/group.yaml`, text: groupText(group)}))
}

/** The CRD itself. */
export function crdFile(crd: CrdObject): NewFile {
  return {path: `${stemOf(crd)}.crd.yaml`, text: writeYaml([crd.object])}
}

/** Its `resource.yaml`. */
export function resourceFile(crd: CrdObject): NewFile {
  const {kind} = crd.definition
  const shown = {id: kind.toLowerCase(), title: kind, titlePlural: pluralTitle(crd.object, kind)}
  return {
    path: `${stemOf(crd)}.resource.yaml`,
    text: `# How user interfaces show this kind.\n${writeYaml([shown])}`,
  }
}

/** Group and kind are names that Kubernetes accepts: `projectCrds` returns no others. */
function stemOf({definition: {group, kind}}: CrdObject): string {
  const word = kind.toLowerCase()
  return `.registry/resources/${group}/${word}/${word}`
}

function appText({title, version, permissionScope, overview, dependsOn = []}: NewPackage): string {
  const optional = {
    ...present({overview}),
    ...(dependsOn.length === 0 ? {} : {dependsOn: dependsOn.map(crd => ({crd}))}),
  }
  return `# Describes the package. Its record repeats these fields, and catalogs show them.
${writeYaml([{title}])}# The tag that the package is pushed with; change it for each release.
${writeYaml([{version}])}# Cluster: the controller works in every namespace. Namespaced: only in the namespace of the install.
permissionScope: ${permissionScope}
${Object.keys(optional).length === 0 ? '' : writeYaml([optional])}\
# Optional fields: overviewShort, overview, readme, category, keywords, company, license, website, source,
# maintainers and owners (name, email), packageType (Provider, Stack, Application or Addon), and
# dependsOn: the CRDs of other packages that this one requires, such as \`- crd: '*.database.example.org/v1'\`.
`
}

const NAMESPACE = {name: 'POD_NAMESPACE', valueFrom: {fieldRef: {fieldPath: 'metadata.namespace'}}}

function installText(name: string, {image, settings}: ProjectController): string {
  const labels = {app: name}
  const {command, args, ports, env, ...rest} = settings
  const container = {
    name: 'controller',
    ...definedOf({image, command, args, ports}),
    env: [...asObjects(env).filter(({name: variable}) => variable !== NAMESPACE.name), NAMESPACE],
    ...(rest.resources === undefined ? {resources: {requests: {cpu: '100m', memory: '64Mi'}}} : {}),
    ...rest,
  }
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name: `${name}-controller`},
    spec: {
      replicas: 1,
      selector: {matchLabels: labels},
      template: {metadata: {labels}, spec: {containers: [container]}},
    },
  }
  return `# The controller of the package's CRDs. A container without an image runs the package's own image:
# build the package on top of the controller's image with --from.
${writeYaml([deployment])}`
}

function definedOf(settings: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

function groupText(group: string): string {
  return `# How user interfaces show all CRDs of this group.
${writeYaml([{title: group}])}`
}

/** The kind's spelling where possible: `databases` of Database, `policies` of Policy. */
function pluralTitle(object: JsonObject, kind: string): string {
  const plural = asText(asObject(asObject(object.spec).names).plural)
  if (plural.startsWith(kind.toLowerCase())) return kind + plural.slice(kind.length)
  return plural.charAt(0).toUpperCase() + plural.slice(1)
}
