import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {readCrd} from '../../src/unpack/crds.js'
import {documentsOf, type DiagnosticCollector} from '../../src/unpack/diagnostics.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'
import {CORPUS_ROOT, corpusEntries, registryFilesIn} from '../corpus.js'

/** Every CRD of every package, and those that Crossplane itself brought. */
export function corpusCrds(): KubernetesObject[] {
  const folders = ['corpus', 'corpus-core'].flatMap(root =>
    corpusEntries(root).map(name => join(CORPUS_ROOT, root, name)),
  )
  const files = folders
    .filter(folder => !folder.endsWith('.md'))
    .flatMap(folder => registryFilesIn(folder).map(({path}) => join(folder, path)))
    .filter(path => path.endsWith('crd.yaml') || (path.includes('corpus-core') && path.endsWith('.yaml')))
  return files.flatMap(path => {
    const findings: DiagnosticCollector = {errors: [], warnings: []}
    const documents = documentsOf({path, bytes: readFileSync(path)}, findings)
    return documents.flatMap(document => readCrd(document, 'Cluster', findings)?.object ?? [])
  })
}
