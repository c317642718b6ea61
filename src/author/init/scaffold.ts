import type {CrdObject} from '../../unpack/crds.js'
import type {PermissionScope} from '../../unpack/package.js'
import {asObject, asText, type JsonObject} from '../../yaml/json-value.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import type {ProjectController} from './project-controller.js'

/** What a new package is to be. */
export interface NewPackage {
  /** A DNS label: what its objects are called. */
  readonly name: string
  readonly title: string
  readonly version: string
  readonly permissionScope: PermissionScope
  readonly crds: readonly CrdObject[]
  /** None for a package without a controller. */
  readonly controller?: ProjectController
}

/** A file of it, by its path from the package's root. */
export interface NewFile {
  readonly path: string
  readonly text: string
}

/** The files of a package that lint finds nothing in, as far as its CRDs are sound. */
export function scaffold(requested: NewPackage): readonly NewFile[] {
  const groups = [...new Set(requested.crds.map(({definition}) => definition.group))]
  return [
    {path: '.registry/app.yaml', text: appText(requested)},
    ...(requested.controller === undefined
      ? []
      : [{path: '.registry/install.yaml', text: installText(requested.name, requested.controller)}]),
    ...groups.map(group => ({path: `.registry/resources/${group}/group.yaml`, text: groupText(group)})),
    ...requested.crds.flatMap(crdFiles),
  ]
}

function appText({title, version, permissionScope}: NewPackage): string {
  return `# What the package is. Its record repeats this, and catalogues show it.
${writeYaml([{title}])}# As in the tag it is pushed under; a new one for each release.
${writeYaml([{version}])}# Cluster: its controller may work in every namespace. Namespaced: in that of the install alone.
permissionScope: ${permissionScope}
# More to say: overviewShort, overview, readme, category, keywords, company, license, website, source,
# maintainers and owners (name, email), packageType (Provider, Stack, Application or Addon), and
# dependsOn: the CRDs of other packages that this one needs, as \`- crd: '*.database.example.org/v1'\`.
`
}

function installText(name: string, {image, command}: ProjectController): string {
  const labels = {app: name}
  const container = {
    name: 'controller',
    ...(image === undefined ? {} : {image}),
    ...(command.length === 0 ? {} : {command}),
    env: [{name: 'POD_NAMESPACE', valueFrom: {fieldRef: {fieldPath: 'metadata.namespace'}}}],
    resources: {requests: {cpu: '100m', memory: '64Mi'}},
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
  return `# The controller of the package's CRDs. A container without an image runs the package's own:
# build the package on top of the controller's with --from.
${writeYaml([deployment])}`
}

function groupText(group: string): string {
  return `# What people see of all CRDs of this group.
${writeYaml([{title: group}])}`
}

function crdFiles({object, definition}: CrdObject): NewFile[] {
  const {group, kind} = definition
  const word = kind.toLowerCase()
  const folder = `.registry/resources/${group}/${word}`
  return [
    {path: `${folder}/${word}.crd.yaml`, text: writeYaml([object])},
    {
      path: `${folder}/${word}.resource.yaml`,
      text: `# What people see of this kind.\n${writeYaml([{id: word, title: kind, titlePlural: pluralTitle(object, kind)}])}`,
    },
  ]
}

/** In the kind's own spelling as far as it goes: `databases` of Database, `policies` of Policy. */
function pluralTitle(object: JsonObject, kind: string): string {
  const plural = asText(asObject(asObject(object.spec).names).plural)
  if (plural.startsWith(kind.toLowerCase())) return kind + plural.slice(kind.length)
  return plural.charAt(0).toUpperCase() + plural.slice(1)
}
