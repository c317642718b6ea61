import {expect, it} from '@jest/globals'
import {writeYaml} from '../../../src/yaml/write-yaml.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {lockedXpkgs} from '../locked-xpkgs.js'
import {GitWorlds} from './git-world.js'

describeReal('packages of a registry with --git', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const world = lockedXpkgs()

  it('have a command for the health checks of Argo CD with a path that is found from everywhere', async () => {
    const {name, publish} = world()
    publish('app', 'v1.0.0')
    const declaration = {
      ...{apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1', kind: 'PackageDeclaration'},
      ...{layout: 'argocd', argocd: {repoURL: 'https://git.example.org/team/platform'}},
      packages: [{package: name('app:v1.0.0'), name: 'mine'}],
    }
    const made = worlds.repository({'crossplane-packages.yaml': writeYaml([declaration])})
    const run = async (...words: readonly string[]) =>
      await runCli('package', ...words, '--git', made.root, '--yes', '--cache-dir', made.at('.git/cache'))
    expect(await run('upgrade')).toMatchObject({status: 0})
    const path = made.at('packages/argocd/health.yaml')
    expect(await run('upgrade', '--resolver=off', '--change-settings')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(`kubectl patch --filename ${path} --patch-file ${path}`),
    })
  })

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
