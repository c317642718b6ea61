import {expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {convertCrd} from '../../src/crd/convert-crd.js'
import {structuralProblems} from '../../src/crd/structural-problems.js'
import {readCrd} from '../../src/unpack/crds.js'
import {documentsOf, type Findings} from '../../src/unpack/findings.js'
import type {KubernetesObject} from '../../src/unpack/kubernetes-object.js'
import {CORPUS_ROOT, corpusEntries, describeCorpus, registryFilesIn} from '../corpus.js'

/** Every CRD of every package, and those that Crossplane itself brought. */
function corpusCrds(): KubernetesObject[] {
  const folders = ['corpus', 'corpus-core'].flatMap(root =>
    corpusEntries(root).map(name => join(CORPUS_ROOT, root, name)),
  )
  const files = folders
    .filter(folder => !folder.endsWith('.md'))
    .flatMap(folder => registryFilesIn(folder).map(({path}) => join(folder, path)))
    .filter(path => path.endsWith('crd.yaml') || (path.includes('corpus-core') && path.endsWith('.yaml')))
  return files.flatMap(path => {
    const findings: Findings = {errors: [], warnings: []}
    const documents = documentsOf({path, bytes: readFileSync(path)}, findings)
    return documents.flatMap(document => readCrd(document, 'Cluster', findings)?.object ?? [])
  })
}

describeCorpus('the CRDs of real packages', () => {
  const crds = corpusCrds()
  const converted = crds.map(crd => convertCrd(crd, {nonStructural: 'refuse'}))

  it('are all structural in v1', () => {
    expect(converted).toHaveLength(255)
    expect(converted.flatMap(({crd}) => structuralProblems(crd))).toEqual([])
  })

  it('need what docs/decisions counts, and no more', () => {
    const counts: Record<string, number> = {}
    for (const {rule} of converted.flatMap(({notes}) => notes)) counts[rule] = (counts[rule] ?? 0) + 1
    expect(counts).toEqual({
      'pruned-by-default': 253,
      'kept-as-declared': 2,
      'payload-kept': 36,
      'format-enforced': 375,
      'type-inferred': 2,
    })
  })
})
