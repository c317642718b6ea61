import {beforeAll, expect, it} from '@jest/globals'
import {chmodSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {programWords} from '../../built-program.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {GitWorlds, type Repository} from './git-world.js'
import {httpBackend} from './http-backend.js'
import {runBuilt, signalFromHook} from './killed-run.js'

describeReal('a run that a signal ends', missingTool('git'), () => {
  const worlds = new GitWorlds()
  beforeAll(() => {
    programWords()
  })
  const install = (git: string, temporary: string, args: readonly string[] = [], env = {}) =>
    runBuilt(['install', 'x/bs:v1.0.0', '--git', git, ...args, '--packages', worlds.packages, '--yes'], {
      TMPDIR: temporary,
      ...env,
    })
  const worktrees = (repository: Repository) => repository.git('worktree', 'list').trim().split('\n').length

  it('keeps no branch after kill -9, and no worktree of the user is forgotten', async () => {
    const [repository, temporary] = [worlds.repository(), worlds.folder()]
    const theirs = join(worlds.folder(), 'on-another-disk')
    repository.git('worktree', 'add', '--quiet', '-b', 'theirs', theirs)
    rmSync(theirs, {recursive: true})
    repository.hook('pre-commit', signalFromHook('KILL'))
    const run = () => install(repository.root, temporary, ['--branch', 'next'])
    expect(await run()).toMatchObject({signal: 'SIGKILL'})
    expect([readdirSync(temporary).length, worktrees(repository)]).toEqual([1, 3])

    repository.hook('pre-commit', 'exit 0')
    expect(await run()).toMatchObject({status: 0})
    expect([readdirSync(temporary), worktrees(repository), repository.status()]).toEqual([[], 2, ''])
    expect(repository.git('show', 'next:crossplane-packages.yaml')).toContain('x/bs:v1.0.0')
  })

  it('keeps no branch if the temporary folder is lost, too', async () => {
    const [repository, temporary] = [worlds.repository(), worlds.folder()]
    repository.hook('pre-commit', signalFromHook('KILL'))
    expect(await install(repository.root, temporary, ['--branch', 'next'])).toMatchObject({signal: 'SIGKILL'})
    rmSync(temporary, {recursive: true})
    repository.hook('pre-commit', 'exit 0')
    expect(await install(repository.root, worlds.folder(), ['--branch', 'next'])).toMatchObject({status: 0})
    expect(worktrees(repository)).toBe(1)
  })

  it.each([
    {signal: 'INT', status: 130},
    {signal: 'TERM', status: 143},
  ])('removes the worktree on SIG$signal', async ({signal, status}) => {
    const [repository, temporary] = [worlds.repository(), worlds.folder()]
    repository.hook('pre-commit', `${signalFromHook(signal)}; sleep 1; exit 1`)
    expect(await install(repository.root, temporary, ['--branch', 'next'])).toMatchObject({status})
    expect([readdirSync(temporary), worktrees(repository), repository.status()]).toEqual([[], 1, ''])
  })

  it('leaves no credentials, and the next run removes the clone', async () => {
    const bare = worlds.bare()
    const [hooks, temporary] = [worlds.folder(), worlds.folder()]
    const server = await httpBackend(dirname(bare.root), 'geheim')
    const url = `http://user:geheim@${server.host}/${basename(bare.root)}`
    const hook = (script: string) => {
      writeFileSync(join(hooks, 'pre-commit'), `#!/bin/sh\n${script}\n`)
      chmodSync(join(hooks, 'pre-commit'), 0o755)
    }
    const config = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.hooksPath',
      GIT_CONFIG_VALUE_0: hooks,
    }
    try {
      // Git ends as well, so that no file disappears while the test reads them.
      hook(`${signalFromHook('KILL')}; kill -KILL $PPID`)
      expect(await install(url, temporary, [], config)).toMatchObject({signal: 'SIGKILL'})
      const left = readdirSync(temporary, {recursive: true, withFileTypes: true})
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath, entry.name))
      expect(left.map(path => basename(path))).toContain('HEAD')
      expect(left.filter(path => readFileSync(path).includes('geheim'))).toEqual([])

      hook('exit 0')
      expect(await install(url, temporary, [], config)).toMatchObject({status: 0})
      expect([readdirSync(temporary), bare.commits()]).toEqual([[], 2])
    } finally {
      await server.close()
    }
  })
})
