import {describe, expect, it} from '@jest/globals'
import {formatJournal, journalSteps, parseJournal, STAGING} from '../../src/commit/journal.js'
import {OWNED_FILES} from '../../src/plan/folder/owned-files.js'

const a = 'a'.repeat(64)
const b = 'b'.repeat(64)

describe('journal', () => {
  it('reads the text that was written, each step with its staged path', () => {
    const steps = journalSteps([
      {path: 'new.yaml', after: a},
      {path: 'crds/changed.yaml', before: a, after: b},
      {path: 'gone.yaml', before: b},
      {path: OWNED_FILES, before: a, after: b},
    ])
    expect(steps.map(step => step.staged)).toEqual(['0', '1', '2', '3'].map(each => `${STAGING}/${each}`))
    expect(parseJournal(formatJournal(steps), 'out')).toEqual(steps)
  })

  const journal = (change: unknown) =>
    JSON.stringify({format: 'kubectl-crossplane journal v1', changes: [change]})

  it.each([
    {name: 'nothing', in: ''},
    {name: 'half a journal', in: formatJournal(journalSteps([{path: 'a.yaml', after: a}])).slice(0, 60)},
    {name: 'another version', in: '{"format":"kubectl-crossplane journal v2","changes":[]}'},
    {name: 'no changes', in: '{"format":"kubectl-crossplane journal v1"}'},
    {name: 'null', in: 'null'},
    {name: 'a change that is not an object', in: journal('a.yaml')},
    {name: 'a path that leaves the folder', in: journal({path: '../a.yaml', after: a})},
    {name: 'a path that is not an output path', in: journal({path: '.git/config', before: a})},
    {name: 'an upper-case hash', in: journal({path: 'a.yaml', after: 'A'.repeat(64)})},
    {name: 'a change from nothing to nothing', in: journal({path: 'a.yaml'})},
  ])('rejects $name', ({in: text}) => {
    expect(() => parseJournal(text, 'out')).toThrow(expect.objectContaining({code: 'output-refused'}))
  })
})
