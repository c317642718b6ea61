import {describe, expect, it} from '@jest/globals'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {rulePages} from '../../../scripts/lint-docs/rule-pages.js'

const folder = join(import.meta.dirname, '../../../docs/lint')
const pages = rulePages()

describe('docs/lint', () => {
  it('has a page for each rule, an index, and nothing else', () => {
    expect(readdirSync(folder).sort()).toEqual([...pages.keys()].sort())
  })

  it.each([...pages])('%s matches the table of rules (update it with npm run docs:lint)', (name, text) => {
    expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
  })
})
