import {expect, it} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {GitWorlds} from './git-world.js'
import {httpBackend} from './http-backend.js'

const FILE = 'packages/kustomization.yaml'

describeReal('package drift --git URL', missingTool('git'), () => {
  const worlds = new GitWorlds()

  it('compares the commits of a repository by file and by http, and suggests commands for a clone', async () => {
    const repository = worlds.repository()
    const placed = ['--git', repository.root, '--packages', worlds.packages]
    const installed = await runCli('package', 'install', 'x/bs:v1.0.0', ...placed, '--yes')
    expect(installed).toMatchObject({status: 0})
    const lock = ['--declaration', join(repository.root, 'crossplane-packages.yaml')]
    const drift = async (...args: readonly string[]) =>
      await runCli('package', 'drift', ...lock, '--packages', worlds.packages, ...args)
    const server = await httpBackend(dirname(repository.root))
    try {
      const [file, http] = ['file://', `http://${server.host}`].map(
        (at, index) => `${at}${index === 0 ? repository.root : `/${basename(repository.root)}/.git`}`,
      )
      for (const url of [file, http]) {
        expect(await drift('--git', url ?? '')).toMatchObject({status: 0, stdout: ''})
      }
      repository.write({[FILE]: 'edited: true\n'})
      repository.git('commit', '--quiet', '--all', '--message=edited')
      for (const url of [file, http]) {
        const {status, stdout} = await drift('--git', url ?? '')
        expect({status, stdout}).toEqual({status: 1, stdout: expect.stringContaining(`edited ${FILE}`)})
        const [, clone] = /^To run the commands of git: (.*)$/m.exec(stdout) ?? []
        const [, command] = /^To bring back the tree: (.*)$/m.exec(stdout) ?? []
        expect([clone, command]).toEqual([
          expect.stringContaining(`git clone ${url} `),
          expect.stringMatching(/^git -C \S+ revert --no-edit /),
        ])
      }
    } finally {
      await server.close()
    }
  })

  it('suggests a command that undoes a merge which changed the file itself', async () => {
    const repository = worlds.repository()
    const placed = ['--git', repository.root, '--packages', worlds.packages]
    const installed = await runCli('package', 'install', 'x/bs:v1.0.0', ...placed, '--yes')
    expect(installed).toMatchObject({status: 0})
    const branch = repository.git('branch', '--show-current').trim()
    repository.git('checkout', '--quiet', '-b', 'other')
    repository.git('commit', '--quiet', '--allow-empty', '--message=theirs')
    repository.git('checkout', '--quiet', branch)
    repository.git('commit', '--quiet', '--allow-empty', '--message=ours')
    repository.git('merge', '--quiet', '--no-ff', '--no-commit', 'other')
    repository.write({[FILE]: 'edited: true\n'})
    repository.git('add', FILE)
    repository.git('commit', '--quiet', '--message=merged')
    const lock = ['--declaration', join(repository.root, 'crossplane-packages.yaml')]
    const drift = async () => await runCli('package', 'drift', ...lock, ...placed)
    const {status, stdout} = await drift()
    expect({status, stdout}).toEqual({status: 1, stdout: expect.stringContaining(`edited ${FILE}`)})
    const [, words = ''] = /^To bring back the tree: git -C \S+ (.*)$/m.exec(stdout) ?? []
    expect(words).toMatch(/^revert --no-edit --mainline 1 /)
    repository.git(...words.split(' '))
    expect(await drift()).toMatchObject({status: 0, stdout: ''})
  })

  it('is judged by the policy of --policy, as check is', async () => {
    const repository = worlds.repository()
    const placed = ['--git', repository.root, '--packages', worlds.packages]
    expect(await runCli('package', 'install', 'x/bs:v1.0.0', ...placed, '--yes')).toMatchObject({status: 0})
    const policy = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\nsources: '
    repository.write({
      'strict.yaml': `${policy}[other.example.org]\n`,
      'open.yaml': `${policy}[docker.io/x]\n`,
    })
    const lock = ['--declaration', join(repository.root, 'crossplane-packages.yaml')]
    const drift = async (file: string) =>
      await runCli('package', 'drift', ...lock, ...placed, '--policy', join(repository.root, file))
    expect(await drift('open.yaml')).toMatchObject({status: 0})
    expect(await drift('strict.yaml')).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('policy-source'),
    })
    expect(await runCli('package', 'drift', ...placed, '--policy', 'x')).toMatchObject({status: 2})
  })

  it('exits with 7 if the repository or its branch does not exist, and creates no branch', async () => {
    const repository = worlds.repository()
    const absent = join(mkdtempSync(join(repository.root, 'absent-')), 'repository')
    const drift = async (...args: readonly string[]) => await runCli('package', 'drift', '--git', ...args)
    expect(await drift(`file://${absent}`)).toMatchObject({status: 7})
    expect(await drift(absent)).toMatchObject({status: 7})
    for (const place of [repository.root, `file://${repository.root}`]) {
      const compared = await drift(place, '--branch', 'absent', '--declaration', 'absent.yaml')
      expect(compared).toMatchObject({status: 7, stderr: expect.stringContaining('cannot read the branch')})
    }
    expect(repository.git('branch', '--list', 'absent')).toBe('')
  })
})
