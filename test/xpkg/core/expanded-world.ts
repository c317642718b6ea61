import {join} from 'node:path'
import {runCli} from '../../run-cli.js'
import {writeTree} from '../../temporary-folder.js'

const GROUP = 'expand.example.org'

function crd(kind: string, group = GROUP, versions: readonly string[] = ['v1']) {
  const plural = `${kind.toLowerCase()}s`
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.${group}`, labels: {'example.org/own': 'yes'}},
    spec: {
      group,
      scope: 'Cluster',
      names: {kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List`, categories: ['managed']},
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: {openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object'}}}},
        subresources: {status: {}},
      })),
    },
  }
}

const meta = (kind: string, spec: object, metadata: object = {}) => ({
  apiVersion: 'meta.pkg.crossplane.io/v1',
  kind,
  metadata: {name: kind.toLowerCase(), ...metadata},
  spec,
})

const FAMILY = {labels: {'pkg.crossplane.io/provider-family': 'things'}}
const SCHEMA = {openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object'}}}}
const STEP = {step: 'one', functionRef: {name: 'expand-function-z'}}

/** The packages by path in a registry: two of one family, of which one starts with inactive kinds, and what uses them. */
function world(host: string): Readonly<Record<string, readonly object[]>> {
  const on = (kind: string, name: string) => ({[kind]: `${host}/expand/${name}`, version: 'v1.0.0'})
  return {
    'provider-x': [
      meta(
        'Provider',
        {capabilities: ['safe-start']},
        {...FAMILY, annotations: {'meta.crossplane.io/license': 'MIT'}},
      ),
      crd('Thing', GROUP, ['v2', 'v1']),
      crd('Idle'),
      crd('ProviderConfig'),
    ],
    'provider-y': [
      meta('Provider', {}, FAMILY),
      crd('Other', `other.${GROUP}`),
      crd('StoreConfig', `other.${GROUP}`),
    ],
    'function-z': [meta('Function', {}), crd('Input')],
    configuration: [
      meta('Configuration', {
        dependsOn: [on('provider', 'provider-x'), on('provider', 'provider-y'), on('function', 'function-z')],
      }),
      {
        apiVersion: 'apiextensions.crossplane.io/v2',
        kind: 'CompositeResourceDefinition',
        metadata: {name: `apps.${GROUP}`},
        spec: {
          group: GROUP,
          names: {kind: 'App', plural: 'apps'},
          versions: [{name: 'v1', served: true, referenceable: true, schema: SCHEMA}],
        },
      },
      {
        apiVersion: 'apiextensions.crossplane.io/v1',
        kind: 'CompositeResourceDefinition',
        metadata: {name: `xsites.${GROUP}`},
        spec: {
          group: GROUP,
          names: {kind: 'XSite', plural: 'xsites'},
          claimNames: {kind: 'Site', plural: 'sites'},
          versions: [{name: 'v1', served: true, referenceable: true, schema: SCHEMA}],
        },
      },
      {
        apiVersion: 'apiextensions.crossplane.io/v1',
        kind: 'Composition',
        metadata: {name: 'apps'},
        spec: {
          compositeTypeRef: {apiVersion: `${GROUP}/v1`, kind: 'App'},
          mode: 'Pipeline',
          pipeline: [STEP],
        },
      },
    ],
  }
}

/** Activates one kind of two. */
const POLICIES = JSON.stringify({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'ManagedResourceActivationPolicy',
  metadata: {name: 'expand-things'},
  spec: {activate: [`thing*.${GROUP}`]},
})

/** Pushes the packages, and writes a declaration that requests them; returns its path. */
export async function publishWorld(folder: string, host: string): Promise<string> {
  for (const [name, objects] of Object.entries(world(host))) {
    const [metadata, ...others] = objects.map(object => JSON.stringify(object))
    const files = Object.fromEntries(others.map((text, index) => [`object-${index}.yaml`, text]))
    const source = writeTree(join(folder, name), {'crossplane.yaml': metadata ?? '', ...files})
    const {status, stderr} = await runCli('package', 'push', `${host}/expand/${name}:v1.0.0`, source)
    if (status !== 0) throw new Error(stderr)
  }
  const runtime = {replicas: 2, env: [{name: 'DEBUG', value: 'yes'}]}
  const declaration = {
    apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1',
    kind: 'PackageDeclaration',
    packages: [
      {package: `${host}/expand/configuration:v1.0.0`},
      {package: `${host}/expand/provider-x:v1.0.0`, runtime},
    ],
  }
  writeTree(folder, {'declaration.yaml': JSON.stringify(declaration), 'policies.yaml': POLICIES})
  return join(folder, 'declaration.yaml')
}
