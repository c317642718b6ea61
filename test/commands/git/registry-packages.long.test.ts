import {expect, it} from '@jest/globals'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {lockedXpkgs} from '../locked-xpkgs.js'
import {GitWorlds} from './git-world.js'

describeReal('packages of a registry with --git', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const world = lockedXpkgs()

  it('are upgraded from a digest to a tag, and return to it with the pin that the tag got', async () => {
    const {name, publish} = world()
    const digest = publish('app', 'v1.0.0')
    publish('app', 'v2.0.0')
    const made = worlds.repository()
    const run = async (...words: readonly string[]) => {
      const {status, stderr} = await runCli(
        ...['package', ...words, '--git', made.root, '--yes', '--cache-dir', made.at('.git/cache')],
      )
      expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
    }
    const declared = () => /^- package: .*\n(?: .*\n)*/m.exec(made.text('crossplane-packages.yaml'))?.[0]
    await run('install', `${name('app')}@${digest}`, '--pin=tag', '--layout', 'flux')
    expect(declared()).toBe(`- package: ${name('app')}@${digest}\n`)
    await run('upgrade', name('app:v2.0.0'))
    expect(declared()).toBe(`- package: ${name('app:v2.0.0')}\n  pin: config\n`)
    await run('rollback', name('app'))
    expect(declared()).toBe(`- package: ${name('app')}@${digest}\n  pin: config\n`)
    expect(made.git('show', 'HEAD:crossplane-packages.lock')).toContain(digest)
    await run('upgrade', name('app:v2.0.0'))
  })
})
