import {execFileSync} from 'node:child_process'
import {mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from '@jest/globals'
import {repositoryPaths} from '../../src/adapters/git/repository-paths.js'
import {git} from '../../src/adapters/git/source-facts.js'
import {withVariables} from '../commands/git/git-world.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const CHANGED_TEMPLATE = {'pkg/chart/templates/a.yaml': 'a: 2\n'}

describeReal('the git facts of a folder', missingTool('git'), () => {
  const temporary = temporaryFolder()
  let made = 0

  /** A repository with one commit, in which a package lies. */
  function repository(): {readonly folder: string; readonly run: (...args: string[]) => string} {
    const folder = join(temporary, `${(made += 1)}`)
    mkdirSync(folder)
    const run = (...args: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim()
    run('init', '--quiet')
    writeTree(folder, {
      'pkg/.registry/app.yaml': 'title: A\n',
      'main.go': 'package main\n',
      '.gitignore': '*.log\n',
    })
    return {folder, run}
  }

  it('include the commit and the source repository', async () => {
    const {folder, run} = repository()
    run('add', '.')
    run('commit', '--quiet', '-m', 'first')
    run('remote', 'add', 'origin', 'https://me:secret@example.org/team/a.git')
    expect(await git.facts(join(folder, 'pkg'), [])).toEqual({
      isDirty: false,
      revision: run('rev-parse', 'HEAD'),
      remote: 'https://me:secret@example.org/team/a.git',
    })
  })

  it.each<{name: string; files: Readonly<Record<string, string>>; isDirty: boolean}>([
    {name: 'a changed file', files: {'pkg/.registry/app.yaml': 'title: B\n'}, isDirty: true},
    {name: 'a new file', files: {'pkg/.registry/icon.svg': '<svg/>'}, isDirty: true},
    {name: 'a file that git ignores', files: {'pkg/.registry/a.log': 'x'}, isDirty: true},
    {
      name: 'a file outside of the package',
      files: {'main.go': 'changed', 'image/index.json': '{}', 'pkg/a.log': 'x'},
      isDirty: false,
    },
  ])('detect $name', async ({files, isDirty}) => {
    const {folder, run} = repository()
    run('add', '.')
    run('commit', '--quiet', '-m', 'first')
    writeTree(folder, files)
    for (const path of ['pkg', 'pkg/.registry']) {
      const facts = await git.facts(join(folder, path), [])
      expect({isDirty: facts?.isDirty, named: facts?.revision !== undefined}).toEqual({
        isDirty,
        named: !isDirty,
      })
    }
  })

  it.each<{
    name: string
    others: readonly string[]
    files?: Readonly<Record<string, string>>
    isDirty: boolean
  }>([
    {name: 'a template beside the package', others: ['pkg/chart'], files: CHANGED_TEMPLATE, isDirty: true},
    {name: 'a new template', others: ['pkg/chart'], files: {'pkg/chart/new.yaml': 'a: 1\n'}, isDirty: true},
    {name: 'a file that git ignores', others: ['pkg/chart'], files: {'pkg/chart/a.log': 'x'}, isDirty: true},
    {name: 'a program that git ignores', others: ['dist'], files: {'dist/app.log': 'x'}, isDirty: true},
    {name: 'a change of a copied folder', others: ['app'], files: {'app/main.js': 'changed'}, isDirty: true},
    {name: 'a folder outside of the repository', others: ['..'], isDirty: true},
    {name: 'a folder that does not exist', others: ['pkg/none'], isDirty: true},
    {name: 'no change', others: ['pkg/chart', 'app'], isDirty: false},
    {name: 'a change that is not in the image', others: ['app'], files: CHANGED_TEMPLATE, isDirty: false},
  ])('compare the other folders of the image: $name', async ({others, files = {}, isDirty}) => {
    const {folder, run} = repository()
    writeTree(folder, {'pkg/chart/templates/a.yaml': 'a: 1\n', 'app/main.js': 'run()\n'})
    run('add', '.')
    run('commit', '--quiet', '-m', 'first')
    writeTree(folder, files)
    const link = `${folder}-link`
    symlinkSync(folder, link)
    for (const root of [folder, link]) {
      const paths = others.map(other => join(folder, other))
      expect(await git.facts(join(root, 'pkg'), paths)).toMatchObject({isDirty})
    }
  })

  it('are those of a template stack with its templates, and with the folders that are copied', async () => {
    const {folder, run} = repository()
    writeTree(folder, {
      'pkg/.registry/app.yaml': 'title: A\nversion: 0.1.0\npermissionScope: Cluster\n',
      'pkg/.registry/behavior.yaml':
        'crd: {apiVersion: own.example.org/v1, kind: Widget}\nengine: {type: helm3}\nsource: {path: chart/}\n',
      'pkg/chart/Chart.yaml': 'apiVersion: v2\nname: a\nversion: 0.1.0\n',
      'app/main.js': 'run()\n',
    })
    run('add', '.')
    run('commit', '--quiet', '-m', 'first')
    const build = async (...flags: readonly string[]) => {
      const target = `oci:${join(temporary, `image-${(made += 1)}`)}`
      const {status, stdout, stderr} = await runCli(
        ...['package', 'build', target, join(folder, 'pkg'), '--no-lint', '-o', 'json'],
        ...flags,
      )
      expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
      return (JSON.parse(stdout) as {warnings: {rule: string}[]}).warnings.map(({rule}) => rule)
    }
    const copy = `--copy=${join(folder, 'app')}:/app`
    expect(await build(copy)).toEqual([])
    writeTree(folder, {'app/main.js': 'other()\n'})
    expect(await build()).toEqual([])
    expect(await build(copy)).toEqual(['uncommitted'])
    writeTree(folder, {'pkg/chart/templates/a.yaml': 'a: 1\n'})
    expect(await build()).toEqual(['uncommitted'])
  })

  it('are read from the repository of the folder, even inside a hook of another repository', async () => {
    const {folder, run} = repository()
    run('add', '.')
    run('commit', '--quiet', '-m', 'first')
    const revision = run('rev-parse', 'HEAD')
    process.env.GIT_DIR = join(temporary, 'of-the-hook')
    try {
      expect(await git.facts(join(folder, 'pkg'), [])).toMatchObject({isDirty: false, revision})
    } finally {
      delete process.env.GIT_DIR
    }
  })

  it.each([
    {
      name: 'belongs to another user',
      variables: () => ({GIT_TEST_ASSUME_DIFFERENT_OWNER: '1'}),
      reason: 'the repository belongs to another user',
      next: (folder: string) => `git config --global --add safe.directory ${folder}`,
    },
    {
      name: 'is that of a worktree which is not mounted',
      variables: (folder: string) => {
        rmSync(join(folder, '.git'), {recursive: true})
        writeTree(folder, {'.git': 'gitdir: /nowhere/.git/worktrees/a\n'})
        return {}
      },
      reason: 'not a git repository: /nowhere/.git/worktrees/a',
    },
    {
      name: 'is there, but no git',
      variables: () => ({PATH: temporary}),
      reason: 'it is not installed',
      next: () => 'Install git 2.34 or later, and add it to PATH.',
    },
  ])('that cannot be read are named where the repository $name', async ({variables, reason, next}) => {
    const {folder, run} = repository()
    run('add', '.')
    run('commit', '--quiet', '-m', 'first')
    const [place, target] = [join(folder, 'pkg'), `oci:${join(temporary, `image-${(made += 1)}`)}`]
    writeTree(place, {
      '.registry/app.yaml': 'title: A\nversion: 0.1.0\npermissionScope: Cluster\n',
    })
    await withVariables(variables(folder), async () => {
      expect(await git.facts(place, [])).toMatchObject({isDirty: true, unread: expect.any(Error)})
      const {status, stdout} = await runCli('package', 'build', target, place, '--no-lint', '-o', 'json')
      const {warnings} = JSON.parse(stdout) as {readonly warnings: readonly {readonly message: string}[]}
      expect({status, warnings}).toEqual({
        status: 0,
        warnings: [
          {
            severity: 'warning',
            rule: 'commit-unread',
            message: expect.stringMatching(/^the image does not record a commit: cannot /),
            suggestions: next === undefined ? [] : [next(folder)],
          },
        ],
      })
      expect(warnings[0]?.message).toContain(reason)
      await expect(repositoryPaths.pathOf(place)).rejects.toThrow(reason)
    })
  })

  it('have no commit before the first one', async () => {
    const {folder} = repository()
    expect(await git.facts(join(folder, 'pkg'), [])).toEqual({isDirty: true})
  })

  it.each([
    {name: 'a clean filter', set: (trap: string) => [['config', 'filter.trap.clean', trap]]},
    {name: 'a process filter', set: (trap: string) => [['config', 'filter.trap.process', trap]]},
    {name: 'a fsmonitor', set: (trap: string) => [['config', 'core.fsmonitor', trap]]},
    {
      name: 'an ssh command, in a partial clone',
      set: (trap: string) => [
        ['config', 'core.sshCommand', trap],
        ['config', 'remote.origin.url', 'git@example.org:team/a.git'],
        ['config', 'remote.origin.promisor', 'true'],
        ['config', 'extensions.partialClone', 'origin'],
      ],
    },
  ])('are read without running $name of the repository', async ({set}) => {
    const {folder, run} = repository()
    run('add', '.')
    run('commit', '--quiet', '-m', 'first')
    const object = run('rev-parse', 'HEAD:pkg/.registry')
    rmSync(join(folder, '.git/objects', object.slice(0, 2), object.slice(2)))
    const trap = join(folder, 'trap')
    writeFileSync(trap, `#!/bin/sh\ntouch '${folder}/sprung'\ncat\n`, {mode: 0o755})
    writeTree(folder, {'.git/info/attributes': '* filter=trap\n', 'pkg/.registry/app.yaml': 'title: A\n'})
    for (const args of set(trap)) run(...args)
    expect(await git.facts(join(folder, 'pkg'), [])).toMatchObject({isDirty: true})
    expect(readdirSync(folder)).not.toContain('sprung')
  })

  it('treat links as text, and include changes that only a filter hides', async () => {
    const {folder, run} = repository()
    symlinkSync('app.yaml', join(folder, 'pkg/.registry/link.yaml'))
    run('add', '.')
    run('commit', '--quiet', '-m', 'first')
    expect(await git.facts(join(folder, 'pkg'), [])).toMatchObject({isDirty: false})
    run('config', 'core.autocrlf', 'true')
    writeTree(folder, {'pkg/.registry/app.yaml': 'title: A\r\n'})
    expect(await git.facts(join(folder, 'pkg'), [])).toMatchObject({isDirty: true})
  })

  it('are read without starting a monitor that the repository configures', async () => {
    const {folder, run} = repository()
    const trap = join(folder, 'trap')
    writeFileSync(trap, `#!/bin/sh\ntouch ${folder}/sprung\n`, {mode: 0o755})
    run('config', 'core.fsmonitor', trap)
    await git.facts(folder, [])
    const sprung = execFileSync('ls', [folder], {encoding: 'utf8'}).includes('sprung')
    expect(sprung).toBe(false)
  })
})

describe('a folder outside of a repository', () => {
  const temporary = temporaryFolder()

  it.each([temporary, join(temporary, 'nowhere')])('%s has no git facts', async folder => {
    expect(await git.facts(folder, [])).toBeUndefined()
  })
})
