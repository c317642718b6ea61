import {expect, it} from '@jest/globals'
import {chmodSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {GitWorlds, type Repository, runAt, runTool, withVariables} from './git-world.js'

const ESCAPES = 'Write %2F for each / in the password, and %40 for each @ in the path.'
const EXAMPLE = 'Write the URL as https://git.example.org/team/deploy.git'

describeReal('a commit to another branch', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const branches = (repository: Repository) =>
    repository.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').trim().split('\n')

  /** Follows the suggestion of a rejection, with the shell. */
  async function followed(repository: Repository, ...args: readonly string[]): Promise<string> {
    const {status, stderr} = await repository.install('x/bs:v1.0.0', ...args)
    const [, suggestion = ''] = /^Try: (.*)$/m.exec(stderr) ?? []
    expect({status, suggestion}).toEqual({status: 5, suggestion: expect.stringMatching(/^git -C /)})
    expect(stderr).not.toContain('kubectl-crossplane-git-')
    runTool('sh', '-c', suggestion)
    return stderr
  }

  it('leaves no branch behind without a commit', async () => {
    const repository = worlds.repository()
    const on = ['--branch', 'next']
    expect(await repository.install('x/bs:v1.0.0', ...on, '--dry-run', 'client')).toMatchObject({status: 0})
    expect(branches(repository)).toEqual(['main'])
    await repository.committed(repository.install('x/bs:v1.0.0', ...on))
    expect(branches(repository)).toEqual(['main', 'next'])
    expect(await repository.install('x/bs:v1.0.0', ...on)).toMatchObject({status: 0})
    expect(branches(repository)).toEqual(['main', 'next'])
  })

  it.each([{flags: ['--push']}, {flags: []}])(
    'is not begun anew where only the remote branch exists ($flags)',
    async ({flags}) => {
      const bare = worlds.bare()
      bare.git('branch', "it's/next")
      const clone = worlds.clone(bare)
      const stderr = await followed(clone, '--branch', "it's/next", ...flags)
      expect(stderr).toContain("cannot commit to it's/next: only origin/it's/next exists")
      await clone.committed(clone.install('x/bs:v1.0.0', '--branch', "it's/next", ...flags))
    },
  )

  it.each([
    {name: 'the current branch', branch: 'main', own: false},
    {name: 'another branch', branch: 'next', own: false},
    {name: 'another branch that has commits of its own', branch: 'next', own: true},
  ])('names the next step if $name lacks commits of its remote branch', async ({branch, own}) => {
    const bare = worlds.bare()
    bare.git('branch', 'next')
    const clone = worlds.clone(bare)
    clone.git('branch', '--quiet', 'next')
    if (own) {
      const tree = clone.git('rev-parse', 'HEAD^{tree}').trim()
      clone.git(
        'update-ref',
        'refs/heads/next',
        runTool('git', '-C', clone.root, 'commit-tree', '-p', 'next', '-m', 'ours', tree).trim(),
      )
    }
    const other = worlds.clone(bare)
    other.git('checkout', '--quiet', branch)
    other.git('commit', '--quiet', '--allow-empty', '--message=theirs')
    other.git('push', '--quiet', 'origin', branch)
    await followed(clone, '--branch', branch, '--push')
    await clone.committed(clone.install('x/bs:v1.0.0', '--branch', branch, '--push'))
  })

  it('needs a commit to begin with', async () => {
    const repository = worlds.repository({})
    const {status, stderr} = await repository.install('x/bs:v1.0.0', '--branch', 'next')
    expect({status, stderr}).toEqual({
      status: 5,
      stderr:
        'Error: cannot create next: main has no commit\nTry: Make the first commit, or leave out --branch.\n',
    })
    await repository.committed(repository.install('x/bs:v1.0.0'))
    await repository.committed(repository.install('x/as', '--branch', 'next'))
  })

  it('names the repository and the branch, and no temporary folder', async () => {
    const repository = worlds.repository({'crossplane-packages.yaml': 'packages: 1\n'})
    const {status, stderr} = await repository.install('x/bs:v1.0.0', '--branch', 'next')
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringContaining('next:crossplane-packages.yaml'),
    })
    expect(stderr).not.toContain('kubectl-crossplane-git-')
    const url = `file://${worlds.bare(repository).root}`
    const at = await runAt(url, worlds.packages, 'install', 'x/bs:v1.0.0')
    expect(at.stderr).toContain(`${url}/crossplane-packages.yaml`)
    expect(at.stderr).not.toContain('kubectl-crossplane-git-')
    const ignored = worlds.bare(worlds.repository({'.gitignore': 'packages/\n'}))
    const blocked = await runAt(`file://${ignored.root}`, worlds.packages, 'install', 'x/bs:v1.0.0')
    expect(blocked).toMatchObject({status: 5})
    expect(blocked.stderr).toMatch(/^Try: Remove the path from \.gitignore, or pass another --path\.$/m)
  })
})

