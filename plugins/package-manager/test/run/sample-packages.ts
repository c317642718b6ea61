import {writeTree} from '../../../../test/temporary-folder.js'

/** A CRD of the sample packages. */
export function sampleCrd(group: string, kind: string, plural: string, versions = ['v1']): string {
  const each = versions.map(
    (name, index) => `  - name: ${name}
    served: true
    storage: ${String(index === 0)}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`,
  )
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.${group}}
spec:
  group: ${group}
  names: {kind: ${kind}, listKind: ${kind}List, plural: ${plural}, singular: ${kind.toLowerCase()}}
  scope: Namespaced
  versions:
${each.join('')}`
}

interface Sample {
  readonly version: string
  readonly scope?: 'Cluster' | 'Namespaced'
  readonly crds?: Readonly<Record<string, string>>
  readonly dependsOn?: readonly string[]
  /** Further fields of the Pod; null for a package without a controller. */
  readonly pod?: string | null
  /** The image of its controller. */
  readonly image?: string
}

/** Writes a package where `--packages` looks for it. */
export function writePackage(root: string, path: string, sample: Sample): void {
  const {version, scope = 'Cluster', crds = {}, dependsOn = [], pod = '', image} = sample
  const name = path.slice(path.lastIndexOf('/') + 1)
  const files = Object.entries(crds).map(
    ([file, text]) => [`.registry/resources/${file}.crd.yaml`, text] as const,
  )
  writeTree(`${root}/${path}@${version}`, {
    '.registry/app.yaml': `apiVersion: 0.1.0
title: ${name}
version: ${version}
permissionScope: ${scope}
dependsOn: [${dependsOn.map(each => `{crd: ${each}}`).join(', ')}]
`,
    ...(pod === null ? {} : {'.registry/install.yaml': controllerOf(name, version, pod, image)}),
    ...Object.fromEntries(files),
  })
}

function controllerOf(
  name: string,
  version: string,
  pod: string,
  image = `example.org/${name}:${version}`,
): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: controller}
spec:
  replicas: 1
  selector: {matchLabels: {app: x}}
  template:
    metadata: {labels: {app: x}}
    spec:
      ${pod}
      containers: [{name: controller, image: '${image}', env: [{name: VERSION, value: ${version}}]}]
`
}

/** A queue in three versions, the last without its CRD; an app of a namespace that requires it; a package that uses its node. */
export function writeSamples(root: string): void {
  const queues = {queue: sampleCrd('queue.example.org', 'Queue', 'queues')}
  const both = {queue: sampleCrd('queue.example.org', 'Queue', 'queues', ['v1', 'v2'])}
  writePackage(root, 'example/queue', {version: 'v1.0.0', crds: queues})
  writePackage(root, 'example/queue', {version: 'v1.1.0', crds: both})
  writePackage(root, 'example/queue', {
    version: 'v2.0.0',
    crds: {other: sampleCrd('queue.example.org', 'Other', 'others')},
  })
  writePackage(root, 'example/app', {
    version: 'v1.0.0',
    scope: 'Namespaced',
    crds: {app: sampleCrd('app.example.org', 'App', 'apps')},
    dependsOn: ['queues.queue.example.org/v1'],
  })
  writePackage(root, 'example/node', {version: 'v1.0.0', pod: 'hostPID: true'})
  writePackage(root, 'example/lonely', {version: 'v1.0.0', dependsOn: ['things.nowhere.example.org/v1']})
}

/**
 * What a tenant would like to run: a fork that has the CRD of another package, and a newer app with another version of its CRD.
 * And a package without CRDs.
 */
export function writeTemptations(root: string): void {
  writePackage(root, 'example/plain', {version: 'v1.0.0'})
  writePackage(root, 'evil/plain', {version: 'v1.0.0', scope: 'Namespaced', image: 'evil/image:v1'})
  writePackage(root, 'evil/queue', {
    version: 'v9.0.0',
    scope: 'Namespaced',
    crds: {queue: sampleCrd('queue.example.org', 'Queue', 'queues', ['v9'])},
  })
  writePackage(root, 'example/app', {
    version: 'v1.1.0',
    scope: 'Namespaced',
    crds: {app: sampleCrd('app.example.org', 'App', 'apps', ['v1', 'v2'])},
    dependsOn: ['queues.queue.example.org/v1'],
  })
}
