import {expect, it} from '@jest/globals'
import {readdirSync} from 'node:fs'
import {spawnSync} from 'node:child_process'
import {describeReal} from '../../real-parts.js'
import {missingTool} from '../../missing-tool.js'
import {runCli} from '../../run-cli.js'
import {GitWorlds} from './git-world.js'

const HEADER = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
const EMPTY = {'crossplane-packages.yaml': `${HEADER}packages: []\n`}

describeReal('a repository after a failure, and the home in it', missingTool('git'), () => {
  const worlds = new GitWorlds()

  it('is restored after a hook that formats rendered files and locks, and the same command converges', async () => {
    const repository = worlds.repository()
    const format = 'for f in packages/*/*.yaml *.lock; do printf "# formatted\\n" >> $f; done; exit 1'
    repository.hook('pre-commit', format)
    expect(await repository.install('x/app')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'Try: Exclude the rendered tree and locks from hooks that format files',
      ),
    })
    expect(repository.status()).toBe('')
    repository.hook('pre-commit', 'exit 1')
    expect((await repository.install('x/app')).stderr).not.toContain('Exclude the rendered tree')
    repository.hook('pre-commit', 'exit 0')
    await repository.committed(repository.install('x/app'))
  })

  const reformat = `for f in $(git diff --cached --name-only -- '*packages.yaml' packages.d); do
    sed 's/^- \\([a-z]\\)/-   \\1/' $f > $f.new; cmp -s $f $f.new || changed=1; cat $f.new > $f; rm $f.new; done`

  it.each([
    {form: 'one file', files: undefined},
    {
      form: 'a file for each entry',
      files: HEADER,
    },
  ])('is committed by the same command after a hook formatted the declaration in $form', async ({files}) => {
    const repository = worlds.repository(
      files === undefined ? undefined : {'crossplane-packages.yaml': files},
    )
    repository.hook('pre-commit', `${reformat}; test -z "$changed"`)
    const first = await repository.install('x/app')
    const path = files === undefined ? 'crossplane-packages.yaml' : 'packages.d/x-app.yaml'
    expect(first).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        `not restored: .*\\nTry: Run the command again: it commits ${path} as it is now\\.\\n`,
      ),
    })
    await repository.committed(repository.install('x/app'))
    expect(repository.text(path)).toContain('-   package: x/app')
    expect(
      await runCli('package', 'check', '--git', repository.root, '--packages', worlds.packages),
    ).toMatchObject({
      status: 0,
    })
  })

  it.each([
    {name: 'has not committed', committed: undefined, form: 'the form of a user'},
    {name: 'has edited', committed: EMPTY, form: 'the form of a user'},
    {name: 'has not committed', committed: undefined, form: 'that of the command'},
    {name: 'has edited', committed: EMPTY, form: 'that of the command'},
  ])('keeps the declaration that a user $name, in $form, when a hook fails', async ({committed, form}) => {
    const repository = worlds.repository(committed)
    const written = async () => {
      const other = worlds.repository(committed)
      await other.committed(other.install('x/app'))
      return other.text('crossplane-packages.yaml')
    }
    const mine =
      form === 'that of the command'
        ? await written()
        : `# mine\n${HEADER}packages:\n- package: x/app # why\n`
    repository.write({'crossplane-packages.yaml': mine})
    repository.hook('pre-commit', 'exit 1')
    const {status, stderr} = await repository.install('x/app')
    expect({status, stderr}).toEqual({status: 1, stderr: expect.not.stringContaining('not restored')})
    expect(repository.text('crossplane-packages.yaml')).toBe(mine)
    expect(repository.status()).toBe(`${committed === undefined ? '??' : ' M'} crossplane-packages.yaml\n`)
    repository.hook('pre-commit', 'exit 0')
    await repository.committed(repository.install('x/app'))
    expect(repository.text('crossplane-packages.yaml')).toBe(mine)
  })

  it('is committed in the form that a hook stages, and not with another content', async () => {
    const repository = worlds.repository()
    repository.hook('pre-commit', `${reformat}; git add crossplane-packages.yaml`)
    await repository.committed(repository.install('x/app'))
    expect(repository.text('crossplane-packages.yaml')).toContain('-   package: x/app')
    repository.hook('pre-commit', "sed -i 's/x.bs:v1.0.0/x\\/bs:v2.0.0/' *.yaml; git add *.yaml")
    const {status, stderr} = await repository.install('x/bs:v1.0.0')
    expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining('a hook modified')})
    expect(repository.status()).toBe('')
  })

  it('has no unfinished file of a run that was killed', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/app'))
    const {pid} = spawnSync('true')
    const own = async () => {
      const {createHash} = await import('node:crypto')
      const {hostname} = await import('node:os')
      return createHash('sha256').update(hostname()).digest('hex').slice(0, 4)
    }
    const token = `${await own()}${pid.toString(16).padStart(8, '0')}0000`
    const [folder, file] = ['lock', 'yaml'].map(ending => `.crossplane-packages.${ending}.${token}.tmp`)
    // As they are now, and as earlier versions left them.
    repository.write({[`${folder}/.gitignore`]: '*\n', [`${folder}/content`]: 'half', [file!]: 'half'})
    expect(repository.status()).toBe(`?? ${file}\n`)
    await repository.committed(repository.install('x/bs:v1.0.0'))
    const left = readdirSync(repository.root).filter(name => name.endsWith('.tmp'))
    expect({left, status: repository.status()}).toEqual({left: [], status: ''})
  })

  it('is the closest declaration, from a folder in it', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/app', '--path', 'deploy'))
    const inHome = worlds.clone(repository)
    const {runAt} = await import('./git-world.js')
    const {status} = await runAt(inHome.at('deploy/packages'), worlds.packages, 'install', 'x/bs:v1.0.0')
    expect(status).toBe(0)
    expect(inHome.git('ls-files', '*crossplane-packages.yaml').trim()).toBe('deploy/crossplane-packages.yaml')
  })

  it('is not in the tree of another one, even if its declaration has no entries', async () => {
    const repository = worlds.repository({
      'crossplane-packages.yaml': `${HEADER}output: rendered\n`,
    })
    expect(await repository.install('x/app', '--path', 'rendered/team')).toMatchObject({
      status: 5,
      stderr: expect.stringContaining('the rendered folder of crossplane-packages.yaml'),
    })
    expect(repository.status()).toBe('')
    await repository.committed(repository.install('x/app', '--path', 'team'))
  })

  it('has no other home in its tree', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/bs:v1.0.0', '--path', 'packages/team'))
    expect(await repository.install('x/app')).toMatchObject({
      status: 5,
      stderr: expect.stringContaining('which has packages/team/crossplane-packages.yaml'),
    })
    expect(repository.status()).toBe('')
    await repository.committed(repository.install('x/app', '--path', 'packages/team'))
  })

  it.each([
    {branch: 'refs/heads/x', reason: 'without refs/heads/'},
    {branch: 'HEAD', reason: 'the current branch is used without --branch'},
  ])('accepts no branch by the name $branch', async ({branch, reason}) => {
    const {status, stderr} = await worlds.repository().install('x/app', '--branch', branch)
    expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining(reason)})
  })

  it('claims CRDs again when a drained package is installed', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/bs:v1.0.0'))
    const before = repository.text('packages/crds/bs.x.example.org.yaml')
    await repository.committed(repository.run('uninstall', 'x-bs'))
    expect(repository.text('packages/crds/bs.x.example.org.yaml')).not.toBe(before)
    await repository.committed(repository.install('x/bs:v1.0.0'))
    expect(repository.text('packages/crds/bs.x.example.org.yaml')).toBe(before)
    expect(repository.text('crossplane-packages.yaml')).not.toContain('draining')
    expect(repository.git('log', '-1', '--format=%B')).toMatch(
      /^Cancel the uninstall of crossplane-system\/x-bs\n[^]*\nCrossplane-Package: x\/bs:v1.0.0\n/,
    )
  })
})
