import {describe, expect, it} from '@jest/globals'
import {withActivated} from '../../src/declaration/activate-kinds.js'
import {readDeclaration} from '../../src/declaration/read-declaration.js'
import {outcome} from '../outcome.js'

const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
const END = 'packages: []\n'

const edited = (text: string, ...names: readonly string[]) =>
  withActivated({name: 'd.yaml', bytes: Buffer.from(text)}, names)

interface Row {
  readonly name: string
  readonly in: string
  readonly names: readonly string[]
  readonly want: string
}

const ROWS: readonly Row[] = [
  {
    name: 'no settings',
    ...{in: `${HEAD}# packages\n`, names: ['b.x.org', 'a.x.org']},
    want: `${HEAD}xpkg:\n  activate:\n  - a.x.org\n  - b.x.org\n# packages\n`,
  },
  {
    name: 'settings without it, with another indentation',
    ...{in: `${HEAD}xpkg: # ours\n    pin: tag\n`, names: ['a.x.org']},
    want: `${HEAD}xpkg: # ours\n    activate:\n    - a.x.org\n    pin: tag\n`,
  },
  {
    name: 'a word with a comment',
    ...{in: `${HEAD}xpkg:\n  activate: used # for now\n  pin: tag\n`, names: ['a.x.org', '*.y.org']},
    want: `${HEAD}xpkg:\n  activate: # for now\n  - '*.y.org'\n  - a.x.org\n  pin: tag\n`,
  },
  {
    name: 'a list, whose comments stay with their names',
    in: `${HEAD}xpkg:\n  activate:\n    # of team a\n    - b.x.org # why\n    - gone.x.org\n    - d.x.org\n  pin: tag\n`,
    names: ['a.x.org', 'b.x.org', 'c.x.org', 'd.x.org', 'e.x.org'],
    want: `${HEAD}xpkg:\n  activate:\n    # of team a\n    - a.x.org\n    - b.x.org # why\n    - c.x.org\n    - d.x.org\n    - e.x.org\n  pin: tag\n`,
  },
  {
    name: 'a list in brackets',
    ...{in: `${HEAD}xpkg:\n  activate: [b.x.org] # few\n`, names: ['a.x.org', 'b.x.org']},
    want: `${HEAD}xpkg:\n  activate: [a.x.org, b.x.org] # few\n`,
  },
  {
    name: 'an empty list',
    ...{in: `${HEAD}xpkg:\n  activate: []\n`, names: ['a.x.org']},
    want: `${HEAD}xpkg:\n  activate:\n  - a.x.org\n`,
  },
  {
    name: 'line breaks of Windows',
    ...{in: `${HEAD}xpkg:\n  activate: all\n`.replaceAll('\n', '\r\n'), names: ['a.x.org']},
    want: `${HEAD}xpkg:\n  activate:\n  - a.x.org\n`.replaceAll('\n', '\r\n'),
  },
  {
    name: 'nothing that changes, in an order of its own',
    ...{in: `${HEAD}xpkg:\n  activate:\n  - b.x.org\n  - a.x.org\n`, names: ['a.x.org', 'b.x.org']},
    want: `${HEAD}xpkg:\n  activate:\n  - b.x.org\n  - a.x.org\n`,
  },
  {
    name: 'no names',
    ...{in: `${HEAD}xpkg:\n  activate: all\n`, names: []},
    want: `${HEAD}xpkg:\n  activate: []\n`,
  },
]

describe('the list of activated kinds in a declaration', () => {
  it.each(ROWS)('is written in place of $name', ({in: text, names, want}) => {
    const isCrlf = text.includes('\r')
    const end = isCrlf ? END.replaceAll('\n', '\r\n') : END
    const result = edited(text + end, ...names)
    expect(result).toBe(want + end)
    const {xpkg} = readDeclaration('d.yaml', Buffer.from(result))
    expect(new Set(xpkg?.activate)).toEqual(new Set(names))
  })

  it.each([
    ['settings in braces', `${HEAD}xpkg: {activate: all}\n${END}`],
    ['a list over several lines in brackets', `${HEAD}xpkg:\n  activate: [a.x.org,\n    b.x.org]\n${END}`],
    ['an anchor', `${HEAD}xpkg:\n  activate: &a all\n${END}`],
  ])('is not written in place of %s', async (_name, text) => {
    expect(await outcome(() => edited(text, 'c.x.org'))).toBe('input-invalid')
  })

  it.each(['3', '{a: b}', '[A.x.org]', '[[a]]', 'some'])('is not %s', async value => {
    const read = () => readDeclaration('d.yaml', Buffer.from(`${HEAD}xpkg: {activate: ${value}}\n${END}`))
    expect(await outcome(read)).toBe('input-invalid')
  })
})
