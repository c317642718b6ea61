import {expect, it} from '@jest/globals'
import {chmodSync, existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {tmpdir} from 'node:os'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {rulesIn} from '../locked-world.js'
import {GitWorlds, OTHER_OUTPUT, type Repository, runAt, withVariables} from './git-world.js'
import {httpBackend} from './http-backend.js'

/** Other suites have clones in the same folder at the same time, which can also vanish meanwhile. */
function clonesOf({root}: Repository): readonly string[] {
  return readdirSync(tmpdir())
    .filter(name => name.startsWith('kubectl-crossplane-git-'))
    .filter(name => configOf(join(tmpdir(), name)).includes(root))
}

function configOf(clone: string): string {
  try {
    return readFileSync(join(clone, '.git/config'), 'utf8')
  } catch {
    return ''
  }
}

const PUSHED = {status: 0, stderr: expect.stringContaining(': pushed ')}

describeReal('package install --git URL', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const installAt = (url: string, ...args: readonly string[]) =>
    runAt(url, worlds.packages, 'install', ...args)
  const files = (bare: Repository, branch = 'main') => bare.git('ls-tree', '-r', '--name-only', branch)

  it('pushes a commit and leaves no clone', async () => {
    const bare = worlds.bare(worlds.repository({'README.md': 'x\n', 'deploy/other/a.txt': 'x\n'}))
    expect(await installAt(`file://${bare.root}`, 'x/bs:v1.0.0', '--path', 'deploy/prod')).toMatchObject(
      PUSHED,
    )
    expect(files(bare)).toContain('deploy/prod/packages/kustomization.yaml\n')
    expect(files(bare)).toContain('deploy/other/a.txt\n')
    expect(clonesOf(bare)).toEqual([])
  })

  it('writes to the folder that the declaration has', async () => {
    const bare = worlds.bare(worlds.repository({'crossplane-packages.yaml': OTHER_OUTPUT}))
    for (const reference of ['x/bs:v1.0.0', 'x/as:v1.0.0']) {
      expect(await installAt(`file://${bare.root}`, reference)).toMatchObject(PUSHED)
    }
    expect(files(bare)).toContain('rendered/production/crds/as.x.example.org.yaml\n')
    expect(files(bare)).toContain('rendered/production/crds/bs.x.example.org.yaml\n')
  })

  it.each([[[]], [['--branch', 'next']]])(
    'follows the policy that the declaration names: %j',
    async flags => {
      const api = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\n'
      const bare = worlds.bare(
        worlds.repository({
          'team/policy.yaml': `${api}kind: Policy\nowners: {x.example.org: x/as}\nlimits: {packages: 1}\n`,
          'deploy/crossplane-packages.yaml': `${api}kind: PackageDeclaration\npolicy: ../team/policy.yaml\n`,
        }),
      )
      const at = ['--path', 'deploy', ...flags]
      for (const home of [`file://${bare.root}`, worlds.clone(bare).root]) {
        const {status, stderr} = await installAt(home, 'x/app:v1.0.0', ...at)
        expect({status, stderr}).toEqual({
          status: 4,
          stderr: expect.stringMatching(/line 4 of \S*policy\.yaml/),
        })
      }
      expect(await installAt(`file://${bare.root}`, 'x/as:v1.0.0', ...at)).toMatchObject(PUSHED)
      const branch = flags[1] ?? 'main'
      expect(bare.git('show', `${branch}:deploy/crossplane-packages.yaml`)).toContain('policy: ../team/')
    },
  )

  it('creates a branch, and the first commit of an empty repository', async () => {
    const bare = worlds.bare()
    expect(await installAt(`file://${bare.root}`, 'x/bs:v1.0.0', '--branch', 'team/new')).toMatchObject(
      PUSHED,
    )
    expect(files(bare, 'team/new')).toContain('crossplane-packages.lock\n')
    expect(files(bare)).toBe('README.md\n')
    const empty = worlds.bare(worlds.repository({}))
    expect(await installAt(`file://${empty.root}`, 'x/bs:v1.0.0', '--branch', 'main')).toMatchObject(PUSHED)
    expect(files(empty)).toContain('crossplane-packages.lock\n')
  })

  it.each([
    {
      name: 'a branch that does not exist',
      lead: (bare: Repository) => bare.git('symbolic-ref', 'HEAD', 'refs/heads/master'),
      cause: 'its HEAD names the branch "master", which does not exist',
    },
    {
      name: 'a commit',
      lead: (bare: Repository) => {
        const other = bare.git('commit-tree', '-m', 'other', 'main^{tree}').trim()
        bare.git('update-ref', '--no-deref', 'HEAD', other)
      },
      cause: 'its HEAD is a commit and not a branch',
    },
  ])('requires --branch for a repository whose HEAD names $name', async ({lead, cause}) => {
    const bare = worlds.bare()
    lead(bare)
    const url = `file://${bare.root}`
    expect(await installAt(url, 'x/bs:v1.0.0')).toMatchObject({
      status: 5,
      stderr: `Error: cannot select a branch of ${url}: ${cause}\nTry: Pass --branch with a branch that exists: git ls-remote --heads ${url}\n`,
    })
    expect(bare.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\n')
    expect(await installAt(url, 'x/bs:v1.0.0', '--branch', 'main')).toMatchObject(PUSHED)
  })

  it('begins no history beside others on a new branch, if HEAD names no commit', async () => {
    const bare = worlds.bare()
    bare.git('symbolic-ref', 'HEAD', 'refs/heads/master')
    const refused = await installAt(`file://${bare.root}`, 'x/bs:v1.0.0', '--branch', 'team/new')
    expect(refused).toMatchObject({status: 5, stderr: expect.stringContaining('it has no branch "team/new"')})
    expect(bare.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\n')
  })

  it('begins the history of an empty repository on the branch of its HEAD', async () => {
    const empty = worlds.bare(worlds.repository({}))
    empty.git('symbolic-ref', 'HEAD', 'refs/heads/trunk')
    expect(await installAt(`file://${empty.root}`, 'x/bs:v1.0.0')).toMatchObject(PUSHED)
    expect(empty.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/trunk\n')
  })

  it('changes nothing without a change, and in a dry run', async () => {
    const bare = worlds.bare()
    const url = `file://${bare.root}`
    expect(await installAt(url, 'x/bs:v1.0.0', '--dry-run', 'client')).toMatchObject({status: 0})
    expect(bare.commits()).toBe(1)
    expect(await installAt(url, 'x/bs:v1.0.0')).toMatchObject(PUSHED)
    expect(await installAt(url, 'x/bs:v1.0.0')).toMatchObject({status: 0})
    expect(bare.commits()).toBe(2)
  })

  it.each([
    {url: '--upload-pack=touch pwned', status: 5},
    {url: 'ext::sh -c touch% pwned', status: 5},
    {url: 'ext://x', status: 5},
    {url: '-x:y', status: 5},
    {url: './no-such-folder', status: 1},
  ])('rejects $url', async ({url, status}) => {
    const argv = ['x/bs:v1.0.0', `--git=${url}`, '--packages', worlds.packages, '--yes']
    const {runCli} = await import('../../run-cli.js')
    expect(await runCli('package', 'install', ...argv)).toMatchObject({status})
    expect(existsSync('pwned')).toBe(false)
  })

  it('pushes over HTTP with credentials, and shows none of them', async () => {
    const bare = worlds.bare()
    const server = await httpBackend(dirname(bare.root), 'geheim')
    const at = (user: string) => `http://${user}${server.host}/${basename(bare.root)}`
    try {
      const {status, stderr} = await withVariables({GIT_ASKPASS: 'false'}, () =>
        installAt(at(''), 'x/bs:v1.0.0'),
      )
      expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining(`cannot read ${at('')}`)})
      const wrong = await installAt(at('user:falsch@'), 'x/bs:v1.0.0')
      expect(wrong).toMatchObject({status: 1})
      expect(`${wrong.stdout}${wrong.stderr}`).not.toContain('falsch')
      const calls = join(worlds.folder(), 'calls')
      const right = await withVariables({GIT_TRACE: calls}, () =>
        installAt(at('user:geheim@'), 'x/bs:v1.0.0'),
      )
      expect(right).toMatchObject(PUSHED)
      const commandLines = readFileSync(calls, 'utf8')
      expect(commandLines).toContain('git remote-http origin')
      expect(commandLines).not.toContain('geheim')
      expect(`${right.stdout}${right.stderr}${bare.git('log', '-p', '--format=%B', 'main')}`).not.toContain(
        'geheim',
      )
    } finally {
      await server.close()
    }
  })

  it('pushes over HTTP without credentials, and prints what the server says', async () => {
    const bare = worlds.bare()
    const server = await httpBackend(dirname(bare.root))
    try {
      expect(await installAt(`http://${server.host}/${basename(bare.root)}`, 'x/bs:v1.0.0')).toMatchObject(
        PUSHED,
      )
      expect(bare.commits()).toBe(2)
    } finally {
      await server.close()
    }
  })
})

describeReal('package install --git DIR --push', missingTool('git'), () => {
  const worlds = new GitWorlds()

  // The first part of such a password is a port for git, and the user is a host.
  const malformed = 'http://localhost:23456/geheim@127.0.0.1:1/a'
  it.each<{name: string; config: readonly (readonly [string, string])[]}>([
    {name: 'the URL', config: [['remote.origin.url', malformed]]},
    {name: 'the URL for pushes', config: [['remote.origin.pushurl', malformed]]},
    {
      name: 'what replaces the URL',
      config: [
        ['remote.origin.url', 'team:a'],
        [`url.${malformed}.insteadOf`, 'team:a'],
      ],
    },
  ])('shows nothing of a malformed password in $name', async ({config}) => {
    const clone = worlds.clone(worlds.bare())
    for (const [key, value] of config) clone.git('config', key, value)
    const {status, stdout, stderr} = await clone.install('x/bs:v1.0.0', '--push', '--debug')
    expect({isRejected: status === 5 || status === 1, stderr}).toEqual({
      isRejected: true,
      stderr: expect.stringContaining('Try: Write %2F for each / in the password'),
    })
    expect(`${stdout}${stderr}`).not.toMatch(/localhost|23456|geheim/)
    expect([clone.commits(), clone.status()]).toEqual([1, ''])
  })

  it('pushes the branch', async () => {
    const bare = worlds.bare()
    const clone = worlds.clone(bare)
    await clone.committed(clone.install('x/bs:v1.0.0', '--push'))
    expect(bare.git('rev-parse', 'main')).toBe(clone.git('rev-parse', 'HEAD'))
    expect(clone.git('status', '--porcelain', '--branch')).toBe('## main...origin/main\n')
  })

  it('runs the configured program for ssh, which must not prompt', async () => {
    const bare = worlds.bare()
    const clone = worlds.clone(bare)
    const folder = worlds.folder()
    const [ssh, log] = [join(folder, 'ssh'), join(folder, 'log')]
    writeFileSync(ssh, `#!/bin/sh\necho "$@" >> ${log}\nfor last; do :; done\nexec sh -c "$last"\n`)
    chmodSync(ssh, 0o755)
    clone.git('config', 'core.sshCommand', `${ssh} -i key`)
    clone.git('remote', 'set-url', 'origin', `ssh://git@git.example.org${bare.root}`)
    await withVariables({GIT_SSH_COMMAND: undefined, GIT_SSH: undefined}, () =>
      clone.committed(clone.install('x/bs:v1.0.0', '--push')),
    )
    expect(bare.git('rev-parse', 'main')).toBe(clone.git('rev-parse', 'HEAD'))
    for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
      expect(line).toMatch(/^-i key -o BatchMode=yes .*git@git\.example\.org/)
    }
  })

  it('commits to another branch, and leaves the working tree as it is', async () => {
    const clone = worlds.clone(worlds.bare())
    clone.write({'README.md': 'edited\n'})
    await clone.committed(clone.install('x/bs:v1.0.0', '--branch', 'next', '--push', '--remote', 'origin'))
    expect(clone.git('ls-tree', '-r', '--name-only', 'origin/next')).toContain('crossplane-packages.yaml')
    expect([clone.status(), clone.git('worktree', 'list').trim().split('\n').length]).toEqual([
      ' M README.md\n',
      1,
    ])
  })

  it('is rejected before anything is written if the remote branch has other commits', async () => {
    const bare = worlds.bare()
    const [one, other] = [worlds.clone(bare), worlds.clone(bare)]
    await one.committed(one.install('x/bs:v1.0.0', '--push'))
    const {status, stderr} = await other.install('x/as', '--push')
    expect({status, status2: other.status()}).toEqual({status: 5, status2: ''})
    expect(stderr).toMatch(/pull/)
    expect(rulesIn(stderr).length).toBeLessThan(2)
  })

  it('applies the request to commits that came first', async () => {
    const bare = worlds.bare()
    const [one, other] = [worlds.clone(bare), worlds.clone(bare)]
    // The other push arrives between the fetch and the push of this one.
    const push = `unset $(git rev-parse --local-env-vars); cd ${one.root} && git push --quiet origin main`
    await one.committed(one.install('x/as'))
    other.hook('pre-commit', `${push} 2>/dev/null; exit 0`)
    await other.committed(other.install('x/bs:v1.0.0', '--push'))
    const declaration = bare.git('show', 'main:crossplane-packages.yaml')
    expect(declaration).toContain('x/as')
    expect(declaration).toContain('x/bs:v1.0.0')
    expect([bare.git('rev-list', '--count', 'main'), other.status()]).toEqual(['3\n', ''])
  })

  it('stops if these commits select another version of the same package', async () => {
    const bare = worlds.bare()
    const [one, other] = [worlds.clone(bare), worlds.clone(bare)]
    await one.committed(one.install('x/bs:v1.0.0'))
    const push = `unset $(git rev-parse --local-env-vars); cd ${one.root} && git push --quiet origin main`
    other.hook('pre-commit', `${push} 2>/dev/null; exit 0`)
    expect(await other.install('x/bs:v2.0.0', '--push')).toMatchObject({status: 3})
    expect(other.status()).toBe('')
  })

  it('undoes the commit if a hook of the server declines it', async () => {
    const bare = worlds.bare()
    bare.serverHook('pre-receive', 'echo "not on Sundays" >&2; exit 1')
    const clone = worlds.clone(bare)
    const {status, stderr} = await clone.install('x/bs:v1.0.0', '--push')
    expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining('not on Sundays')})
    expect(stderr).toContain(
      'Try: Pass --branch with a new name and open a pull request if the branch is protected.',
    )
    expect([clone.status(), clone.commits()]).toEqual(['', 1])
  })

  it.each([
    {outcome: 'accepts', exit: 0},
    {outcome: 'declines', exit: 1},
  ])('prints no line of a server that $outcome it as a command for CI', async ({exit}) => {
    const bare = worlds.bare()
    bare.serverHook(
      'pre-receive',
      `printf '::error::a\\n  ::stop-commands::b\\nc ##[group]d\\n' >&2; exit ${exit}`,
    )
    const argv = ['x/bs:v1.0.0', '--git', worlds.clone(bare).root, '--packages', worlds.packages]
    const {status, stderr} = await runCli('package', 'install', ...argv, '--push', '--yes', '--debug')
    expect(status).toBe(exit)
    expect(stderr).toContain('remote: ::error::a')
    expect(stderr.split('\n').filter(line => /^\s*::|##\[/.test(line))).toEqual([])
  })
})

