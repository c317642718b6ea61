import {writeTree} from '../../temporary-folder.js'

/** What a version of the Provider `gate` has; by default a cluster-scoped CRD of one version. */
interface Gate {
  readonly plural?: string
  readonly scope?: 'Cluster' | 'Namespaced'
  /** The versions of its CRD; the first one is stored. */
  readonly versions?: readonly string[]
}

/** Writes a version of the Provider `gate` where `--packages` looks for it. */
export function writeGate(packages: string, tag: string, gate: Gate = {}): void {
  const {plural = 'gates', scope = 'Cluster', versions = ['v1']} = gate
  const served = versions.map(
    (name, index) =>
      `  - {name: ${name}, served: true, storage: ${index === 0}, schema: {openAPIV3Schema: {type: object}}}\n`,
  )
  writeTree(packages, {
    [`example/gate@${tag}/crossplane.yaml`]:
      'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: gate}\n',
    [`example/gate@${tag}/crd.yaml`]: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.example.org}
spec:
  group: example.org
  scope: ${scope}
  names: {plural: ${plural}, singular: ${plural}, kind: ${plural.toUpperCase()}}
  versions:
${served.join('')}`,
  })
}
