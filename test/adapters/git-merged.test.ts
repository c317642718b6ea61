import {expect, it} from '@jest/globals'
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {openUpdates} from '../../src/adapters/git/update-repository.js'
import {GitWorlds, runTool} from '../commands/git/git-world.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

describeReal('a branch of updates', missingTool('git'), () => {
  // It sets the identity of commits.
  new GitWorlds()
  const root = temporaryFolder()
  let count = 0

  /** A repository whose branch `update` changed its lock; reports whether that is merged, for the folder and for its URL. */
  function repository(files: Readonly<Record<string, string>>) {
    const folder = join(root, `${++count}`)
    mkdirSync(folder)
    const git = (...args: readonly string[]) => runTool('git', '-C', folder, ...args)
    const commit = (changed: Readonly<Record<string, string>>) => {
      writeTree(folder, changed)
      git('add', '--all')
      git('commit', '--quiet', '--message=next')
    }
    git('init', '--quiet', '--initial-branch=main')
    commit({other: 'a', ...files})
    git('switch', '--quiet', '--create', 'update')
    const isMerged = async () => {
      const branch = git('rev-parse', 'update').trim()
      const places = [folder, `file://${folder}`]
      return await Promise.all(
        places.map(async place => {
          const updates = await openUpdates({git: place, push: place !== folder, tree: '', branch: 'main'})
          try {
            return await updates.isMerged(branch, 'lock')
          } finally {
            await updates.close()
          }
        }),
      )
    }
    return {git, commit, isMerged}
  }

  it.each(['--squash', '--no-ff'])('that was merged with %s stays so when its lock changes', async how => {
    const {git, commit, isMerged} = repository({lock: 'v1'})
    commit({lock: 'v2'})
    git('switch', '--quiet', 'main')
    expect(await isMerged()).toEqual([false, false])
    git('merge', '--quiet', how, 'update')
    if (how === '--squash') git('commit', '--quiet', '--message=squashed')
    expect(await isMerged()).toEqual([true, true])
    commit({lock: 'v3'})
    commit({other: 'b'})
    expect(await isMerged()).toEqual([true, true])
  })

  it('that has a lock from before it is not merged', async () => {
    const {git, commit, isMerged} = repository({lock: 'v1'})
    git('switch', '--quiet', 'main')
    commit({lock: 'v2'})
    git('switch', '--quiet', '--force-create', 'update')
    commit({lock: 'v1'})
    git('switch', '--quiet', 'main')
    expect(await isMerged()).toEqual([false, false])
  })

  it('is not merged because neither has a lock', async () => {
    const {git, commit, isMerged} = repository({})
    commit({other: 'b'})
    git('switch', '--quiet', 'main')
    expect(await isMerged()).toEqual([false, false])
  })
})
