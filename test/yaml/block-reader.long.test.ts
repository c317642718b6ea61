import {describe, expect, it} from '@jest/globals'
import {corpusText, corpusYaml, describeCorpus} from '../corpus.js'
import {below} from '../soak/campaign.js'
import {random, SEED} from '../shuffled.js'
import {generatedYaml, mutatedYaml} from './generated-text.js'
import {fastReading} from './js-yaml-reader.js'

describe('texts are read fast as js-yaml reads them', () => {
  it(`100,000 generated ones and as many mutated ones (SEED=${SEED})`, () => {
    const next = random(SEED)
    for (let count = 0; count < 100_000; count++) {
      const text = generatedYaml(next)
      for (const each of [text, mutatedYaml(next, text)]) {
        if (fastReading(each) === 'other') expect(each).toBe('left to js-yaml')
      }
    }
  })
})

describeCorpus('the corpus is read fast as js-yaml reads it', () => {
  it.each(corpusYaml())('%s, and with mutated lines', path => {
    const text = corpusText(path)
    expect(fastReading(text)).not.toBe('other')
    const next = random(SEED)
    const lines = text.split('\n')
    for (let count = 0; count < 5; count++) {
      const part = mutatedYaml(next, lines.slice(0, 1 + below(next, 200)).join('\n'))
      if (fastReading(part) === 'other') expect(part).toBe('left to js-yaml')
    }
  })

  it('nearly whole', () => {
    const readings = corpusYaml().map(path => fastReading(corpusText(path)))
    expect(readings.filter(each => each === 'same').length).toBeGreaterThan(0.9 * readings.length)
  })
})
