import type {XpkgKind} from '../../xpkg/content/object-kinds.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import type {NewFile} from './scaffold.js'

/** The content of a new package for a current Crossplane. */
export interface NewXpkg {
  readonly kind: XpkgKind
  /** A DNS label. */
  readonly name: string
  readonly title: string
}

/** The files of a new package for a current Crossplane, in which lint finds nothing. */
export function xpkgScaffold(requested: NewXpkg): readonly NewFile[] {
  return [{path: 'crossplane.yaml', text: metadataText(requested)}, ...CONTENT[requested.kind]()]
}

function metadataText({kind, name, title}: NewXpkg): string {
  const metadata = {
    apiVersion: 'meta.pkg.crossplane.io/v1',
    kind,
    metadata: {name, annotations: {'friendly-name.meta.crossplane.io': title}},
  }
  return `# Describes the package. Other annotations that catalogs show: meta.crossplane.io/description, readme, license,
# maintainer and source.
${writeYaml([metadata])}${SPEC[kind]}`
}

const SPEC: Readonly<Record<XpkgKind, string>> = {
  Provider: `spec:
  # The versions of Crossplane for which it is written.
  crossplane:
    version: ">=v1.20.0"
  # safe-start: the CRDs appear when users activate them.
  capabilities:
  - safe-start
# Build it on the image of its controller, with --embed-runtime-image.
`,
  Configuration: `spec:
  # The versions of Crossplane for which it is written.
  crossplane:
    version: ">=v2.0.0"
  # The packages that it requires.
  dependsOn:
  - function: xpkg.crossplane.io/crossplane-contrib/function-patch-and-transform
    version: ">=v0.8.0"
`,
  Function: `spec:
  # The versions of Crossplane for which it is written.
  crossplane:
    version: ">=v1.20.0"
  capabilities:
  - composition
# Build it on the image of its program, with --embed-runtime-image.
`,
}

const CONTENT: Readonly<Record<XpkgKind, () => readonly NewFile[]>> = {
  Provider: () => [
    {
      path: 'crds/providerconfigs.yaml',
      text: `# The settings with which the controller works.
${writeYaml([PROVIDER_CONFIG])}`,
    },
  ],
  Configuration: () => [
    {
      path: 'apis/definition.yaml',
      text: `# The kind that the package defines.
${writeYaml([DEFINITION])}`,
    },
    {
      path: 'apis/composition.yaml',
      text: `# What Crossplane creates for an object of that kind.
${writeYaml([COMPOSITION])}`,
    },
    {path: 'examples/app.yaml', text: writeYaml([EXAMPLE])},
  ],
  Function: () => [],
}

const GROUP = 'example.org'

const PROVIDER_CONFIG = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: `providerconfigs.${GROUP}`},
  spec: {
    group: GROUP,
    names: {
      kind: 'ProviderConfig',
      listKind: 'ProviderConfigList',
      plural: 'providerconfigs',
      singular: 'providerconfig',
    },
    scope: 'Cluster',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {spec: {type: 'object', properties: {endpoint: {type: 'string'}}}},
          },
        },
      },
    ],
  },
}

const DEFINITION = {
  apiVersion: 'apiextensions.crossplane.io/v2',
  kind: 'CompositeResourceDefinition',
  metadata: {name: `apps.${GROUP}`},
  spec: {
    group: GROUP,
    names: {kind: 'App', plural: 'apps'},
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        referenceable: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {spec: {type: 'object', properties: {message: {type: 'string'}}}},
          },
        },
      },
    ],
  },
}

const COMPOSITION = {
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  metadata: {name: 'apps'},
  spec: {
    compositeTypeRef: {apiVersion: `${GROUP}/v1`, kind: 'App'},
    mode: 'Pipeline',
    pipeline: [
      {
        step: 'patch-and-transform',
        functionRef: {name: 'crossplane-contrib-function-patch-and-transform'},
        input: {
          apiVersion: 'pt.fn.crossplane.io/v1beta1',
          kind: 'Resources',
          resources: [
            {
              name: 'config',
              base: {apiVersion: 'v1', kind: 'ConfigMap'},
              patches: [
                {
                  type: 'FromCompositeFieldPath',
                  fromFieldPath: 'spec.message',
                  toFieldPath: 'data.message',
                },
              ],
              readinessChecks: [{type: 'None'}],
            },
          ],
        },
      },
    ],
  },
}

const EXAMPLE = {
  apiVersion: `${GROUP}/v1`,
  kind: 'App',
  metadata: {name: 'example', namespace: 'default'},
  spec: {message: 'hello'},
}
