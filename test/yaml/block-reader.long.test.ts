import {describe, expect, it} from '@jest/globals'
import {corpusText, corpusYaml, describeCorpus} from '../corpus.js'
import {below} from '../soak/campaign.js'
import {random, SEED} from '../shuffled.js'
import {generatedYaml, mutatedYaml} from './generated-text.js'
import {fastReading} from './js-yaml-reader.js'

/** More of them with another number: `YAML_TEXTS=100000`. */
const TEXTS = Number(process.env.YAML_TEXTS ?? 30_000)

describe('texts are read fast as js-yaml reads them', () => {
  it(`${TEXTS} generated ones and as many mutated ones (SEED=${SEED})`, () => {
    const next = random(SEED)
    for (let count = 0; count < TEXTS; count++) {
      const text = generatedYaml(next)
      for (const each of [text, mutatedYaml(next, text)]) {
        if (fastReading(each) === 'other') expect(each).toBe('left to js-yaml')
      }
    }
  })
})

describeCorpus('the corpus is read fast as js-yaml reads it', () => {
  const readings = new Map<string, ReturnType<typeof fastReading>>()
  const readingOf = (path: string) => {
    const reading = readings.get(path) ?? fastReading(corpusText(path))
    readings.set(path, reading)
    return reading
  }

  it.each(corpusYaml())('%s, and with mutated lines', path => {
    const text = corpusText(path)
    expect(readingOf(path)).not.toBe('other')
    const next = random(SEED)
    const lines = text.split('\n')
    for (let count = 0; count < 5; count++) {
      const part = mutatedYaml(next, lines.slice(0, 1 + below(next, 200)).join('\n'))
      if (fastReading(part) === 'other') expect(part).toBe('left to js-yaml')
    }
  })

  it('nearly whole', () => {
    const all = corpusYaml().map(path => readingOf(path))
    expect(all.filter(reading => reading === 'same').length).toBeGreaterThan(0.9 * all.length)
  })
})
