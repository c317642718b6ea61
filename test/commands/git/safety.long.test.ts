import {describe, expect, it} from '@jest/globals'
import {readdirSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {rulesIn} from '../locked-world.js'
import {runCli} from '../../run-cli.js'
import {GitWorlds, Repository, runAt, runTool, withVariables} from './git-world.js'

describeReal('a commit that could lose or include changes of others', missingTool('git'), () => {
  const worlds = new GitWorlds()

  /** A repository whose remote branch has one more commit, which was fetched. */
  function behind(): Repository {
    const remote = worlds.repository()
    const clone = worlds.clone(remote)
    remote.git('commit', '--quiet', '--allow-empty', '--message=theirs')
    clone.git('fetch', '--quiet')
    return clone
  }

  it.each<{name: string; rules: readonly string[]; in: () => Repository; args?: readonly string[]}>([
    {
      name: 'a detached HEAD',
      rules: ['detached-head'],
      in: () => {
        const repository = worlds.repository()
        repository.git('checkout', '--quiet', '--detach')
        return repository
      },
    },
    {name: 'a branch that is behind its remote branch', rules: ['diverged-branch'], in: behind},
    {
      name: 'a branch that has diverged from its remote branch',
      rules: ['diverged-branch'],
      in: () => {
        const repository = behind()
        repository.git('commit', '--quiet', '--allow-empty', '--message=ours')
        return repository
      },
    },
    {
      name: 'a merge that is not complete',
      rules: ['git-operation'],
      in: () => {
        const repository = worlds.repository()
        repository.git('checkout', '--quiet', '-b', 'other')
        repository.git('commit', '--quiet', '--allow-empty', '--message=theirs')
        repository.git('checkout', '--quiet', 'main')
        repository.git('merge', '--quiet', '--no-ff', '--no-commit', 'other')
        return repository
      },
    },
    {
      name: 'a lock that a git has left',
      rules: ['repository-lock'],
      in: () => {
        const repository = worlds.repository()
        repository.write({'.git/index.lock': ''})
        return repository
      },
    },
    {
      name: 'a modified declaration',
      rules: ['modified-file'],
      in: () => {
        const repository = worlds.repository({'crossplane-packages.yaml': DECLARATION})
        repository.write({'crossplane-packages.yaml': `${DECLARATION}# mine\n`})
        return repository
      },
    },
    {
      name: 'a staged declaration',
      rules: ['staged-changes'],
      in: () => {
        const repository = worlds.repository()
        repository.write({'crossplane-packages.yaml': DECLARATION})
        repository.git('add', '--all')
        return repository
      },
    },
    {
      name: 'an unmanaged file in place of a managed one',
      rules: ['foreign-file'],
      in: () => worlds.repository({'packages/kustomization.yaml': 'resources: []\n'}),
    },
    {
      name: 'a path in a submodule',
      rules: ['submodule'],
      in: () => {
        const repository = worlds.repository()
        const {root} = worlds.repository()
        repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', root, 'deploy')
        repository.git('commit', '--quiet', '--message=submodule')
        return repository
      },
      args: ['--path', 'deploy/prod'],
    },
    {
      name: 'a path through a link',
      rules: ['link'],
      in: () => {
        const repository = worlds.repository({'real/file': 'x'})
        symlinkSync('real', repository.at('deploy'))
        return repository
      },
      args: ['--path', 'deploy'],
    },
    {
      name: 'a path that is ignored',
      rules: ['ignored'],
      in: () => worlds.repository({'.gitignore': 'packages/\n'}),
    },
    {
      name: 'a path outside of a sparse checkout',
      rules: ['sparse-checkout'],
      in: () => {
        const repository = worlds.repository({'deploy/crossplane-packages.yaml': DECLARATION, 'other/a': 'x'})
        repository.git('sparse-checkout', 'set', 'other')
        return repository
      },
      args: ['--path', 'deploy'],
    },
  ])('is rejected for $name', async ({in: make, rules, args = []}) => {
    const repository = make()
    const before = [repository.status(), repository.git('rev-parse', 'HEAD'), readdirSync(repository.root)]
    const {status, stderr} = await repository.install('x/bs:v1.0.0', ...args)
    expect({status, rules: [...new Set(rulesIn(stderr))]}).toEqual({status: 5, rules})
    expect(stderr).toMatch(/^Try: /m)
    // Each path is named once.
    expect(stderr).not.toMatch(/^ {2}(\S+): .*\1/m)
    expect([repository.status(), repository.git('rev-parse', 'HEAD'), readdirSync(repository.root)]).toEqual(
      before,
    )
  })

  it('is rejected in a repository of another user, with the folder that Git compares', async () => {
    const repository = worlds.repository({'deploy/README.md': 'ours\n'})
    const {root} = repository
    await repository.committed(repository.install('x/bs:v1.0.0', '--layout', 'flux'))
    await withVariables({GIT_TEST_ASSUME_DIFFERENT_OWNER: '1'}, async () => {
      for (const folder of [root, repository.at('deploy')]) {
        const {status, stderr} = await runAt(folder, worlds.packages, 'install', 'x/bs:v1.0.0')
        expect({status, stderr}).toEqual({
          status: 5,
          stderr: `Error: cannot open the repository ${folder}: the repository belongs to another user\nTry: git config --global --add safe.directory ${root}\n`,
        })
      }
      const check = await runCli('package', 'check', '--git', root, '--packages', worlds.packages)
      expect(check.status).toBe(5)
      expect(check.stderr).toContain(`Try: git config --global --add safe.directory ${root}\n`)
    })
    const remote = worlds.bare(repository).root
    const {status, stderr} = await withVariables({GIT_TEST_ASSUME_DIFFERENT_OWNER: '1'}, () =>
      runAt(`file://${remote}`, worlds.packages, 'install', 'x/as:v1.0.0'),
    )
    expect({status, stderr}).toMatchObject({status: 5})
    expect(stderr).toContain(`Try: git config --global --add safe.directory ${remote}\n`)
  })

  it.each<{name: string; in: () => string}>([
    {name: 'a folder outside of a repository', in: () => worlds.folder()},
    {
      name: 'a bare repository',
      in: () => {
        const folder = worlds.folder()
        runTool('git', 'init', '--quiet', '--bare', folder)
        return folder
      },
    },
  ])('fails for $name', async ({in: make}) => {
    expect(await new Repository(make(), worlds.packages).install('x/bs:v1.0.0')).toMatchObject({status: 1})
  })

  it.each(['../other', '/etc', 'a/.git/b', 'a\\b'])('is rejected for the path %s', async path => {
    expect(await worlds.repository().install('x/bs:v1.0.0', '--path', path)).toMatchObject({status: 2})
  })
})

describeReal('a commit is made', missingTool('git'), () => {
  const worlds = new GitWorlds()

  it('beside changes of other files, which stay as they are', async () => {
    const repository = worlds.repository({'README.md': 'ours\n', 'packages/notes.txt': 'mine\n'})
    repository.write({'README.md': 'edited\n', 'packages/notes.txt': 'staged\n', 'new.txt': 'new\n'})
    repository.git('add', 'packages/notes.txt')
    await repository.committed(repository.install('x/bs:v1.0.0'))
    expect(repository.status()).toBe(' M README.md\nM  packages/notes.txt\n?? new.txt\n')
  })

  it('after git was killed and its lock was removed', async () => {
    const repository = worlds.repository()
    repository.write({'.git/index.lock': ''})
    const {status, stderr} = await repository.install('x/bs:v1.0.0')
    const lock = repository.at('.git/index.lock')
    expect({status, stderr}).toEqual({status: 5, stderr: expect.stringContaining(`${lock} exists: `)})
    const [, remove = ''] = /^Try: If no git runs there: (rm .*)$/m.exec(stderr) ?? []
    runTool('sh', '-c', remove)
    await repository.committed(repository.install('x/bs:v1.0.0'))
    expect([repository.commits(), repository.status()]).toEqual([2, ''])
  })

  it('in a path with other characters', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/bs:v1.0.0', '--path', 'déploiement/[a] *'))
    expect(repository.status()).toBe('')
    expect(repository.text('déploiement/[a] */crossplane-packages.yaml')).toContain('x/bs:v1.0.0')
  })

  it('in a worktree and in a shallow clone', async () => {
    const repository = worlds.repository()
    const folder = worlds.folder()
    repository.git('worktree', 'add', '--quiet', '-b', 'other', join(folder, 'tree'))
    const tree = new Repository(join(folder, 'tree'), worlds.packages)
    await tree.committed(tree.install('x/bs:v1.0.0'))
    expect(tree.status()).toBe('')
    const clone = worlds.clone(repository, '--depth=1')
    await clone.committed(clone.install('x/bs:v1.0.0'))
    expect(clone.status()).toBe('')
  })

  it('in the repository of the folder, whatever a hook that runs the program has set', async () => {
    const other = worlds.repository()
    const repository = worlds.repository()
    const variables = {
      GIT_DIR: other.at('.git'),
      GIT_INDEX_FILE: other.at('.git/index'),
      GIT_WORK_TREE: other.root,
    }
    await withVariables(variables, () => repository.committed(repository.install('x/bs:v1.0.0')))
    expect([repository.status(), repository.commits(), other.status(), other.commits()]).toEqual([
      '',
      2,
      '',
      1,
    ])
  })

  it.each(['packages/kustomization.yaml', 'crossplane-packages.lock'])(
    'after an interruption that left %s',
    async path => {
      const [repository, done] = [worlds.repository(), worlds.repository()]
      await done.committed(done.install('x/bs:v1.0.0'))
      repository.write({[path]: done.text(path)})
      await repository.committed(repository.install('x/bs:v1.0.0'))
      expect(repository.status()).toBe('')
    },
  )

  it('with line endings that git converts', async () => {
    const repository = worlds.repository()
    repository.git('config', 'core.autocrlf', 'true')
    await repository.committed(repository.install('x/bs:v1.0.0'))
    expect(repository.status()).toBe('')
    expect(await repository.install('x/bs:v1.0.0')).toMatchObject({status: 0})
    expect(repository.commits()).toBe(2)
  })
})

