import {describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import {CORPUS_ROOT, corpusYaml, describeCorpus} from '../corpus.js'
import {random, SEED} from '../shuffled.js'
import {generatedValue} from './generated-value.js'
import {writeWithJsYaml} from './js-yaml-writer.js'

describe('what is written is what js-yaml writes', () => {
  it(`for 100,000 generated documents (SEED=${SEED})`, () => {
    const next = random(SEED)
    for (let count = 0; count < 100_000; count++) {
      const values = [generatedValue(next)]
      const written = writeYaml(values)
      // An assertion for each would take minutes.
      if (written !== writeWithJsYaml(values)) expect(written).toBe(writeWithJsYaml(values))
    }
  })
})

describeCorpus('what is written of the corpus is what js-yaml writes', () => {
  it.each(corpusYaml())('%s', path => {
    const values = readYaml(readFileSync(join(CORPUS_ROOT, path)), path).map(document => document.value)
    expect(writeYaml(values)).toBe(writeWithJsYaml(values))
  })
})
