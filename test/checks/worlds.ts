import {present} from '../../src/present.js'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import type {JsonObject} from '../../src/yaml/json-value.js'

/** The two formats of packages. */
export const FORMATS = ['stack', 'xpkg'] as const
export type Format = (typeof FORMATS)[number]

/** The places at which a check can be made, in the order of a package's way. */
export const PLACES = [
  ...(['lint', 'build', 'push', 'lock', 'render', 'check', '--git'] as const),
  ...(['--git --context', 'install', 'upgrade', 'move', 'manager', 'bundle'] as const),
] as const
export type Place = (typeof PLACES)[number]

/** A version of a package, of either format. */
export interface Authored {
  readonly name: string
  readonly tag: string
  readonly crds?: readonly Crd[]
  /** The names of packages that it requires, with their CRD for a package of v0.12. */
  readonly requires?: readonly {
    readonly name: string
    readonly crd: string
    /** For a package of a current Crossplane; any by default. */
    readonly constraint?: string
    readonly kind?: 'provider' | 'function'
  }[]
  /** A folder with a real package, which is taken as it is. */
  readonly source?: string
  /** A line that keeps its metadata from being read. */
  readonly broken?: string
  readonly kind?: 'Provider' | 'Configuration' | 'Function'
  readonly objects?: readonly JsonObject[]
  /** Of a Function. */
  readonly capabilities?: readonly string[]
  /** Fields of the Pods of its controller, which only packages of v0.12 name. */
  readonly pod?: JsonObject
}

export interface Crd {
  readonly plural: string
  readonly versions?: readonly string[]
  readonly scope?: 'Cluster' | 'Namespaced'
  /** What its schema has besides its type. */
  readonly schema?: JsonObject
}

/** The registry and folder of the packages. */
export const REGISTRY = 'registry.example.org'

/** The reference of a package. */
export function reference(name: string, tag?: string): string {
  return `${REGISTRY}/example/${name}${tag === undefined ? '' : `:${tag}`}`
}

/** The references of versions of packages. */
export function tagged(packages: readonly Authored[]): readonly string[] {
  return [...new Set(packages.map(({name, tag}) => reference(name, tag)))]
}

/** Gives a fixture repositories, an API group and objects of its own. */
export function ownNames(name: string, host = REGISTRY): (text: string) => string {
  return text =>
    text
      .replaceAll(REGISTRY, host)
      .replaceAll('example/', `${name}/`)
      .replaceAll('example-', `${name}-`)
      .replaceAll('example.org', `${name}.example.org`)
}

/** A version before a faulty one. */
export function harmless({name, kind = 'Provider'}: Authored): Authored {
  return {name, tag: 'v0.9.0', kind}
}

/** The files of a folder of packages, by path. */
export function packageFiles(
  format: Format,
  packages: readonly Authored[],
): Readonly<Record<string, string>> {
  return Object.assign(
    {},
    ...packages.map(one =>
      Object.fromEntries(
        Object.entries(format === 'stack' ? stackFiles(one) : xpkgFiles(one)).map(([path, text]) => [
          `example/${one.name}@${one.tag}/${path}`,
          text,
        ]),
      ),
    ),
  ) as Record<string, string>
}

/** The kind of a CRD, by its plural. */
export function kindOf(plural: string): string {
  return `${plural.charAt(0).toUpperCase()}${plural.slice(1, -1)}`
}

function crdOf({plural, versions = ['v1'], scope = 'Cluster', schema = {}}: Crd): JsonObject {
  const kind = kindOf(plural)
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.example.org`},
    spec: {
      group: 'example.org',
      scope,
      names: {plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List`},
      versions: versions.map((name, i) => ({
        name,
        served: true,
        storage: i === 0,
        schema: {openAPIV3Schema: {type: 'object', ...schema}},
      })),
    },
  }
}

function stackFiles({name, tag, crds = [], requires = [], broken = '', pod = {}}: Authored) {
  const dependsOn = requires.map(({crd}) => ({crd: `${crd}.example.org/v1`}))
  const app = {
    ...{title: name, version: tag, category: 'Test', company: 'Example', license: 'Apache-2.0'},
    ...{packageType: 'Provider', permissionScope: 'Cluster', dependsOn},
    overview: 'A package of a test.',
    maintainers: [{name: 'A', email: 'a@example.org'}],
    owners: [{name: 'A', email: 'a@example.org'}],
    keywords: ['test'],
  }
  const spec = {containers: [{name: 'controller', image: `${reference(name)}:${tag}`}], ...pod}
  const labels = {app: name}
  return {
    '.registry/app.yaml': `${writeYaml([app])}${broken}`,
    '.registry/install.yaml': writeYaml([
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: {name},
        spec: {selector: {matchLabels: labels}, template: {metadata: {labels}, spec}},
      },
    ]),
    ...Object.fromEntries(
      crds.map(crd => [`.registry/resources/${crd.plural}.crd.yaml`, writeYaml([crdOf(crd)])]),
    ),
  }
}

function xpkgFiles({
  name,
  crds = [],
  requires = [],
  broken = '',
  kind = 'Provider',
  objects = [],
  ...more
}: Authored) {
  const dependsOn = requires.map(({name: required, kind: type = 'provider', constraint = '*'}) => ({
    [type]: reference(required),
    version: constraint,
  }))
  const meta = {
    apiVersion: 'meta.pkg.crossplane.io/v1',
    kind,
    metadata: {name},
    spec: {dependsOn, ...present({capabilities: more.capabilities})},
  }
  return {
    'crossplane.yaml': `${writeYaml([meta])}${broken}`,
    ...(crds.length + objects.length === 0
      ? {}
      : {'objects.yaml': writeYaml([...crds.map(crdOf), ...objects])}),
  }
}