describeReal('hooks and signatures', missingTool('git'), () => {
  const worlds = new GitWorlds()

  it.each([
    {name: 'a hook that fails', hook: 'pre-commit', script: 'echo no >&2; exit 1'},
    {name: 'a hook that fails silently', hook: 'commit-msg', script: 'exit 1'},
    {
      name: 'a hook that modifies and stages a file',
      hook: 'pre-commit',
      script: 'echo "# x" >> packages/kustomization.yaml; git add packages/kustomization.yaml',
    },
    {name: 'a hook that deletes a file', hook: 'post-commit', script: 'rm packages/kustomization.yaml'},
  ])('$name leaves all files as in HEAD', async ({hook, script}) => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/bs:v1.0.0'))
    repository.hook(hook, script)
    const {status, stderr} = await repository.install('x/bs:v2.0.0')
    expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining('Error: cannot commit: ')})
    expect([repository.status(), repository.commits()]).toEqual(['', 2])
  })

  it('a hook that fails leaves no files before the first commit', async () => {
    const repository = worlds.repository({})
    repository.hook('pre-commit', 'exit 1')
    expect(await repository.install('x/bs:v1.0.0')).toMatchObject({status: 1})
    expect([repository.status(), readdirSync(repository.root)]).toEqual(['', ['.git']])
  })

  it('a signature that fails leaves all files as in HEAD', async () => {
    const repository = worlds.repository()
    repository.git('config', 'gpg.program', 'false')
    expect(await repository.install('x/bs:v1.0.0', '--gpg-sign')).toMatchObject({status: 1})
    expect([repository.status(), repository.commits()]).toEqual(['', 1])
  })

  describe('sign a commit', () => {
    it('with SSH', async () => {
      const repository = worlds.repository()
      const key = join(worlds.folder(), 'key')
      runTool('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key)
      await repository.committed(
        repository.install(
          'x/bs:v1.0.0',
          '--ssh-sign',
          '--signing-key',
          key,
          '--signoff',
          '--message',
          'Deploy bs',
        ),
      )
      const commit = repository.git('cat-file', 'commit', 'HEAD')
      expect(commit).toContain('BEGIN SSH SIGNATURE')
      expect(commit).toContain('\n\nDeploy bs\n')
      expect(commit).toContain('Signed-off-by: C O Mitter <committer@example.org>')
    })

    it('with GPG', async () => {
      const repository = worlds.repository()
      const home = worlds.folder()
      await withVariables({GNUPGHOME: home}, async () => {
        const generate = [
          '--batch',
          '--quiet',
          '--passphrase',
          '',
          '--quick-generate-key',
          'signer@example.org',
        ]
        runTool('gpg', ...generate)
        const author = ['--author-name', 'Other', '--author-email', 'other@example.org']
        await repository.committed(
          repository.install('x/bs:v1.0.0', '--gpg-sign', '--signing-key', 'signer@example.org', ...author),
        )
        runTool('gpgconf', '--kill', 'all')
      })
      expect(repository.git('cat-file', 'commit', 'HEAD')).toContain('BEGIN PGP SIGNATURE')
      expect(repository.git('log', '-1', '--format=%an %ae %cn')).toBe('Other other@example.org C O Mitter\n')
    })
  })
})

const DECLARATION =
  'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- package: x/as\n'
