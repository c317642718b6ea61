import {describe, expect, it} from '@jest/globals'
import {existsSync, readFileSync} from 'node:fs'

const PAGE = readFileSync('CONTRIBUTING.md', 'utf8')
const SECTION = PAGE.slice(PAGE.indexOf('## Where to change what'), PAGE.indexOf('## Commits'))
const ROWS = [...SECTION.matchAll(/^\| ([A-Z][^|]*) \| ([^|]*) \|$/gm)].map(([, change = '', cell = '']) => ({
  change,
  paths: [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
}))

describe('CONTRIBUTING.md', () => {
  it('lists twelve changes', () => {
    expect(ROWS.map(({change}) => change)).toHaveLength(12)
  })

  it.each(ROWS)('names one or two existing paths for: $change', ({paths}) => {
    expect({count: [1, 2].includes(paths.length), missing: paths.filter(path => !existsSync(path))}).toEqual({
      count: true,
      missing: [],
    })
  })
})
