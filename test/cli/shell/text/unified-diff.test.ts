import {describe, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {unifiedDiff} from '../../../../src/cli/shell/text/unified-diff.js'
import {missingTool} from '../../../missing-tool.js'
import {describeReal} from '../../../real-parts.js'
import {random, SEED} from '../../../shuffled.js'
import {temporaryFolder, writeTree} from '../../../temporary-folder.js'

const temporary = temporaryFolder()

describe('unifiedDiff', () => {
  it('shows changes with three lines of context', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n'
    const after = 'a\nb\nc\nd\nE\nf\ng\nh\ni\nj\nk\nl\nm\n'
    expect(unifiedDiff({path: 'x.yaml', before, after})).toEqual([
      ...['--- a/x.yaml', '+++ b/x.yaml'],
      ...['@@ -2,7 +2,7 @@', ' b', ' c', ' d', '-e', '+E', ' f', ' g', ' h'],
      ...['@@ -10,3 +10,4 @@', ' j', ' k', ' l', '+m'],
    ])
  })

  it('shows nothing for equal files', () => {
    expect(unifiedDiff({path: 'x.yaml', before: 'a\n', after: 'a\n'})).toEqual([])
  })

  it('replaces the middle of files that have little in common', () => {
    const many = (word: string) => `same\n${Array.from({length: 2000}, (_, at) => `${word}${at}\n`).join('')}`
    const diff = unifiedDiff({path: 'x.yaml', before: many('a'), after: many('b')})
    expect(diff.slice(2, 5)).toEqual(['@@ -1,2001 +1,2001 @@', ' same', '-a0'])
  })
})

describeReal(`unifiedDiff as git reads it (SEED=${SEED})`, missingTool('git'), () => {
  const chance = random(SEED)
  const text = () => {
    const lines = Array.from(
      {length: Math.floor(chance() * 40)},
      () => 'abcde'[Math.floor(chance() * 5)] ?? '',
    )
    const end = lines.length > 0 && chance() < 0.9 ? '\n' : ''
    return lines.join('\n') + end
  }
  const cases: {before?: string; after?: string}[] = [
    {after: 'new\n'},
    {before: 'old\n'},
    ...Array.from({length: 60}, () => ({before: `x\n${text()}`, after: `y\n${text()}`})),
  ]

  it('turns the old file into the new one', () => {
    for (const [index, {before, after}] of cases.entries()) {
      const folder = writeTree(join(temporary, `${index}`), before === undefined ? {} : {'x.yaml': before})
      writeTree(folder, {diff: `${unifiedDiff({path: 'x.yaml', before, after}).join('\n')}\n`})
      execFileSync('git', ['apply', '--unidiff-zero', 'diff'], {cwd: folder, stdio: 'pipe'})
      const file = join(folder, 'x.yaml')
      expect({index, text: existsSync(file) ? readFileSync(file, 'utf8') : undefined}).toEqual({
        index,
        text: after,
      })
    }
  })
})

it('a diff names a file outside of the working folder as Git does', () => {
  expect(unifiedDiff({path: '/tmp/a.yaml', after: 'a\n'}).slice(0, 2)).toEqual([
    '--- /dev/null',
    '+++ b/tmp/a.yaml',
  ])
})
