import {cpSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {CORPUS_ROOT} from '../../../../test/corpus.js'
import {writeTree} from '../../../../test/temporary-folder.js'

interface Sample {
  readonly scope: 'Cluster' | 'Namespaced'
  readonly title: string
  readonly crds: Readonly<Record<string, readonly string[]>>
  readonly dependsOn?: string
}

/** The packages that the original manager was given when it was recorded. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  'demo@v1': {scope: 'Namespaced', title: 'Demo one', crds: {Widget: ['v1alpha1']}},
  // Only stable versions are selected for a CRD.
  'demo@v1.0.0': {scope: 'Namespaced', title: 'Demo one', crds: {Widget: ['v1alpha1']}},
  'demo@v2': {
    scope: 'Namespaced',
    title: 'Demo two',
    crds: {Widget: ['v1alpha1', 'v1beta1'], Gadget: ['v1alpha1']},
  },
  'demo@v3': {scope: 'Namespaced', title: 'Demo three', crds: {Widget: ['v1beta1']}},
  'cdemo@v1': {scope: 'Cluster', title: 'Cluster demo', crds: {Widget: ['v1alpha1']}},
  'cdemo@v2': {scope: 'Cluster', title: 'Cluster demo', crds: {Widget: ['v1alpha1']}},
  'core@v1': {
    scope: 'Cluster',
    title: 'Core demo',
    crds: {Widget: ['v1alpha1']},
    dependsOn: "{crd: 'nodes.k8s.io/v1'}",
  },
}

/** Writes the packages of a case, whose CRDs are in a group of its own: recorded one after the other, they run at once here. */
export function writeRecordedPackages(root: string, name: string): void {
  for (const [path, {scope, title, crds, dependsOn = ''}] of Object.entries(SAMPLES)) {
    const files = Object.entries(crds).map(([kind, versions]) => {
      const plural = `${kind.toLowerCase()}s`
      return [`.registry/resources/${plural}.crd.yaml`, crdText(name, kind, plural, versions)] as const
    })
    writeTree(`${root}/${name}/${path}`, {
      '.registry/app.yaml': `apiVersion: 0.1.0
title: ${title}
packageType: Application
permissionScope: ${scope}
dependsOn: [${dependsOn}]
`,
      '.registry/install.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: x}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers: [{name: c}]
`,
      ...Object.fromEntries(files),
    })
  }
}

/** v0.4.0 of a real package, which was recorded, has another controller than v0.5.0. It is there with and without a source. */
export function writeTemplatePackage(root: string, name: string): void {
  for (const place of [root, join(root, 'registry.example.org')]) {
    const folder = join(place, name, 'app-wordpress@v0.4.0')
    cpSync(join(CORPUS_ROOT, 'corpus/app-wordpress@v0.5.0'), folder, {recursive: true})
    const behavior = join(folder, '.registry/behavior.yaml')
    writeFileSync(behavior, readFileSync(behavior, 'utf8').replace('controller:v0.4.0', 'controller:v0.3.0'))
  }
}

function crdText(name: string, kind: string, plural: string, versions: readonly string[]): string {
  const each = versions.map(
    (version, at) => `  - name: ${version}\n    served: true\n    storage: ${String(at === 0)}\n`,
  )
  return `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: ${plural}.${name}.example.org}
spec:
  group: ${name}.example.org
  names: {kind: ${kind}, plural: ${plural}}
  scope: Namespaced
  subresources: {status: {}}
  version: ${versions[0] ?? ''}
  versions:
${each.join('')}`
}
