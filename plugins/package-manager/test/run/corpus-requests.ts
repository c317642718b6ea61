import {cpSync} from 'node:fs'
import {join} from 'node:path'
import {
  asObject,
  convertCrd,
  type JsonObject,
  type KubernetesObject,
  readYaml,
} from 'kubectl-crossplane/plugin'
import type {TestCluster} from '../../../../test/cluster/api-server.js'
import {accepted} from '../../../../test/cluster/kube.js'
import {CORPUS_ROOT, corpusEntries, corpusTag, corpusText} from '../../../../test/corpus.js'

/** A package of the corpus as a request. */
export interface CorpusRequest {
  /** The folder in the corpus, such as `provider-gcp@v0.9.0`. */
  readonly entry: string
  readonly reference: string
  readonly object: JsonObject
}

/**
 * Returns a request for each package of the corpus: of Cluster packages in one namespace, of others in another one. Those of
 * all versions of a package have the same name.
 */
export function corpusRequests(system: string, apps: string): readonly CorpusRequest[] {
  return corpusEntries('corpus')
    .filter(entry => entry.includes('@'))
    .map(entry => {
      const [name = '', ref = ''] = entry.split('@')
      const tag = corpusTag(join(CORPUS_ROOT, 'corpus', entry), ref)
      const reference = `crossplane/${name}:${tag}`
      const isCluster = /^permissionScope: Cluster/m.test(corpusText('corpus', entry, '.registry/app.yaml'))
      const object = {
        apiVersion: 'packages.crossplane.io/v1alpha1',
        kind: isCluster ? 'ClusterPackageInstall' : 'PackageInstall',
        metadata: {name, namespace: isCluster ? system : apps},
        spec: {package: reference},
      }
      return {entry, reference, object}
    })
}

/** Copies packages of the corpus to where `--packages` looks for them. */
export function copyPackages(requests: readonly CorpusRequest[], root: string): void {
  for (const {entry, reference} of requests)
    cpSync(join(CORPUS_ROOT, 'corpus', entry), join(root, reference.replace(':', '@')), {recursive: true})
}

/** Creates the CRDs that Crossplane v0.12 itself included. */
export async function applyCore({kube}: TestCluster): Promise<void> {
  const folder = 'corpus-core/crossplane@v0.12.0'
  const files = corpusEntries(folder).filter(file => file.endsWith('.yaml'))
  for (const {value} of files.flatMap(file => readYaml(Buffer.from(corpusText(folder, file)), file))) {
    const {crd} = convertCrd(asObject(value) as KubernetesObject, {nonStructural: 'preserve'})
    accepted(await kube.apply(crd, {force: true}))
  }
}
