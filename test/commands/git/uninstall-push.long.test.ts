import {expect, it} from '@jest/globals'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {GitWorlds} from './git-world.js'

describeReal(
  'package uninstall --git DIR --push after commits that were not pushed',
  missingTool('git'),
  () => {
    const worlds = new GitWorlds()
    const AGAIN = 'run the command again after that was deployed'

    /** A clone with an installed package, and its remote repository. */
    async function pushedWorld() {
      const bare = worlds.bare()
      const clone = worlds.clone(bare)
      await clone.committed(clone.install('x/bs:v1.0.0', '--push'))
      return {bare, clone}
    }

    it('pushes nothing for an install that does not exist', async () => {
      const {bare, clone} = await pushedWorld()
      await clone.committed(clone.install('x/as:v1.0.0'))
      const {status, stderr} = await clone.run('uninstall', 'x-xs', '--push')
      expect({status, stderr}).toEqual({
        status: 1,
        stderr: expect.stringContaining('package "x-xs" not found in the lock'),
      })
      expect(bare.commits()).toBe(2)
    })

    it('names the install that is not uninstalled yet', async () => {
      const {bare, clone} = await pushedWorld()
      await clone.committed(clone.install('x/as:v1.0.0'))
      const {status, stderr} = await clone.run('uninstall', 'x-bs', '--push')
      expect({status, stderr}).toEqual({
        status: 0,
        stderr: expect.stringMatching(`: pushed .*\n.*crossplane-system/x-bs.*: ${AGAIN}\n$`),
      })
      expect(bare.commits()).toBe(3)
      expect(clone.text('crossplane-packages.yaml')).not.toContain('draining')
    })

    it('shows only the push in a dry run', async () => {
      const {bare, clone} = await pushedWorld()
      await clone.committed(clone.run('uninstall', 'x-bs'))
      const argv = [
        'x-bs',
        '--git',
        clone.root,
        '--packages',
        worlds.packages,
        '--push',
        '--dry-run',
        'client',
      ]
      const {status, stdout, stderr} = await runCli('package', 'uninstall', ...argv)
      expect({status, stdout, stderr}).toEqual({
        status: 0,
        stdout: `${clone.root}: 0 unchanged\n`,
        stderr: expect.stringContaining('1 earlier commit will be pushed: '),
      })
      const json = await runCli('package', 'uninstall', ...argv, '--output', 'json')
      expect(JSON.parse(json.stdout)).toMatchObject({kind: 'Plan', operations: []})
      expect([clone.commits(), bare.commits()]).toEqual([3, 2])
    })

    it('completes the last step', async () => {
      const {bare, clone} = await pushedWorld()
      for (const flags of [['--push'], ['--push', '--assume-no-instances'], ['--assume-no-instances']]) {
        await clone.committed(clone.run('uninstall', 'x-bs', ...flags))
      }
      const {status, stderr} = await clone.run('uninstall', 'x-bs', '--push')
      expect({status, stderr}).toEqual({status: 0, stderr: expect.stringMatching(/: pushed \w+ to main\n$/)})
      expect(bare.git('rev-parse', 'main')).toBe(clone.git('rev-parse', 'HEAD'))
    })
  },
)
