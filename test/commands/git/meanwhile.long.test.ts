import {expect, it} from '@jest/globals'
import {chmodSync, existsSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {openCheckout} from '../../../src/adapters/git/checkout.js'
import {writableFile} from '../../../src/adapters/image-output.js'
import {outputFolder} from '../../../src/adapters/output-folder.js'
import {commitFiles} from '../../../src/commit/commit-files.js'
import {planFile} from '../../../src/plan/file/plan-file.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {GitWorlds, type Repository} from './git-world.js'

const DECLARATION = 'crossplane-packages.yaml'

/** What a user does in another shell: without the variables that git sets for a hook. */
const inShell = (repository: Repository, script: string) =>
  `(unset $(git rev-parse --local-env-vars); cd '${repository.root}' && ${script}) >/dev/null 2>&1`

describeReal('a user who works in the repository meanwhile', missingTool('git'), () => {
  const worlds = new GitWorlds()

  /** Runs a script once, when git reads the status, which is after the plan was begun. */
  function whilePlanning(repository: Repository, script: string): void {
    const [program, mark] = [join(worlds.folder(), 'monitor'), join(worlds.folder(), 'done')]
    writeFileSync(
      program,
      `#!/bin/sh\n[ -e ${mark} ] || { touch ${mark}; ${inShell(repository, script)}; }\nexit 1\n`,
    )
    chmodSync(program, 0o755)
    repository.git('config', 'core.fsmonitor', program)
  }

  it.each([
    {
      name: 'commits',
      script: 'git commit --quiet --allow-empty --message=theirs',
      branch: 'main',
      commits: 2,
    },
    {name: 'switches the branch', script: 'git switch --quiet --create other', branch: 'other', commits: 1},
  ])('$name before the commit, which is rejected', async ({script, branch, commits}) => {
    const repository = worlds.repository()
    whilePlanning(repository, script)
    const {status, stderr} = await repository.install('x/bs:v1.0.0')
    expect({status, stderr}).toEqual({
      status: 5,
      stderr: expect.stringContaining('cannot commit to main: the current branch has changed'),
    })
    expect([repository.git('branch', '--show-current'), repository.commits(), repository.status()]).toEqual([
      `${branch}\n`,
      commits,
      '',
    ])
  })

  it('switches the branch while a hook runs: the commit is undone', async () => {
    const repository = worlds.repository()
    repository.hook('pre-commit', inShell(repository, 'git switch --quiet --create other'))
    expect(await repository.install('x/bs:v1.0.0')).toMatchObject({status: 5})
    expect([repository.git('rev-parse', 'other'), repository.commits(), repository.status()]).toEqual([
      repository.git('rev-parse', 'main'),
      1,
      '',
    ])
  })

  it('commits while a push fails: that commit stays', async () => {
    const clone = worlds.clone(worlds.bare())
    const theirs = inShell(clone, 'git commit --quiet --allow-empty --message=theirs')
    clone.hook('pre-push', `${theirs}; echo not today >&2; exit 1`)
    const {status, stderr} = await clone.install('x/bs:v1.0.0', '--push')
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringMatching(/commit [0-9a-f]{12} could not be undone/),
    })
    expect([clone.git('log', '-1', '--format=%s'), clone.status()]).toEqual(['theirs\n', ''])
  })

  it.each(['pre-commit', 'pre-push'])('edits the declaration while %s fails: the edit stays', async hook => {
    const clone = worlds.clone(worlds.bare())
    await clone.committed(clone.install('x/bs:v1.0.0', '--push'))
    clone.hook(hook, `${inShell(clone, `echo '# mine' >> ${DECLARATION}`)}; exit 1`)
    const {status, stderr} = await clone.install('x/app:v1.0.0', '--push')
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringContaining(`changed meanwhile and not restored: ${DECLARATION}`),
    })
    expect([clone.commits(), clone.status()]).toEqual([2, ` M ${DECLARATION}\n`])
    expect(clone.text(DECLARATION)).toContain('# mine\n')
  })

  it('edits the declaration while a hook passes: the commit is undone, and the edit stays', async () => {
    const repository = worlds.repository()
    await repository.committed(repository.install('x/bs:v1.0.0'))
    repository.hook('pre-commit', inShell(repository, `echo '# mine' >> ${DECLARATION}`))
    const {status, stderr} = await repository.install('x/app:v1.0.0')
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringContaining(
        `a hook or another program modified ${DECLARATION}; changed meanwhile and not restored: ${DECLARATION}`,
      ),
    })
    expect([repository.commits(), repository.status()]).toEqual([2, ` M ${DECLARATION}\n`])
    expect(repository.text(DECLARATION)).toContain('# mine\n')
  })

  it('commits in a hook, after ours: both stay', async () => {
    const repository = worlds.repository()
    const commit = 'echo x > CHANGES; git add CHANGES; git commit --quiet --message=theirs'
    repository.hook('post-commit', `[ -e .git/once ] || { touch .git/once; ${inShell(repository, commit)}; }`)
    await repository.committed(repository.install('x/bs:v1.0.0'))
    expect([repository.git('log', '--format=%s'), repository.status()]).toEqual([
      'theirs\nInstall x/bs:v1.0.0\nfirst\n',
      '',
    ])
  })

  it('edits a file before the first commit fails: the edit stays', async () => {
    const repository = worlds.repository({})
    repository.hook('pre-commit', `${inShell(repository, `echo '# mine' >> ${DECLARATION}`)}; exit 1`)
    expect(await repository.install('x/bs:v1.0.0')).toMatchObject({status: 1})
    expect(repository.status()).toBe(`?? ${DECLARATION}\n`)
  })

  it('has the declaration changed by another run: nothing is written', async () => {
    const repository = worlds.repository()
    const checkout = await openCheckout(repository.root)
    const content = {target: 'declaration', name: DECLARATION, content: 'ours\n'}
    const plan = {
      tree: [{path: 'a.yaml', content: 'a: 1\n'}],
      files: [{file: writableFile(repository.at(DECLARATION)), plan: planFile(content, {})}],
      declarations: new Map([[DECLARATION, 'ours\n']]),
      writtenFiles: new Map([[DECLARATION, undefined]]),
      own: new Set<string>(),
      message: 'ours',
      style: {signoff: false},
      tip: await checkout.tip(),
    }
    repository.write({[DECLARATION]: 'theirs\n'})
    const whole = outputFolder(repository.root)
    const tree = outputFolder(repository.at('packages'))
    await expect(commitFiles(plan, {checkout, whole, tree})).rejects.toMatchObject({code: 'output-refused'})
    expect(existsSync(repository.at('packages'))).toBe(false)
  })
})

describeReal('a hook that adds other files to the commit', missingTool('git'), () => {
  const worlds = new GitWorlds()

  it.each<{name: string; files: Readonly<Record<string, string>>}>([
    {name: 'later', files: {'README.md': 'ours\n'}},
    {name: 'first', files: {}},
  ])('has a $name commit undone', async ({files}) => {
    const repository = worlds.repository(files)
    repository.write({'work.txt': 'not yet\n'})
    repository.hook('pre-commit', 'git add --all')
    const {status, stderr} = await repository.install('x/bs:v1.0.0')
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringContaining('cannot commit: a hook added work.txt to the commit\n'),
    })
    expect(repository.status()).toBe('?? work.txt\n')
    expect(repository.git('rev-list', '--all', '--count')).toBe(`${Object.keys(files).length}\n`)
  })
})
