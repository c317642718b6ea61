import {describe, expect, it} from '@jest/globals'
import {existsSync, readFileSync} from 'node:fs'

const PAGE = readFileSync('CONTRIBUTING.md', 'utf8')
const SECTION = PAGE.slice(PAGE.indexOf('## Where to make a change'), PAGE.indexOf('## Commits'))
const ROWS = [...SECTION.matchAll(/^\| ([A-Z][^|]*) \| ([^|]*) \|$/gm)].map(([, change = '', cell = '']) => ({
  change,
  paths: [...cell.matchAll(/`(src\/[^`]+)`/g)].map(([, path = '']) => path),
  places: [...cell.matchAll(/`(\w+)` in `([^`]+)`/g)].map(([, name = '', path = '']) => ({name, path})),
}))

/** Whether a file declares a name at its top level. */
function declares({name, path}: {readonly name: string; readonly path: string}): boolean {
  const declaration = new RegExp(
    String.raw`^(?:export )?(?:async )?(?:function\*?|const|type|interface) ${name}\b`,
    'm',
  )
  return existsSync(path) && declaration.test(readFileSync(path, 'utf8'))
}

describe('CONTRIBUTING.md', () => {
  it('lists changes', () => {
    expect(ROWS.map(({change}) => change)).toHaveLength(55)
  })

  it.each(ROWS)('names what its file declares, and existing paths, for: $change', ({paths, places}) => {
    expect(places.length).toBeGreaterThan(0)
    expect(places.filter(place => !declares(place))).toEqual([])
    expect(paths.filter(path => !existsSync(path))).toEqual([])
  })
})
