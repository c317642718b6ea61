import {expect, it} from '@jest/globals'
import {createHash} from 'node:crypto'
import {dirname} from 'node:path'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {writeTree} from '../../temporary-folder.js'
import {APP_YAML, owner, prefixed, rulesIn, takenOver} from '../locked-world.js'
import {GitWorlds, OTHER_OUTPUT, type Repository, runAt, withVariables} from './git-world.js'

const NEEDS = 'dependsOn: [{crd: "*.compute.crossplane.io/v1alpha1"}]\n'

describeReal('package install --git', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const check = ({root}: Repository, ...args: readonly string[]) =>
    runCli('package', 'check', '--git', root, '--packages', worlds.packages, ...args)

  it('commits the declaration, the lock and the rendered tree, and nothing else', async () => {
    const repository = worlds.repository()
    repository.write({'other.txt': 'untracked'})
    await repository.committed(repository.install('x/app:v1.0.0', '--path', 'deploy/prod'))
    expect(repository.status()).toBe('?? other.txt\n')
    expect(repository.text('deploy/prod/crossplane-packages.yaml')).toBe(
      'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- package: x/app:v1.0.0\n',
    )
    expect(repository.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n')).toEqual(
      expect.arrayContaining([
        'deploy/prod/crossplane-packages.lock',
        'deploy/prod/crossplane-packages.yaml',
        'deploy/prod/packages/.kubectl-crossplane/files.sha256',
        'deploy/prod/packages/crds/as.x.example.org.yaml',
        'deploy/prod/packages/kustomization.yaml',
      ]),
    )
    const hash = createHash('sha256')
      .update(repository.text('deploy/prod/crossplane-packages.lock'))
      .digest('hex')
    expect(repository.git('log', '-1', '--format=%an %ae %cn%n%B').trim().split('\n')).toEqual([
      'A U Thor author@example.org C O Mitter',
      'Install x/app:v1.0.0',
      '',
      'PACKAGE  x/app:v1.0.0                                     crossplane-system/x-app',
      'PACKAGE  x/as:v1.0.0                                      crossplane-system/x-as',
      'GAINS    full access to configmaps, events and secrets in the core group of Kubernetes',
      'GAINS    full access to as in x.example.org',
      'GAINS    full access to as and their finalizers in x.example.org',
      'BINDING  ClusterRoleBinding crossplane-admin              none -> ClusterRole crossplane-admin for',
      '    Group crossplane:masters',
      'BASE     crossplane-admin                                 ClusterRole added',
      'BASE     crossplane-env-admin                             ClusterRole added',
      'BASE     crossplane-env-edit                              ClusterRole added',
      'BASE     crossplane-env-view                              ClusterRole added',
      'BASE     crossplane:package-manager:env:default:admin     ClusterRole added',
      'BASE     crossplane:package-manager:env:default:edit      ClusterRole added',
      'BASE     crossplane:package-manager:env:default:view      ClusterRole added',
      'BASE     crossplane:package-manager:ns:default:admin      ClusterRole added',
      'BASE     crossplane:package-manager:ns:default:edit       ClusterRole added',
      'BASE     crossplane:package-manager:ns:default:view       ClusterRole added',
      'BASE     crossplane:system:aggregate-to-crossplane-admin  ClusterRole added',
      'BASE     crossplane:system:ns-persona-cluster-rights      ClusterRole added',
      'CRD      as.x.example.org                                 added',
      'CRD      clusterpackageinstalls.packages.crossplane.io    added',
      'CRD      packageinstalls.packages.crossplane.io           added',
      'CRD      packages.packages.crossplane.io                  added',
      'CRD      stackdefinitions.packages.crossplane.io          added',
      '',
      'Crossplane-Package: x/app:v1.0.0',
      'Crossplane-Version: v1.0.0',
      'Crossplane-Package: x/as:v1.0.0',
      'Crossplane-Version: v1.0.0',
      `Crossplane-Lock: sha256:${hash}`,
    ])
  })

  it('writes the runtime of flags to the declaration, once', async () => {
    const repository = worlds.repository()
    const flags = ['--replicas', '2', '--env', 'A=b', '--limits', 'cpu=0.5']
    await repository.committed(repository.install('x/as:v1.0.0', ...flags))
    const text = repository.text('crossplane-packages.yaml')
    expect(text).toContain(`- package: x/as:v1.0.0
  runtime:
    env:
    - name: A
      value: b
    replicas: 2
    resources:
      limits:
        cpu: 500m
`)
    expect(await repository.install('x/as:v1.0.0', ...flags)).toMatchObject({status: 0})
    expect(repository.text('crossplane-packages.yaml')).toBe(text)
    expect(await repository.install('x/as:v1.0.0', '--replicas', '3')).toMatchObject({status: 1})
  })

  it('is rejected for a file in place of the folder', async () => {
    const repository = worlds.repository()
    const {status, stderr} = await runAt(
      repository.at('README.md'),
      worlds.packages,
      'install',
      'x/bs:v1.0.0',
    )
    expect({status, stderr}).toEqual({
      status: 5,
      stderr: expect.stringMatching(
        /^Error: cannot open the repository ".*README\.md": it is neither a folder nor/,
      ),
    })
  })

  it.each([{args: ['x/bs:v1.0.0']}, {args: ['--crd', 'bs.x.example.org']}])(
    'rejects another name of a package that is not local: $args',
    async ({args}) => {
      const repository = worlds.repository()
      const {status, stderr} = await repository.install(...args, '--as-package', 'x/other:v1.0.0')
      expect({status, stderr}).toEqual({
        status: 2,
        stderr: expect.stringContaining('--as-package is for local packages'),
      })
      expect(repository.status()).toBe('')
    },
  )

  it('says that a hook can fail without a message', async () => {
    const repository = worlds.repository()
    repository.hook('commit-msg', 'exit 1')
    expect(await repository.install('x/bs:v1.0.0')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^Error: cannot commit: it failed without a message, for example for a hook that exits with 1\n$/m,
      ),
    })
  })

  it('writes to the folder that the declaration has', async () => {
    const repository = worlds.repository({'deploy/crossplane-packages.yaml': OTHER_OUTPUT})
    const path = ['--path', 'deploy']
    await repository.committed(repository.install('x/bs:v1.0.0', ...path))
    await repository.committed(repository.upgrade('x/bs:v2.0.0', ...path))
    await repository.committed(repository.run('uninstall', 'x-bs', ...path))
    const tree = 'deploy/rendered/production'
    expect(repository.git('ls-files', '--', 'deploy').trim().split('\n')).toEqual(
      expect.arrayContaining(['deploy/crossplane-packages.lock', `${tree}/crds/bs.x.example.org.yaml`]),
    )
    expect(repository.git('ls-files', '--', 'deploy/packages')).toBe('')
    for (const flags of [[], ['--hashes']]) {
      expect(await check(repository, ...path, ...flags)).toMatchObject({status: 0})
      const declaration = ['--declaration', repository.at('deploy/crossplane-packages.yaml')]
      const beside = await runCli('package', 'check', ...declaration, '--packages', worlds.packages, ...flags)
      expect(beside).toMatchObject({status: 0})
    }
  })

  it('changes nothing the second time', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/app:v1.0.0'))
    expect(await repository.install('x/app:v1.0.0')).toMatchObject({
      status: 0,
      stderr: `${repository.root}: nothing to change\n`,
    })
    expect(repository.commits()).toBe(2)
  })

  it('keeps every other byte of a declaration', async () => {
    const repository = worlds.repository({
      'crossplane-packages.yaml':
        '# ours\r\nkind: PackageDeclaration # kind\r\napiVersion: packages.kubectl-crossplane.dev/v1alpha1\r\npackages:\r\n  # first\r\n  - package: x/as # as\r\n    # of as\r\n\r\n# after\r\nsystemNamespace: x\r\n',
    })
    await repository.committed(repository.install('x/bs:v1.0.0', 'my-bs', '--namespace', 'team'))
    expect(repository.text('crossplane-packages.yaml')).toBe(
      '# ours\r\nkind: PackageDeclaration # kind\r\napiVersion: packages.kubectl-crossplane.dev/v1alpha1\r\npackages:\r\n  # first\r\n  - package: x/as # as\r\n    # of as\r\n  - package: x/bs:v1.0.0\r\n    namespace: team\r\n    name: my-bs\r\n\r\n# after\r\nsystemNamespace: x\r\n',
    )
  })

  it('commits to a branch without a commit', async () => {
    const repository = worlds.repository({})
    await repository.committed(repository.install('x/bs:v1.0.0'))
    expect(repository.commits()).toBe(1)
    expect(repository.status()).toBe('')
  })

  it('prints the plan and the message without a change', async () => {
    const repository = worlds.repository()
    const {status, stdout} = await repository.install('x/bs:v1.0.0', '--dry-run', 'client')
    expect(status).toBe(0)
    expect(stdout.startsWith('Install x/bs:v1.0.0\n\nPACKAGE  x/bs:v1.0.0')).toBe(true)
    expect(stdout).not.toContain('files.sha256')
    const files = await repository.install('x/bs:v1.0.0', '--dry-run', 'client', '--show-files')
    expect(files.stdout).toContain('+- package: x/bs:v1.0.0')
    expect(files.stdout).toContain('files.sha256')
    expect(repository.status()).toBe('')
  })

  it('writes the settings of flags to the declaration, once', async () => {
    const repository = worlds.repository()
    const flags = [
      '--with-package-api',
      '--no-pin-image',
      '--owner',
      'x.example.org=x/bs',
      '--crossplane-version',
      'none',
    ]
    await repository.committed(repository.install('x/bs:v1.0.0', ...flags))
    const declaration = repository.text('crossplane-packages.yaml')
    for (const line of ['crossplaneVersion: none', '  base: true', '  pin: false', '  x.example.org: x/bs']) {
      expect(declaration.split('\n')).toContain(line)
    }
    expect(repository.git('ls-files')).toContain('packages/base/')
    expect(await repository.install('x/bs:v1.0.0', ...flags)).toMatchObject({status: 0})
    await repository.committed(repository.upgrade('x/bs:v2.0.0'))
    expect([repository.commits(), repository.git('ls-files', 'packages/base') === '']).toEqual([3, false])
    expect(await repository.install('x/bs:v1.0.0', '--crossplane-version', 'v0.12')).toMatchObject({
      status: 2,
    })
  })

  it('renders for a controller, and declares it', async () => {
    const repository = worlds.repository()
    const url = 'https://git.example.org/a'
    const argocd = ['--layout', 'argocd', '--repo-url', url]
    await repository.committed(repository.install('x/bs:v1.0.0', '--path', 'a', ...argocd))
    expect(repository.text('a/crossplane-packages.yaml')).toContain(
      `layout: argocd\nargocd:\n  repoURL: ${url}\n`,
    )
    expect(repository.git('grep', '-l', `repoURL: ${url}`, '--', 'a/packages')).toMatch(/argocd/)
    await repository.committed(repository.install('x/bs:v1.0.0', '--path', 'b', '--layout', 'flux'))
    expect(repository.git('ls-files', 'b/packages/flux')).toContain('b/packages/flux/start.yaml')
  })

  it.each([
    [['--layout', 'argocd']],
    [['--repo-url', 'https://git.example.org/a']],
    [['--layout', 'flux', '--repo-url', 'https://git.example.org/a']],
    [['--layout', 'argocd', '--repo-url', 'https://user:secret@git.example.org/a']],
  ])('rejects %j', async flags => {
    const {status, stderr} = await worlds.repository().install('x/bs:v1.0.0', ...flags)
    expect({status, leaks: stderr.includes('secret')}).toEqual({status: 2, leaks: false})
  })

  it('declares nothing that only the environment has', async () => {
    const repository = worlds.repository()
    const variables = {CROSSPLANE_SOURCE: 'a.example.org', CROSSPLANE_REQUEST_SOURCE: 'b.example.org'}
    await withVariables(variables, async () => {
      await repository.committed(repository.install('x/bs:v1.0.0'))
      expect(await check(repository)).toMatchObject({status: 0})
    })
    const other = worlds.repository()
    await other.committed(other.install('x/bs:v1.0.0'))
    for (const file of ['crossplane-packages.yaml', 'crossplane-packages.lock']) {
      expect(repository.text(file)).toBe(other.text(file))
    }
    expect(repository.git('rev-parse', 'HEAD:packages')).toBe(other.git('rev-parse', 'HEAD:packages'))
  })

  it('declares a local package by its name, and rejects one without', async () => {
    const repository = worlds.repository()
    const local = writeTree(worlds.folder(), owner('v1.0.0', 'es', 'v1'))
    const path = `${local}/x/es@v1.0.0`
    expect(await repository.install(path)).toMatchObject({status: 2})
    expect(await repository.install(path, '--as-package', 'x/es')).toMatchObject({status: 2})
    await repository.committed(repository.install(path, '--as-package', 'x/es:v3.0.0'))
    expect(repository.text('crossplane-packages.yaml')).toContain('- package: x/es:v3.0.0\n')
    expect(repository.text('crossplane-packages.lock')).toContain('tag: v3.0.0')
    expect(repository.git('ls-files')).toContain('packages/crds/es.x.example.org.yaml')
  })

  it('moves the pin of an install', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/bs:v1.0.0'))
    await repository.committed(repository.install('x/bs:v2.0.0'))
    expect(repository.git('log', '-1', '--format=%s')).toBe('Upgrade x/bs to v2.0.0\n')
    expect(repository.text('crossplane-packages.yaml')).toContain('- package: x/bs:v2.0.0\n')
  })
})

