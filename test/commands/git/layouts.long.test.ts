import {expect, it} from '@jest/globals'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {GitWorlds, type Repository} from './git-world.js'

const LAYOUTS = [
  {layout: 'plain', flags: []},
  {layout: 'flux', flags: ['--layout', 'flux']},
  {layout: 'argocd', flags: ['--layout', 'argocd', '--repo-url', 'https://git.example.org/team/deploy']},
]

describeReal('a fresh clone of every commit', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const home = ['--path', 'deploy/production']

  /** Checks all files of the last commit, and that Git has no others. */
  async function expectNoDrift(repository: Repository): Promise<void> {
    const clone = worlds.clone(repository, '--config', 'core.autocrlf=true')
    const place = ['--git', clone.root, ...home, '--packages', worlds.packages]
    const {status, stdout} = await runCli('package', 'check', ...place)
    expect({status, stdout, left: clone.status()}).toEqual({status: 0, stdout: '', left: ''})
  }

  it.each(LAYOUTS)('has the files of its declaration and lock: $layout', async ({flags}) => {
    const repository = worlds.repository()
    for (const [command, ...args] of [
      ['install', 'x/app:v1.0.0', '--with-package-api', '--create-namespace', ...flags],
      ['install', 'x/bs:v1.0.0'],
      ['upgrade', 'x/bs:v2.0.0'],
      ['uninstall', 'x-bs'],
      ['uninstall', 'x-bs', '--assume-no-instances'],
      ['uninstall', 'x-bs', '--assume-no-instances'],
    ] as const) {
      await repository.committed(repository.run(command, ...args, ...home))
      await expectNoDrift(repository)
    }
    expect(repository.commits()).toBe(7)
  })

  it('is made with warnings of a new home that flux bootstrap would apply, and of a second one in the root', async () => {
    const repository = worlds.repository()
    repository.write({'deploy/flux-system/gotk-sync.yaml': 'kind: Kustomization\n'})
    repository.git('add', '--all')
    repository.git('commit', '--quiet', '--message', 'Bootstrap')
    const install = async (reference: string) => await repository.run('install', reference, ...home, '--yes')
    expect(await install('x/bs:v1.0.0')).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(
        /^Warning: deploy\/flux-system\/gotk-sync\.yaml: .*\[home-in-bootstrap]$/m,
      ) as unknown,
    })
    // The users know it by now.
    expect((await install('x/as:v1.0.0')).stderr).not.toContain('home-in-bootstrap')
    const {stderr} = await repository.run('install', 'x/as:v1.0.0', '--dry-run')
    expect(stderr).toMatch(
      /^Warning: crossplane-packages\.yaml: .* beside deploy\/production: pass --path deploy\/production .*\[second-home]$/m,
    )
  })
})
