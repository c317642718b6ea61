import {describe, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {openCheckout} from '../../../src/adapters/git/checkout.js'
import {lastLockChange} from '../../../src/pipeline/drift/lock-history.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'

const [LOCK, DECLARATION] = ['packages.lock', 'packages.yaml']

describe('the last change of a lock', () => {
  describeReal('in a repository', missingTool('git'), () => {
    const temporary = temporaryFolder()

    /** A repository whose commits are a second apart. */
    function repository() {
      const root = mkdtempSync(join(temporary, 'repository-'))
      let seconds = 1_700_000_000
      const git = (...args: readonly string[]) => {
        const env = {...process.env, GIT_COMMITTER_DATE: `${seconds++} +0000`}
        return execFileSync('git', ['-C', root, ...args], {env, encoding: 'utf8', stdio: 'pipe'})
      }
      git('init', '--quiet', '--initial-branch=main')
      git('config', 'user.name', 'a')
      git('config', 'user.email', 'a@example.org')
      const commit = (subject: string, files: Readonly<Record<string, string>>) => {
        writeTree(root, files)
        git('add', '--all')
        git('commit', '--quiet', `--message=${subject}`)
      }
      /** The subjects of both commits, and what the command of drift brings back. */
      const found = async () => {
        const checkout = await openCheckout(root)
        const {commit, before} = await lastLockChange({checkout, paths: [LOCK, DECLARATION]})
        const restored =
          before && [LOCK, DECLARATION].map(path => git('show', `${before.id}:${path}`)).join(', ')
        return {commit: commit?.subject, before: before?.subject, restored}
      }
      return {root, git, commit, found}
    }

    it('is that of a merge, before which the branch lacked what others changed', async () => {
      const {git, commit, found} = repository()
      commit('first', {[LOCK]: 'sql v1', [DECLARATION]: 'sql'})
      git('branch', 'side')
      commit('second', {[LOCK]: 'sql v2', [DECLARATION]: 'sql'})
      git('checkout', '--quiet', 'side')
      commit('side', {[LOCK]: 'sql v1, queue v1', [DECLARATION]: 'sql, queue'})
      git('checkout', '--quiet', 'main')
      git('merge', '--quiet', '--no-commit', '--strategy=ours', 'side')
      commit('merge', {[LOCK]: 'sql v2, queue v1', [DECLARATION]: 'sql, queue'})
      expect(await found()).toEqual({commit: 'merge', before: 'second', restored: 'sql v2, sql'})
    })

    it('is that of a merged branch as a whole, if nothing else changed', async () => {
      const {git, commit, found} = repository()
      commit('first', {[LOCK]: 'sql v1', [DECLARATION]: 'sql'})
      git('checkout', '--quiet', '-b', 'side')
      commit('attempt', {[LOCK]: 'sql v2', [DECLARATION]: 'sql'})
      commit('done', {[LOCK]: 'sql v3', [DECLARATION]: 'sql'})
      git('checkout', '--quiet', 'main')
      git('merge', '--quiet', '--no-ff', '--message=merge', 'side')
      expect(await found()).toEqual({commit: 'done', before: 'first', restored: 'sql v1, sql'})
    })

    it('keeps what was declared meanwhile', async () => {
      const {root, commit, found} = repository()
      commit('first', {[LOCK]: 'sql v1', [DECLARATION]: 'sql'})
      commit('declared', {[DECLARATION]: 'sql, mirrors'})
      writeTree(root, {[LOCK]: 'sql v2'})
      expect(await found()).toMatchObject({before: 'declared', restored: 'sql v1, sql, mirrors'})
      commit('locked', {})
      expect(await found()).toEqual({
        commit: 'locked',
        before: 'declared',
        restored: 'sql v1, sql, mirrors',
      })
    })

    it('has nothing before the first lock', async () => {
      const {commit, found} = repository()
      commit('others', {'README.md': 'none'})
      expect(await found()).toEqual({})
      commit('first', {[LOCK]: 'sql v1', [DECLARATION]: 'sql'})
      expect(await found()).toEqual({commit: 'first'})
    })
  })
})
