import {beforeAll, expect, it} from '@jest/globals'
import {readdirSync} from 'node:fs'
import {programWords} from '../../built-program.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {GitWorlds, type Repository} from './git-world.js'
import {KilledRuns} from './killed-run.js'
import {branchesOf} from './update-world.js'

/** Moments of a run that is killed, as parts of its calls of git; `UPDATE_KILLS=all` of a soak kills at each call. */
const MOMENTS = [0.3, 0.55, 0.75, 0.9, 0.97]
const IS_SOAK = process.env.UPDATE_KILLS === 'all'

describeReal('package update after kill -9', missingTool('git'), () => {
  const worlds = new GitWorlds()
  beforeAll(() => {
    programWords()
  })

  const contents = (repository: Repository) =>
    branchesOf(repository).map(branch => [branch, repository.git('rev-parse', `${branch}^{tree}`)])

  it(
    'makes in the next run what an undisturbed one makes',
    async () => {
      const home = worlds.repository()
      await home.committed(home.install('x/bs:v1.0.0'))
      const runs = new KilledRuns(worlds.folder())
      const args = (root: string) => [
        'update',
        '--git',
        root,
        '--push',
        '--packages',
        worlds.packages,
        '--quiet',
      ]
      const undisturbed = worlds.bare(home)
      expect(await runs.run(args(worlds.clone(undisturbed).root))).toMatchObject({status: 0})
      const [calls, expected] = [runs.calls(), contents(undisturbed)]
      expect(expected).toHaveLength(1)
      const kills = IS_SOAK
        ? Array.from({length: calls}, (_, at) => at + 1)
        : MOMENTS.map(part => Math.round(calls * part))
      for (const [index, call] of kills.entries()) {
        const bare = worlds.bare(home)
        const clone = worlds.clone(bare)
        const when = index % 2 === 0 ? ('before' as const) : ('after' as const)
        const kill = {call, when}
        expect([kill, (await runs.run(args(clone.root), kill)).status]).toEqual([kill, null])
        expect([kill, await runs.run(args(clone.root))]).toMatchObject([kill, {status: 0}])
        expect([kill, contents(bare)]).toEqual([kill, expected])
        expect([kill, clone.status(), clone.git('worktree', 'list').trim().split('\n').length]).toEqual([
          kill,
          '',
          1,
        ])
      }
      expect(readdirSync(runs.temporary)).toEqual([])
    },
    IS_SOAK ? 3_600_000 : 240_000,
  )
})
