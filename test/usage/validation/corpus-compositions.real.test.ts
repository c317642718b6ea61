import {expect, it} from '@jest/globals'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {goPatterns} from '../../../src/adapters/cel/match-pattern.js'
import {readObjects} from '../../../src/usage/objects/read-objects.js'
import {validateObjects} from '../../../src/usage/validation/validate-objects.js'
import {asObject, asObjects} from '../../../src/yaml/json-value.js'
import {CORPUS_ROOT, corpusEntries, describeCorpus} from '../../corpus.js'
import {surfaceOfCorpus} from '../corpus-surface.js'

const PACKAGES = corpusEntries('corpus-xpkg').filter(name => name.includes('@'))

/** The objects of the packages and examples of the corpus, one package after the other. */
function objectsOf(name: string) {
  const folder = join(CORPUS_ROOT, 'corpus-xpkg', name)
  const paths = readdirSync(folder, {recursive: true, encoding: 'utf8'})
  const files = paths
    .filter(path => /^(?:apis|examples|package)\/.*\.ya?ml$/.test(path))
    .map(path => ({path: `${name}/${path}`, bytes: readFileSync(join(folder, path))}))
  return readObjects(files)
}

describeCorpus('Compositions of real packages', () => {
  const surfaces = PACKAGES.map(name => ({package: name, version: '', surface: surfaceOfCorpus(name)}))
  const results = PACKAGES.map(name => {
    const objects = objectsOf(name)
    const compositions = objects.objects.filter(({kind}) => kind === 'Composition')
    const {findings, unread} = validateObjects(surfaces, objects, {allowUnknown: [], ...goPatterns()})
    return {
      name,
      steps: compositions.flatMap(({value}) => asObjects(asObject(value.spec).pipeline)).length,
      unread: unread.filter(({object = ''}) => object.startsWith('Composition ')),
      findings: findings.filter(({object}) => object.startsWith('Composition ')),
    }
  })

  it('have few errors, besides kinds of other packages', () => {
    const texts = results.flatMap(({name, findings}) =>
      findings
        .filter(({rule}) => rule !== 'no-schema')
        .map(({path = '', rule}) => `${name.slice(0, name.indexOf('@'))} ${rule} ${path}`),
    )
    expect([...new Set(texts)]).toEqual(ERRORS)
  })

  it('are read to the share that the docs name', () => {
    const steps = results.reduce((sum, result) => sum + result.steps, 0)
    const unread = results
      .flatMap(result => result.unread)
      .filter(({path = ''}) => path.startsWith('spec.pipeline'))
    const docs = readFileSync('docs/validate.md', 'utf8').replaceAll(/\s+/g, ' ')
    expect(docs).toContain(
      `Of ${steps} steps in the Compositions of real packages, ${steps - unread.length} are read completely`,
    )
  })
})

const ERRORS = [
  // The XRD has no such field in its status.
  'platform-ref-aws path-unknown spec.pipeline[0].input.resources[4].patches[0].fromFieldPath',
]
