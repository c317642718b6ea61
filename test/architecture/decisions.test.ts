import {describe, expect, it} from '@jest/globals'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

const folder = join(import.meta.dirname, '../../docs/decisions')
const records = readdirSync(folder).filter(name => name !== 'README.md')

describe('the decision records', () => {
  it('are listed in order, with their titles', () => {
    const titles = records.sort().map(name => {
      const title = readFileSync(join(folder, name), 'utf8').split('\n')[0]?.replace('# ', '') ?? ''
      return `- [${title}](${name})`
    })
    const lines = readFileSync(join(folder, 'README.md'), 'utf8').split('\n')
    expect(lines.filter(line => line.startsWith('- '))).toEqual(titles)
  })

  it.each(records)('%s has the number of its title, and is short', name => {
    const text = readFileSync(join(folder, name), 'utf8')
    expect(text.slice(2, 6)).toBe(name.slice(0, 4))
    expect(text.split('\n').length).toBeLessThanOrEqual(60)
  })
})