describeReal(
  'package install --git DIR --push after commits that were not pushed',
  missingTool('git'),
  () => {
    const worlds = new GitWorlds()
    const tips = (one: Repository, other: Repository) =>
      [one, other].map(each => each.git('rev-parse', 'main').trim())

    it.each([{branch: 'main'}, {branch: 'next'}])('pushes its own commit to $branch', async ({branch}) => {
      const bare = worlds.bare()
      const clone = worlds.clone(bare)
      await clone.committed(clone.install('x/bs:v1.0.0', '--branch', branch))
      const {status, stderr} = await clone.install('x/bs:v1.0.0', '--branch', branch, '--push')
      expect({status, stderr}).toEqual({
        status: 0,
        stderr: expect.stringMatching(`: pushed [0-9a-f]{12} to ${branch}\n`),
      })
      expect(bare.git('rev-parse', branch)).toBe(clone.git('rev-parse', branch))
    })

    it('names them, and leaves those that are later than its own', async () => {
      const bare = worlds.bare()
      const clone = worlds.clone(bare)
      clone.git('commit', '--quiet', '--allow-empty', '--message=half\x1b[31m done')
      await clone.committed(clone.install('x/bs:v1.0.0'))
      const ours = clone.git('rev-parse', 'HEAD')
      clone.git('commit', '--quiet', '--allow-empty', '--message=later')
      const argv = ['x/bs:v1.0.0', '--git', clone.root, '--packages', worlds.packages, '--push', '--yes']
      const {status, stderr} = await runCli('package', 'install', ...argv)
      expect({status, stderr}).toEqual({
        status: 0,
        stderr: expect.stringMatching(/ and 1 earlier commit to main\n/),
      })
      expect(stderr).toMatch(/Note: 2 earlier commits will be pushed: \w{12} \(.*\), \w{12} \(half.*done\)/)
      expect(stderr).not.toContain('\x1b[31m')
      expect(bare.git('rev-parse', 'main')).toBe(ours)
    })

    it('names them in the plan of another change, and pushes them, too', async () => {
      const bare = worlds.bare()
      const clone = worlds.clone(bare)
      clone.git('commit', '--quiet', '--allow-empty', '--message=half done')
      const id = clone.git('rev-parse', 'HEAD').trim()
      const argv = ['package', 'install', 'x/bs:v1.0.0', '--git', clone.root, '--packages', worlds.packages]
      const dry = await runCli(...argv, '--push', '--dry-run', 'client')
      expect(dry.stderr).toContain(`1 earlier commit will be pushed: ${id.slice(0, 12)} (half done)`)
      const {stdout} = await runCli(...argv, '--push', '--yes', '--output', 'json')
      expect(JSON.parse(stdout)).toMatchObject({earlierCommits: [id]})
      const [here, there] = tips(clone, bare)
      expect(here).toBe(there)
    })

    it('pushes nothing if they do not change the home', async () => {
      const bare = worlds.bare()
      const clone = worlds.clone(bare)
      await clone.committed(clone.install('x/bs:v1.0.0', '--push'))
      clone.git('commit', '--quiet', '--allow-empty', '--message=half done')
      expect(await clone.install('x/bs:v1.0.0', '--push')).toMatchObject({
        status: 0,
        stderr: `${clone.root}: nothing to change\n`,
      })
      expect(bare.commits()).toBe(2)
    })

    it('pushes the step of an uninstall before the next one', async () => {
      const bare = worlds.bare()
      const clone = worlds.clone(bare)
      await clone.committed(clone.install('x/bs:v1.0.0', '--push'))
      await clone.committed(clone.run('uninstall', 'x-bs'))
      await clone.committed(clone.run('uninstall', 'x-bs', '--push'))
      expect([clone.commits(), bare.commits()]).toEqual([3, 3])
    })
  },
)
