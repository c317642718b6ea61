import {describe, expect, it} from '@jest/globals'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {LINT_RULES} from '../../../src/author/lint/lint-rules.js'
import {lintExample} from '../../../src/author/lint/lint-example.js'

const src = join(import.meta.dirname, '../../../src')

/** The names of rules in the sources of a module. */
function rulesIn(room: string, pattern: RegExp): readonly string[] {
  return readdirSync(join(src, room), {encoding: 'utf8'})
    .filter(name => name.endsWith('.ts') && name !== 'kubernetes-types.ts')
    .flatMap(name => [...readFileSync(join(src, room, name), 'utf8').matchAll(pattern)])
    .map(([, rule = '']) => rule)
}

/** Rules that need an engine are tested where that is: engine-rules.long.test.ts. */
const RULES = LINT_RULES.filter(({foundByEngine}) => foundByEngine === undefined)

describe('lint rules', () => {
  it.each(RULES)(
    '$id is reported for its failing example, and no other rule is',
    ({id, failing, beside = []}) => {
      const found = lintExample(failing).map(({rule}) => rule)
      expect([...new Set(found)].sort()).toEqual([id, ...beside].sort())
    },
  )

  it.each(RULES)('$id is not reported for its passing example', ({passing}) => {
    expect(lintExample(passing)).toEqual([])
  })

  it.each(RULES)(
    '$id has the severity and suggestion of its table entry',
    ({id, severity, advice, failing}) => {
      const found = lintExample(failing).filter(({rule}) => rule === id)
      const said = found.map(finding => ({severity: finding.severity, advice: finding.advice}))
      expect(said).toEqual(found.map(() => ({severity, advice})))
    },
  )

  it('are each listed once, under IDs that scripts can rely on', () => {
    const ids = LINT_RULES.map(({id}) => id)
    expect({
      twice: ids.filter((id, index) => ids.indexOf(id) !== index),
      odd: ids.filter(id => !/^[a-z]+(-[a-z]+)*$/.test(id)),
    }).toEqual({twice: [], odd: []})
  })

  it('include all rules of reading, rendering and checking a package', () => {
    const ids = new Set(LINT_RULES.map(({id}) => id))
    const mentioned = [
      ...rulesIn('yaml', /\| '(yaml-[a-z-]+)'/g),
      ...['unpack', 'author/lint', 'author/lint/services'].flatMap(room =>
        rulesIn(room, /rule: '([a-z-]+)'/g),
      ),
      ...['xpkg/content', 'xpkg/image'].flatMap(room => rulesIn(room, /'(xpkg-[a-z-]+)'/g)),
      ...rulesIn('author/lint/services', /(?:serviceDiagnostic|checkClusterScope)\(\w+, '([a-z-]+)'/g),
      ...rulesIn('author/lint/services', /diagnosticAt\([\w.]+, '([a-z-]+)'/g),
      ...rulesIn('author/lint', /(?:(?<!\w)diagnostics?\(|crdDiagnostic\(|toDiagnostic\()'([a-z-]+)'/g),
    ]
    expect({
      known: mentioned.length > 40,
      missing: [...new Set(mentioned)].filter(rule => !ids.has(rule)),
    }).toEqual({known: true, missing: []})
  })
})
