import {expect, it} from '@jest/globals'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {rulesIn} from '../locked-world.js'
import {GitWorlds, type Repository} from './git-world.js'

describeReal('package uninstall --git', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const NO_INSTANCES = '--assume-no-instances'
  const uninstall = (repository: Repository, ...args: readonly string[]) =>
    repository.run('uninstall', ...args)
  /** The arguments of the install in a suggestion. */
  const suggestedInstall = (stderr: string) =>
    /Run package install (.*?) with the same --git/.exec(stderr)?.[1]?.split(' ') ?? []
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

  it('removes the only package, and another one can be installed', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/bs:v1.0.0', '--crossplane-version', 'none'))
    await repository.committed(uninstall(repository, 'x-bs'))
    await repository.committed(uninstall(repository, 'x-bs', NO_INSTANCES))
    await repository.committed(uninstall(repository, 'x-bs', NO_INSTANCES))
    expect(repository.text('crossplane-packages.yaml')).toContain('crossplaneVersion: none\npackages: []\n')
    expect(files(repository).filter(path => !path.includes('/.'))).toEqual(['packages/kustomization.yaml'])
    expect(await runCli('package', 'check', '--git', repository.root)).toMatchObject({status: 0})
    await repository.committed(repository.install('x/as:v1.0.0'))
    expect(repository.text('crossplane-packages.yaml')).toContain('packages:\n- package: x/as:v1.0.0\n')
  })

  it('keeps what no other package requires in the same namespace', async () => {
    const repository = worlds.repository()
    for (const namespace of ['team-a', 'team-b']) {
      await repository.committed(repository.install('x/web:v1.0.0', '--namespace', namespace))
    }
    await repository.committed(uninstall(repository, 'team-a/x-web'))
    await repository.committed(uninstall(repository, 'team-a/x-web', NO_INSTANCES))
    const lost = await uninstall(repository, 'team-a/x-web', NO_INSTANCES)
    expect({status: lost.status, rules: rulesIn(lost.stderr)}).toEqual({
      status: 5,
      rules: ['unused-dependency'],
    })
    await repository.committed(repository.install(...suggestedInstall(lost.stderr)))
    await repository.committed(uninstall(repository, 'team-a/x-web', NO_INSTANCES))
    await repository.committed(uninstall(repository, 'team-a/x-parts'))
    expect(repository.text('crossplane-packages.lock')).toContain('team-a')
  })

  it.each(['install', 'upgrade'])('keeps a dependency that package %s drops', async command => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/site:v1.0.0'))
    const before = files(repository)
    const lost = await repository.run(command, 'x/site:v2.0.0')
    expect({status: lost.status, rules: rulesIn(lost.stderr)}).toEqual({
      status: 5,
      rules: ['unused-dependency'],
    })
    await repository.committed(repository.install(...suggestedInstall(lost.stderr)))
    await repository.committed(repository.run(command, 'x/site:v2.0.0'))
    expect(files(repository)).toEqual(before)
  })

  it('is not followed by an install that requires it', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/as:v1.0.0'))
    await repository.committed(repository.install('x/bs:v1.0.0'))
    await repository.committed(uninstall(repository, 'x-as'))
    const needed = await repository.install('x/app:v1.0.0')
    expect({status: needed.status, rules: rulesIn(needed.stderr)}).toEqual({
      status: 5,
      rules: ['draining-dependency'],
    })
    expect(needed.stderr).toContain(
      'crossplane-system/x-as is being uninstalled, but required by crossplane-system/x-app',
    )
    repository.write({
      'crossplane-packages.yaml': repository
        .text('crossplane-packages.yaml')
        .replace('  draining: true\n', ''),
    })
    repository.git('commit', '--quiet', '--all', '--message=keep')
    await repository.committed(repository.install('x/app:v1.0.0'))
  })

  it('carries out only the step that was decided if the same one reaches the remote branch first', async () => {
    const {one, other} = await racingClones()
    await one.committed(uninstall(one, 'x-bs'))
    expect(await uninstall(other, 'x-bs', '--push', NO_INSTANCES)).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(': nothing to change'),
    })
    expect(other.text('crossplane-packages.yaml')).not.toContain('crdsOnly')
    expect([other.status(), other.git('rev-parse', 'HEAD')]).toEqual(['', one.git('rev-parse', 'HEAD')])
  })

  it('has nothing to change if all steps reach the remote branch first', async () => {
    const {start, one, other} = await racingClones()
    await one.committed(uninstall(one, 'x-bs'))
    await one.committed(uninstall(one, 'x-bs', NO_INSTANCES))
    await one.committed(uninstall(one, 'x-bs', NO_INSTANCES))
    expect(await uninstall(other, 'x-bs', '--push')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(': nothing to change'),
    })
    expect([one.git('rev-list', '--count', `${start}..HEAD`), other.git('rev-parse', 'HEAD')]).toEqual([
      '3\n',
      one.git('rev-parse', 'HEAD'),
    ])
  })

  /** Two clones with two packages: commits of the first are pushed when the other one commits. */
  async function racingClones() {
    const source = worlds.repository()
    await source.committed(source.install('x/as:v1.0.0'))
    await source.committed(source.install('x/bs:v1.0.0'))
    const bare = worlds.bare(source)
    const [one, other] = [worlds.clone(bare), worlds.clone(bare)]
    const push = `unset $(git rev-parse --local-env-vars); cd ${one.root} && git push --quiet origin main`
    other.hook('pre-commit', `${push} 2>/dev/null; exit 0`)
    return {start: source.git('rev-parse', 'HEAD').trim(), one, other}
  }
})
