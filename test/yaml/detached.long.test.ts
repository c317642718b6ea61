import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {describe, expect, it} from '@jest/globals'
import {readYaml} from '../../src/yaml/read-yaml.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const FILES = 20
const FILE_BYTES = 300_000

describe('the values of a file', () => {
  it('do not keep its text in memory', () => {
    const before = usedBytes()
    const values = Array.from({length: FILES}, (_, index) => valueOf(index))
    const growth = usedBytes() - before
    expect(values[FILES - 1]).toEqual({text: `a text of file ${FILES - 1}`, quoted: 'a text in quotes: é ☸'})
    expect(growth).toBeLessThan((FILES * FILE_BYTES) / 10)
  })

  it('do not stay in memory themselves if they are long', () => {
    const before = usedBytes()
    for (let index = 0; index < FILES; index++) {
      const file = readYaml(Buffer.from(`text: ${index}${'x'.repeat(FILE_BYTES)}\n`), 'file.yaml')
      expect(file).toHaveLength(1)
    }
    expect(usedBytes() - before).toBeLessThan((FILES * FILE_BYTES) / 2)
  })
})

function valueOf(index: number): unknown {
  const lines = `text: a text of file ${index}\nquoted: "a text in quotes: é ☸"\n`
  return readYaml(Buffer.from(lines.padEnd(FILE_BYTES, '# a comment\n')), 'file.yaml')[0]?.value
}

function usedBytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
