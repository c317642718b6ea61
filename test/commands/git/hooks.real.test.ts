import {execFileSync} from 'node:child_process'
import {chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {expect, it} from '@jest/globals'
import {shellWord} from '../../../src/text.js'
import {programWords} from '../../built-program.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runProgram} from '../../run-program.js'
import {writeTree} from '../../temporary-folder.js'
import {GitWorlds, type Repository, runTool, withVariables} from './git-world.js'

const PACKAGE = {
  'pkg/.registry/app.yaml':
    'title: A\nversion: v0.1.0\npermissionScope: Cluster\nmaintainers: []\nlicense: MIT\n',
}

/** The user nobody, of whom nothing of the tests is. */
const NOBODY = 65534

/** Git reads repositories of other users only if it is told to. */
const SAFE = ['-c', 'safe.directory=*']

describeReal('a command that git runs', missingTool('git', 'setpriv'), () => {
  const worlds = new GitWorlds()

  /** The program as a word of a hook; what it prints and its status are added to a file. */
  function program(log: string, ...args: readonly string[]): string {
    const command = [...programWords(), ...args].map(shellWord).join(' ')
    return `{ ${command}; echo "exit $?"; } >> ${shellWord(log)} 2>&1`
  }

  /** A repository with a home and a package, and a file for what the program prints. */
  async function home(): Promise<{readonly repository: Repository; readonly log: string}> {
    const repository = worlds.repository({'README.md': 'ours\n', ...PACKAGE})
    await repository.committed(repository.install('x/bs:v1.0.0'))
    return {repository, log: join(worlds.folder(), 'log')}
  }

  const check = (repository: Repository, log: string, ...args: readonly string[]) =>
    program(log, 'package', 'check', '--git', repository.root, '--packages', worlds.packages, ...args)

  const statuses = (log: string) => readFileSync(log, 'utf8').match(/^exit \d+$/gm) ?? []

  it('checks in hooks, aliases, rebase --exec and bisect run as outside of them', async () => {
    const {repository, log} = await home()
    const bare = worlds.bare(repository)
    repository.git('remote', 'add', 'origin', `file://${bare.root}`)
    for (const hook of ['pre-commit', 'pre-push', 'post-checkout'])
      repository.hook(hook, check(repository, log))
    repository.git('commit', '--quiet', '--allow-empty', '--message=second')
    repository.git('push', '--quiet', 'origin', 'main')
    repository.git('checkout', '--quiet', '-b', 'other')
    rmSync(repository.at('.git/hooks'), {recursive: true})
    const script = join(worlds.folder(), 'check.sh')
    writeFileSync(script, `#!/bin/sh\n${check(repository, log)}\n`)
    chmodSync(script, 0o755)
    repository.git('-c', `alias.check-packages=!${script}`, 'check-packages')
    repository.git('rebase', '--quiet', '--exec', script, 'HEAD~1')
    repository.git('bisect', 'start', 'HEAD', 'HEAD~2')
    repository.git('bisect', 'run', script)
    repository.git('bisect', 'reset')
    const linked = join(worlds.folder(), 'linked')
    repository.git('worktree', 'add', '--quiet', linked, 'main')
    execFileSync(
      'git',
      ['-C', linked, '-c', `alias.check-packages=!${check(repository, log, '--hashes')}`, 'check-packages'],
      {env: {...process.env}},
    )
    expect(statuses(log)).toEqual(Array(7).fill('exit 0'))
  })

  it('commits in a post-checkout hook, an alias and a pre-push hook', async () => {
    const {repository, log} = await home()
    const bare = worlds.bare(repository)
    repository.git('remote', 'add', 'origin', `file://${bare.root}`)
    const commit = (command: string, ...args: readonly string[]) =>
      program(
        log,
        'package',
        command,
        ...args,
        '--git',
        repository.root,
        '--packages',
        worlds.packages,
        '--yes',
      )
    repository.hook('post-checkout', commit('upgrade', 'x/bs:v2.0.0'))
    repository.git('checkout', '--quiet', '-b', 'other')
    repository.git('-c', `alias.add-package=!${commit('install', 'x/as:v1.0.0')}`, 'add-package')
    repository.hook('pre-push', commit('install', 'x/site:v2.0.0'))
    repository.git('push', '--quiet', 'origin', 'HEAD:refs/heads/pushed')
    expect(statuses(log)).toEqual(Array(3).fill('exit 0'))
    expect(repository.git('log', '--format=%s', '-3')).toBe(
      'Install x/site:v2.0.0\nInstall x/as:v1.0.0\nUpgrade x/bs to v2.0.0\n',
    )
    expect(repository.status()).toBe('')
  })

  it.each([
    {
      name: 'an alias',
      run: (repository: Repository, build: string) => repository.git('-c', `alias.build=!${build}`, 'build'),
    },
    {
      name: 'a hook',
      run: (repository: Repository, build: string) => {
        repository.hook('post-checkout', build)
        repository.git('checkout', '--quiet', '-b', 'other')
      },
    },
    {
      name: 'rebase --exec',
      run: (repository: Repository, build: string) => {
        repository.git('rebase', '--quiet', '--exec', build, 'HEAD~1')
      },
    },
  ])('builds in $name the image that it builds outside', async ({run}) => {
    const {repository} = await home()
    const out = worlds.folder()
    const build = (name: string) => {
      const target = `oci:${join(out, name)}:v0.1.0`
      return program(join(out, `${name}.log`), 'package', 'build', target, repository.at('pkg'), '--no-lint')
    }
    runTool('sh', '-c', build('outside'))
    run(repository, build('inside'))
    const index = (name: string) => readFileSync(join(out, name, 'index.json'), 'utf8')
    expect(index('inside')).toBe(index('outside'))
    expect(manifestAt(join(out, 'inside'))).toContain(repository.git('rev-parse', 'HEAD').trim())
    expect(readFileSync(join(out, 'inside.log'), 'utf8')).not.toContain('Warning')
  })

  /** Returns the words before a command that runs it as a user who cannot read a folder, but can change the other ones. */
  function withoutAccess(folder: string, own: readonly string[]): readonly string[] {
    chmodSync(folder, 0o700)
    // Whoever is not root cannot read what nobody may read.
    if (process.getuid?.() !== 0) {
      chmodSync(folder, 0)
      return []
    }
    for (const path of own) {
      chmodSync(dirname(path), 0o755)
      runTool('chown', '--recursive', `${NOBODY}:${NOBODY}`, path)
    }
    return ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  }

  it('checks and commits as a user who cannot read the files of HOME', async () => {
    const {repository, log} = await home()
    const home_ = worlds.folder()
    writeTree(home_, {'.gitconfig': '[core]\n', '.config/git/ignore': 'a\n'})
    const commit = ['package', 'upgrade', 'x/bs:v2.0.0', '--yes', '--git', repository.root]
    repository.hook('post-checkout', program(log, ...commit, '--packages', worlds.packages))
    const user = withoutAccess(home_, [repository.root, dirname(log)])
    const variables = {HOME: home_, XDG_CONFIG_HOME: undefined, GIT_CONFIG_GLOBAL: undefined}
    await withVariables(variables, () => {
      const git = [...user, 'git', '-C', repository.root].map(shellWord).join(' ')
      expect(runTool('sh', '-c', `${git} status 2>&1`)).toContain('Permission denied')
      runTool('sh', '-c', `${git} checkout --quiet -b other 2>&1`)
      runTool(
        'sh',
        '-c',
        `${git} -c alias.check-packages=${shellWord(`!${check(repository, log)}`)} check-packages`,
      )
      return Promise.resolve()
    })
    chmodSync(home_, 0o700)
    expect({statuses: statuses(log), log: readFileSync(log, 'utf8')}).toMatchObject({
      statuses: ['exit 0', 'exit 0'],
    })
    const {stdout} = await runProgram('git', ['-C', repository.root, ...SAFE, 'log', '--format=%s', '-1'])
    expect(stdout).toBe('Upgrade x/bs to v2.0.0\n')
  })

  it('takes neither warnings nor traces of git for failures', async () => {
    const {repository} = await home()
    const home_ = worlds.folder()
    mkdirSync(join(home_, '.config/git'), {recursive: true})
    // As for another user, who cannot read the files; root could.
    for (const name of ['ignore', 'attributes']) symlinkSync('loop', join(home_, '.config/git', name))
    symlinkSync('ignore', join(home_, '.config/git/loop'))
    const variables = {
      HOME: home_,
      XDG_CONFIG_HOME: undefined,
      GIT_CONFIG_GLOBAL: undefined,
      GIT_TRACE: '1',
      GIT_TRACE2: '1',
    }
    await withVariables(variables, async () => {
      expect(runTool('sh', '-c', `git -C ${repository.root} status 2>&1`)).toMatch(
        /warning: unable to access/,
      )
      await repository.committed(repository.install('x/as:v1.0.0'))
      const clone = worlds.clone(worlds.bare(repository))
      await clone.committed(clone.upgrade('x/bs:v2.0.0', '--push'))
      clone.hook('pre-commit', 'echo "not on a Friday" >&2; exit 1')
      const {status, stderr} = await clone.install('x/site:v2.0.0')
      expect({status, stderr}).toMatchObject({status: 1})
      expect(stderr).toContain('Error: cannot commit: a hook failed: not on a Friday\n')
    })
  })
})

function manifestAt(layout: string): string {
  const blobs = join(layout, 'blobs/sha256')
  return readdirSync(blobs)
    .map(name => readFileSync(join(blobs, name), 'latin1'))
    .join('\n')
}
