import {expect, it} from '@jest/globals'
import {existsSync, readFileSync, rmSync} from 'node:fs'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {rulesIn} from '../locked-world.js'
import {GitWorlds, runTool} from './git-world.js'

const DECLARATION =
  'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- package: x/as\n'

describeReal('a path that is marked in the index', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const declaration = 'crossplane-packages.yaml'
  const tree = 'packages/kustomization.yaml'

  it.each([
    {mark: '--skip-worktree', rule: 'skip-worktree', undo: '--no-skip-worktree'},
    {mark: '--assume-unchanged', rule: 'assume-unchanged', undo: '--no-assume-unchanged'},
  ])('is not overwritten with $mark, and the next step leads to the change', async ({mark, rule, undo}) => {
    const repository = worlds.repository({[declaration]: DECLARATION, 'my lock': 'x'})
    await repository.committed(repository.install('x/bs:v1.0.0'))
    repository.git('update-index', mark, declaration, 'packages/kustomization.yaml')
    const mine = `${DECLARATION}# mine\n`
    repository.write({[declaration]: mine, 'packages/kustomization.yaml': 'resources: []\n'})

    const {status, stderr} = await repository.install('x/as:v1.0.0')
    expect({status, rules: rulesIn(stderr)}).toEqual({status: 5, rules: [rule, 'edited-file']})
    expect(stderr).toContain('(and 1 other path)')
    expect(readFileSync(repository.at(declaration), 'utf8')).toBe(mine)
    const next = `git -C ${repository.root} update-index ${undo} -- ${declaration} packages/kustomization.yaml`
    expect(stderr).toContain(`Try: ${next}\n`)

    runTool('sh', '-c', next)
    const then = await repository.install('x/as:v1.0.0')
    expect({status: then.status, rules: rulesIn(then.stderr)}).toEqual({
      status: 5,
      rules: ['modified-file', 'modified-file', 'edited-file'],
    })
    repository.git('stash', 'push', '--quiet')
    await repository.committed(repository.install('x/as:v1.0.0'))
  })

  it.each([{flags: []}, {flags: ['--branch', 'next']}])(
    'by core.ignoreStat is not marked again after the next step: $flags',
    async ({flags}) => {
      const repository = worlds.repository({[declaration]: DECLARATION})
      repository.git('config', 'core.ignoreStat', 'true')
      repository.git('rm', '--quiet', '--cached', declaration)
      repository.git('add', '--all')
      if (flags.length > 0) repository.git('branch', 'next')
      const {status, stderr} = await repository.install('x/bs:v1.0.0', ...flags)
      expect({status, rules: rulesIn(stderr)}).toEqual({status: 5, rules: ['assume-unchanged']})
      const [, next = ''] = /^Try: (git .*)$/m.exec(stderr) ?? []
      expect(next).toContain(`git -C ${repository.root} config core.ignoreStat false`)
      runTool('sh', '-c', next)
      await repository.committed(repository.install('x/bs:v1.0.0', ...flags))
      await repository.committed(repository.install('x/as:v1.0.0', ...flags))
    },
  )

  it.each([
    {
      name: 'core.ignoreStat',
      marks: ['config core.ignoreStat true', `rm --quiet --cached ${tree}`, `add ${tree}`],
      rule: 'assume-unchanged',
    },
    {name: 'a user', marks: [`update-index --assume-unchanged ${tree}`], rule: 'assume-unchanged'},
    {name: 'a user', marks: [`update-index --skip-worktree ${tree}`], rule: 'skip-worktree'},
  ])('as $rule by $name is not passed over where nothing else changes', async ({marks, rule}) => {
    const repository = worlds.repository({[declaration]: DECLARATION})
    await repository.committed(repository.install('x/as:v1.0.0'))
    for (const mark of marks) repository.git(...mark.split(' '))
    const rendered = readFileSync(repository.at(tree), 'utf8')
    const change = async () => {
      const {status, stderr} = await repository.install('x/as:v1.0.0')
      return {status, rules: rulesIn(stderr)}
    }
    expect(await change()).toEqual({status: 0, rules: []})
    repository.write({[tree]: `${rendered}# mine\n`})
    expect(await change()).toEqual({status: 5, rules: [rule, 'edited-file']})
    rmSync(repository.at(tree))
    expect(await change()).toMatchObject({status: 5})
    expect(existsSync(repository.at(tree))).toBe(false)
  })

  it('is in a sparse checkout again after the next step', async () => {
    const repository = worlds.repository({'deploy/crossplane-packages.yaml': DECLARATION, 'other/a': 'x'})
    repository.git('sparse-checkout', 'set', 'deploy')
    repository.git('update-index', '--skip-worktree', 'deploy/crossplane-packages.yaml')
    rmSync(repository.at('deploy/crossplane-packages.yaml'))
    const {stderr} = await repository.install('x/bs:v1.0.0', '--path', 'deploy')
    const [, next = ''] = /^Try: (git .*)$/m.exec(stderr) ?? []
    runTool('sh', '-c', next)
    await repository.committed(repository.install('x/bs:v1.0.0', '--path', 'deploy'))
  })
})

describeReal('a branch without a commit, beside others,', missingTool('git'), () => {
  const worlds = new GitWorlds()

  it('is rejected in a clone of a remote whose HEAD names no branch, and the next step leads on', async () => {
    const remote = worlds.bare(worlds.repository())
    remote.git('symbolic-ref', 'HEAD', 'refs/heads/master')
    const clone = worlds.clone(remote)
    const {status, stderr} = await clone.install('x/bs:v1.0.0', '--push')
    expect({status, rules: rulesIn(stderr)}).toEqual({status: 5, rules: ['unborn-branch']})
    expect(remote.git('branch', '--format=%(refname:short)')).toBe('main\n')
    const [, next = ''] = /^Try: (git .*)$/m.exec(stderr) ?? []
    runTool('sh', '-c', next)
    await clone.committed(clone.install('x/bs:v1.0.0', '--push'))
    expect(remote.git('rev-list', '--count', 'main')).toBe('2\n')
  })

  it.each([
    {
      flags: [],
      message:
        'the branch master has no commit, and others have: other/main, the/origin/main [unborn-branch]',
    },
    {flags: ['--branch', 'deploy'], message: 'cannot create deploy: master has no commit'},
  ])(
    'is rejected beside those of two remotes, and the next step selects one: $flags',
    async ({flags, message}) => {
      const repository = worlds.repository({})
      repository.git('symbolic-ref', 'HEAD', 'refs/heads/master')
      repository.git('remote', 'add', 'the/origin', worlds.bare().root)
      repository.git('remote', 'add', 'other', worlds.bare().root)
      repository.git('fetch', '--quiet', '--all')
      const {status, stderr} = await repository.install('x/bs:v1.0.0', ...flags)
      const next = `git -C ${repository.root} switch --track other/main`
      expect({status, stderr}).toEqual({
        status: 5,
        stderr: expect.stringContaining(`${message}\nTry: ${next}\n`),
      })
      runTool('sh', '-c', next)
      await repository.committed(repository.install('x/bs:v1.0.0', ...flags))
      expect(repository.git('rev-list', '--count', 'HEAD', ...flags.slice(1))).toBe('2\n')
    },
  )
})
