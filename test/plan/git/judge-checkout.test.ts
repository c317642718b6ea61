import {describe, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import type {BlockedPath, CheckoutState} from '../../../src/plan/git/checkout-snapshot.js'
import {judgeCheckout} from '../../../src/plan/git/judge-checkout.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'

const temporary = temporaryFolder()

/** The next steps for paths that cannot be committed. */
function suggestionsFor(blocked: BlockedPath, state: Partial<CheckoutState> = {}): readonly string[] {
  const whole = {root: '/r', branch: 'main', head: 'x', ...state}
  const rejections = judgeCheckout({state: whole, changed: [], blocked: [blocked], asPlanned: new Set()})
  return rejections.flatMap(({suggestions = []}) => suggestions)
}

describe('paths that are marked in the index', () => {
  it.each([
    {by: 'skip-worktree' as const, folder: 'it is', left: ['h it is/0 ä.yaml', 'h other']},
    {by: 'assume-unchanged' as const, folder: '.', left: ['S it is/0 ä.yaml']},
  ])('are found by their folder, if they are many, by a command that works: $by', ({by, folder, left}) => {
    const root = mkdtempSync(join(temporary, 'my repository-'))
    const git = (...args: readonly string[]) => execFileSync('git', ['-C', root, ...args], {encoding: 'utf8'})
    const files = Array.from({length: 30}, (_, index) => `it is/${index} ä.yaml`)
    writeTree(root, Object.fromEntries([...files, 'other'].map(path => [path, path])))
    git('init', '--quiet')
    git('add', '--all')
    const marked = [...files.slice(1), ...(by === 'skip-worktree' ? [] : ['other'])]
    git('update-index', `--${by}`, '--', ...marked)
    git('update-index', '--assume-unchanged', '--', 'it is/0 ä.yaml', 'other')
    git('update-index', '--skip-worktree', '--', 'it is/0 ä.yaml')
    const [path = '', ...others] = marked

    const [next = ''] = suggestionsFor({path, by, others}, {root})
    expect(next).toContain(` -- ${folder === '.' ? folder : `'${folder}'`} | `)
    execFileSync('sh', ['-c', next])
    const lines = git('-c', 'core.quotePath=false', 'ls-files', '-v').trim().split('\n')
    expect(lines.filter(line => !line.startsWith('H '))).toEqual(left)
  })

  const UNSET = 'config core.ignoreStat false'
  it.each<{name: string; temporary?: CheckoutState['temporary']; want: string}>([
    {
      name: 'in the working tree',
      want: `git -C /r ${UNSET} && git -C /r update-index --no-assume-unchanged -- a`,
    },
    {name: 'on another branch', temporary: {root: '/mine'}, want: `git -C /mine ${UNSET}`},
    {name: 'in a clone of a URL', temporary: {}, want: 'git config --global core.ignoreStat false'},
  ])('by a setting are unmarked with it: $name', ({want, ...state}) => {
    const blocked = {path: 'a', by: 'assume-unchanged', isSetting: true} as const
    expect(suggestionsFor(blocked, 'temporary' in state ? {temporary: state.temporary} : {})).toEqual([want])
  })
})
