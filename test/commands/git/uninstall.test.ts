import {expect, it} from '@jest/globals'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {rulesIn} from '../locked-world.js'
import {GitWorlds, type Repository} from './git-world.js'

describeReal('package uninstall --git', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const NO_INSTANCES = '--assume-no-instances'
  const uninstall = (repository: Repository, ...args: readonly string[]) =>
    repository.run('uninstall', ...args)
  const files = (repository: Repository) => repository.git('ls-files', 'packages').trim().split('\n')

  it('removes claims, then the controller, then the CRDs', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/bs:v1.0.0'))
    await repository.committed(repository.install('x/as:v1.0.0'))
    const before = files(repository)
    const crd = 'packages/crds/bs.x.example.org.yaml'
    expect(repository.text(crd)).toContain('crossplane-system-x-bs')

    await repository.committed(uninstall(repository, 'x-bs'))
    expect(repository.text('crossplane-packages.yaml')).toContain(
      '- package: x/bs:v1.0.0\n  draining: true\n',
    )
    expect(files(repository)).toEqual(before)
    expect(repository.text(crd)).not.toContain('x-bs')

    const early = await uninstall(repository, 'crossplane-system/x-bs')
    expect({status: early.status, rules: rulesIn(early.stderr)}).toEqual({
      status: 5,
      rules: ['instances-possible'],
    })
    await repository.committed(uninstall(repository, 'x-bs', NO_INSTANCES))
    expect(files(repository).filter(path => path.includes('bs'))).toEqual([crd])
    expect(
      repository.git('log', '-1', '--format=%(trailers:key=Crossplane-Assumption,valueonly)').trim(),
    ).toBe('no instances')

    await repository.committed(uninstall(repository, 'x-bs', NO_INSTANCES))
    expect(files(repository).filter(path => path.includes('bs'))).toEqual([])
    expect(repository.text('crossplane-packages.yaml')).not.toContain('x/bs')
    expect(repository.status()).toBe('')
    expect(await uninstall(repository, 'x-bs')).toMatchObject({status: 1})
  })

  it('keeps what other installs require, and what would be removed at once', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/bs:v1.0.0'))
    await repository.committed(repository.install('x/app:v1.0.0'))
    await repository.committed(repository.install('x/as:v1.0.0'))
    const needed = await uninstall(repository, 'x-as')
    expect({status: needed.status, rules: rulesIn(needed.stderr)}).toEqual({
      status: 5,
      rules: ['required-install'],
    })
    const other = worlds.repository()
    await other.committed(other.install('x/bs:v1.0.0'))
    await other.committed(other.install('x/app:v1.0.0'))
    await other.committed(uninstall(other, 'x-app'))
    await other.committed(uninstall(other, 'x-app', NO_INSTANCES))
    const lost = await uninstall(other, 'x-app', NO_INSTANCES)
    expect({status: lost.status, rules: rulesIn(lost.stderr)}).toEqual({
      status: 5,
      rules: ['unused-dependency'],
    })
  })
})
