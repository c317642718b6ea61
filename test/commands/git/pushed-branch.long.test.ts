import {expect, it} from '@jest/globals'
import {basename} from 'node:path'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {GitWorlds, type Repository, runTool} from './git-world.js'

describeReal('the remote branch of --push', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const branchesOf = (repository: Repository) =>
    repository.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').trim().split('\n')

  /** A clone whose branch main follows the branch trunk, the only one of the remote repository. */
  function trunkWorld() {
    const bare = worlds.bare()
    bare.git('branch', '--move', 'main', 'trunk')
    const clone = worlds.clone(bare, '--branch', 'trunk')
    clone.git('branch', '--move', 'trunk', 'main')
    return {bare, clone}
  }

  /** The command in the first suggestion. */
  const commandIn = (stderr: string) => /^Try: .*?(git -C .*)$/m.exec(stderr)?.[1] ?? ''

  it('is the one that the branch follows, whatever its name is', async () => {
    const {bare, clone} = trunkWorld()
    clone.git('config', 'push.default', 'upstream')
    const other = worlds.clone(bare, '--branch', 'trunk')
    await clone.committed(clone.install('x/bs:v1.0.0', '--push'))
    expect(branchesOf(bare)).toEqual(['trunk'])
    expect(bare.git('rev-parse', 'trunk')).toBe(clone.git('rev-parse', 'HEAD'))
    other.git('pull', '--quiet')
    other.git('commit', '--quiet', '--allow-empty', '--message=theirs')
    const push = `unset $(git rev-parse --local-env-vars); cd ${other.root} && git push --quiet origin trunk`
    clone.hook('pre-commit', `${push} 2>/dev/null; exit 0`)
    await clone.committed(clone.install('x/as', '--push'))
    expect(bare.git('rev-parse', 'trunk')).toBe(clone.git('rev-parse', 'HEAD'))
    expect(bare.commits()).toBe(4)
  })

  it('must be selected if it has another name and git would not push to it', async () => {
    const {bare, clone} = trunkWorld()
    const {status, stderr} = await clone.install('x/bs:v1.0.0', '--push')
    expect({status, stderr}).toEqual({
      status: 5,
      stderr: expect.stringContaining('main follows trunk, which has another name'),
    })
    expect([branchesOf(bare), clone.commits()]).toEqual([['trunk'], 1])
    runTool('sh', '-c', commandIn(stderr))
    await clone.committed(clone.install('x/bs:v1.0.0', '--push'))
    expect(branchesOf(bare)).toEqual(['trunk'])
  })

  it('has the name of the branch with push.default=current, or for another remote', async () => {
    const {bare, clone} = trunkWorld()
    const mirror = worlds.bare(clone)
    clone.git('remote', 'add', 'mirror', `file://${mirror.root}`)
    await clone.committed(clone.install('x/bs:v1.0.0', '--push', '--remote', 'mirror'))
    expect(branchesOf(mirror)).toEqual(['main'])
    clone.git('config', 'push.default', 'current')
    await clone.committed(clone.install('x/bs:v1.0.0', '--push'))
    expect(branchesOf(bare)).toEqual(['main', 'trunk'])
  })

  it('is one of origin if the branch follows a local one', async () => {
    const bare = worlds.bare()
    const clone = worlds.clone(bare)
    clone.git('config', 'branch.autoSetupMerge', 'always')
    await clone.committed(clone.install('x/bs:v1.0.0', '--branch', 'next', '--push'))
    expect([branchesOf(bare), bare.commits()]).toEqual([['main', 'next'], 1])
  })

  it('can be in a repository with a relative URL', async () => {
    const bare = worlds.bare()
    const clone = worlds.clone(bare)
    clone.git('remote', 'set-url', 'origin', `../${basename(bare.root)}`)
    await clone.committed(clone.install('x/bs:v1.0.0', '--branch', 'next', '--push'))
    await clone.committed(clone.install('x/as', '--branch', 'next', '--push'))
    expect(bare.git('rev-parse', 'next')).toBe(clone.git('rev-parse', 'next'))
  })

  it.each([{branch: 'main'}, {branch: "it's/next"}])(
    'names the next step if $branch gets other commits before earlier ones are pushed',
    async ({branch}) => {
      const bare = worlds.bare()
      if (branch !== 'main') bare.git('branch', branch)
      const [clone, other] = [worlds.clone(bare), worlds.clone(bare)]
      other.git('switch', '--quiet', branch)
      other.git('commit', '--quiet', '--allow-empty', '--message=theirs')
      if (branch !== 'main') clone.git('branch', '--quiet', branch, `origin/${branch}`)
      await clone.committed(clone.install('x/bs:v1.0.0', '--branch', branch))
      const push = `unset $(git rev-parse --local-env-vars); cd ${other.root} && git push --quiet origin HEAD`
      clone.hook('pre-push', `${push} 2>/dev/null; exit 0`)
      const {status, stderr} = await clone.install('x/bs:v1.0.0', '--branch', branch, '--push')
      expect({status, stderr}).toEqual({
        status: 5,
        stderr: expect.stringContaining('lacks commits of the remote branch'),
      })
      runTool('sh', '-c', commandIn(stderr))
      await clone.committed(clone.install('x/bs:v1.0.0', '--branch', branch, '--push'))
      expect(bare.git('rev-parse', branch)).toBe(clone.git('rev-parse', branch))
    },
  )
})