describeReal('the URL of a repository', missingTool('git'), () => {
  const worlds = new GitWorlds()

  /** Runs the command for the server here. */
  function localSsh(): string {
    const program = join(worlds.folder(), 'ssh')
    writeFileSync(program, '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n')
    chmodSync(program, 0o755)
    return program
  }

  it.each(['org-123@git.example.org:', 'git.example.org:', '[::1]:', 'ssh://org-123@git.example.org'])(
    'can be %s',
    async prefix => {
      const bare = worlds.bare()
      await withVariables({GIT_SSH_COMMAND: localSsh(), GIT_SSH_VARIANT: 'ssh'}, async () => {
        const {status, stderr} = await runAt(
          `${prefix}${bare.root}`,
          worlds.packages,
          'install',
          'x/bs:v1.0.0',
        )
        expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining(': pushed ')})
      })
      expect(bare.commits()).toBe(2)
    },
  )

  it.each([
    '-x:y',
    'user@-oProxyCommand=x:a',
    'git.example.org:-a',
    'ssh://-oProxyCommand=x/a',
    'ssh://user@-oProxyCommand=x/a',
    'ext::sh -c x',
    'user@ext::x',
  ])('cannot be %s', async url => {
    const {runCli} = await import('../../run-cli.js')
    const {status, stderr} = await runCli('package', 'install', 'x/bs:v1.0.0', `--git=${url}`, '--yes')
    expect({status, stderr}).toEqual({
      status: 5,
      stderr: expect.stringContaining('cannot open the repository '),
    })
  })

  it.each([
    {url: 'https://me:ge/heim@127.0.0.1:1/a', suggestion: ESCAPES},
    {url: 'https://me@example.org:ge/heim@127.0.0.1:1/a', suggestion: ESCAPES},
    {url: 'https://me:12/geheim@127.0.0.1:1/a', suggestion: ESCAPES},
    {url: 'https://me@example.org:12/geheim@127.0.0.1:1/a', suggestion: ESCAPES},
    {url: 'https://me:p@ge/heim@127.0.0.1:1/a', suggestion: ESCAPES},
    {url: 'https:///me:geheim@127.0.0.1:1/a', suggestion: EXAMPLE},
    {url: 'https:/me:geheim@127.0.0.1:1/a', suggestion: EXAMPLE},
    {url: 'me:geheim@127.0.0.1/a', suggestion: EXAMPLE},
    {url: 'ssh://me:geheim@127.0.0.1:1/a', suggestion: 'Leave out the password.'},
    {url: 'git://me:geheim@127.0.0.1:1/a', suggestion: 'Leave out the password.'},
  ])('cannot have a password that git cannot use: $url', async ({url, suggestion}) => {
    const {status, stdout, stderr} = await runAt(url, worlds.packages, 'install', 'x/bs:v1.0.0', '--debug')
    expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining(`Try: ${suggestion}\n`)})
    expect(`${stdout}${stderr}`).not.toMatch(/heim/)
  })

  it.each([
    {url: 'https://me:geheim@127.0.0.1:1/a', want: 1},
    {url: 'https://me:ge heim@127.0.0.1:1/a', want: 1},
    {url: 'https:// me:geheim@127.0.0.1/a', want: 5},
  ])('fails without its credentials: $url', async ({url, want}) => {
    const {status, stdout, stderr} = await runAt(url, worlds.packages, 'install', 'x/bs:v1.0.0', '--debug')
    expect(status).toBe(want)
    expect(`${stdout}${stderr}`).not.toMatch(/ge ?heim/)
  })

  it('can have an @ in its path', async () => {
    const url = 'http://127.0.0.1:1/team@home/a'
    const {status, stderr} = await runAt(url, worlds.packages, 'install', 'x/bs:v1.0.0')
    expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining(`cannot read ${url}: `)})
  })

  it('is cloned whatever the default name of a remote is', async () => {
    const bare = worlds.bare()
    const config = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'clone.defaultRemoteName',
      GIT_CONFIG_VALUE_0: 'upstream',
    }
    await withVariables(config, async () => {
      expect(await runAt(`file://${bare.root}`, worlds.packages, 'install', 'x/bs:v1.0.0')).toMatchObject({
        status: 0,
      })
    })
    expect(bare.commits()).toBe(2)
  })
})