describeReal('package upgrade --git', missingTool('git'), () => {
  const worlds = new GitWorlds()

  it.each([
    {name: 'that differs in the working tree', isWritten: false},
    {name: 'that an interrupted run has written already', isWritten: true},
  ])('rejects a CRD without its version, $name', async ({isWritten}) => {
    writeTree(worlds.packages, {...owner('v1.0.0', 'cs', 'v1'), ...owner('v2.0.0', 'cs', 'v2')})
    const [repository, done] = [worlds.repository(), worlds.repository()]
    await repository.committed(repository.install('x/cs:v1.0.0'))
    await done.committed(done.install('x/cs:v2.0.0'))
    const changed = done.git('ls-files').trim().split('\n')
    if (isWritten) repository.write(Object.fromEntries(changed.map(path => [path, done.text(path)])))
    const {status, stderr} = await repository.upgrade('x/cs:v2.0.0')
    expect({status, rules: rulesIn(stderr)}).toEqual({status: 5, rules: ['crd-version-removed']})
    expect(stderr).toContain('packages/crds/cs.x.example.org.yaml')
    expect(repository.commits()).toBe(2)
  })

  it('rejects a CRD that no API server accepts, even if it has no custom resources', async () => {
    writeTree(worlds.packages, {...owner('v1.0.0', 'gs', 'v1'), ...owner('v2.0.0', 'gs', 'v2')})
    const repository = worlds.repository()
    await repository.committed(repository.install('x/gs:v1.0.0'))
    const {status, stderr} = await repository.upgrade('x/gs:v2.0.0', '--assume-no-instances')
    expect({status, rules: rulesIn(stderr)}).toEqual({status: 5, rules: ['crd-version-removed']})
    expect(stderr).toContain('which no API server accepts while the CRD exists')
    expect((await repository.upgrade('x/gs:v2.0.0')).stderr).not.toContain('--assume-no-instances')
    expect(repository.commits()).toBe(2)
  })

  it('shows the package that takes a group over, and keeps the one that had it', async () => {
    writeTree(worlds.packages, takenOver('v1.0.0'))
    const repository = worlds.repository()
    const unconfirmed = await repository.install('x/user', '--no-pin-image')
    expect({...unconfirmed, state: repository.status()}).toMatchObject({
      status: 5,
      stderr: expect.stringMatching(
        /new owners .*: x\/is of x\.example\.org\nTry: Pass --owner x\.example\.org=x\/is,/,
      ),
      state: '',
    })
    await repository.committed(
      repository.install('x/user', '--no-pin-image', '--owner', 'x.example.org=x/is'),
    )
    const declaration = repository.text('crossplane-packages.yaml')
    const unassigned = declaration.replace(/owners:\n +x\.example\.org: x\/is\n/, '')
    expect(unassigned).not.toBe(declaration)
    repository.write({'crossplane-packages.yaml': unassigned})
    repository.git('commit', '--quiet', '--all', '--message=unassigned')
    await repository.committed(repository.install('x/hs', '--no-pin-image'))
    writeTree(worlds.packages, takenOver('v1.1.0'))
    const {status, stderr} = await runCli(
      ...['package', 'upgrade', '--git', repository.root, '--packages', worlds.packages, '--yes'],
    )
    expect({status, rules: rulesIn(stderr)}).toEqual({
      status: 5,
      rules: expect.arrayContaining(['owner-changed', 'unused-dependency']),
    })
    expect(stderr).toMatch(/^OWNER +x\/hs +takes x\.example\.org over from x\/is$/m)
  })

  it('moves a pin that is named with a tag', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/bs:v1.0.0'))
    await repository.committed(repository.upgrade('x/bs:v2.0.0'))
    expect(repository.text('crossplane-packages.lock')).toContain('tag: v2.0.0')
    expect(repository.status()).toBe('')
  })

  it('leaves pinned packages unchanged without a tag', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/bs:v1.0.0'))
    expect(await repository.upgrade()).toMatchObject({status: 0})
    expect(repository.commits()).toBe(2)
  })

  it('prints a note once, and none on a pin that it moves', async () => {
    const repository = worlds.repository()
    const needs = {'x/needs@v1.0.0/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}${NEEDS}`}
    writeTree(dirname(worlds.packages), prefixed('packages/', needs))
    const run = (...args: readonly string[]) =>
      runCli('package', ...args, '--git', repository.root, '--packages', worlds.packages, '--yes')
    await repository.committed(repository.install('x/bs:v1.0.0'))
    const {stderr} = await run('install', 'x/needs:v1.0.0')
    expect(stderr.match(/required by x\/needs/g)).toHaveLength(1)
    expect(rulesIn((await run('upgrade')).stderr)).toEqual(['assumed-crossplane', 'pinned-package'])
    expect(rulesIn((await run('upgrade', 'x/bs:v2.0.0')).stderr)).toEqual(['assumed-crossplane'])
  })

  it('requires a declaration', async () => {
    expect(await worlds.repository().upgrade()).toMatchObject({status: 1})
  })
})
