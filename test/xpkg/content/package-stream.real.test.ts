import {expect, it} from '@jest/globals'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {load, loadAll} from 'js-yaml'
import {packageStream} from '../../../src/xpkg/content/package-stream.js'
import {asObject, asText, type JsonValue} from '../../../src/yaml/json-value.js'
import {CORPUS_ROOT, corpusEntries, corpusText, describeCorpus} from '../../corpus.js'

const CASES = ['reference', 'xpkg']

const built = corpusEntries(...CASES).filter(name =>
  existsSync(join(CORPUS_ROOT, ...CASES, name, 'built-package.yaml')),
)

/** The content of the one package of a case. */
function sourceOf(name: string): Uint8Array {
  const recorded = load(corpusText(...CASES, name, 'in.yaml')) as JsonValue
  const [repository] = Object.values(asObject(asObject(recorded).registry))
  return Buffer.from(asText(asObject(asObject(repository)['v1.0.0']).raw))
}

describeCorpus('the package.yaml that is built', () => {
  it('is recorded of 46 packages', () => {
    expect(built).toHaveLength(46)
  })

  it.each(built)('%s: equals that of the crossplane CLI', name => {
    const stream = Buffer.from(packageStream([{path: 'crossplane.yaml', bytes: sourceOf(name)}])).toString()
    const want = corpusText(...CASES, name, 'built-package.yaml')
    expect(loadAll(stream)).toEqual(loadAll(want))
  })
})
