import {describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {GitHubServer} from '../../fakes/github-server.js'
import {GitWorlds, withVariables} from './git-world.js'
import {branchesOf, lastName, statusesOf, updateWorlds} from './update-world.js'

/** Records the options of a push. */
const OPTIONS_HOOK = `i=0
while [ $i -lt \${GIT_PUSH_OPTION_COUNT:-0} ]; do
  eval "printf '%s\\n' \\"\\$GIT_PUSH_OPTION_$i\\"" >> options
  i=$((i+1))
done`

describeReal('package update', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const world = updateWorlds(worlds)

  /** Two members of a family and a provider without one, each with a newer version. */
  async function familyWorld(settings = {}) {
    const made = world()
    const {publish, name} = made
    const publishAll = (tag: string) => {
      publish('family-aws', tag)
      publish('aws-s3', tag, {requires: {'family-aws': `>= ${tag}, < v2.0.0`}})
      publish('aws-ec2', tag, {requires: {'family-aws': `>= ${tag}, < v2.0.0`}})
      publish('helm', tag)
    }
    const pins = ['aws-s3', 'aws-ec2', 'helm'].map(path => ({package: `${name(path)}:v1.0.0`}))
    publishAll('v1.0.0')
    const bare = await made.remote(pins, settings)
    publishAll('v1.1.0')
    return {...made, bare, url: `file://${bare.root}`}
  }

  describe('of a remote repository', () => {
    it('makes one branch for each family, with declaration, lock and tree', async () => {
      const {bare, url, updates, name, cache} = await familyWorld()
      const main = bare.git('rev-parse', 'main')
      const {updates: made, waiting} = await updates(url)
      expect(made.map(({branch}) => lastName(branch))).toEqual(['family-aws', 'helm'])
      expect(made.map(({status}) => status)).toEqual(['created', 'created'])
      expect(waiting).toEqual([])
      const {branch: aws = '', commit, body} = made[0] ?? {}
      expect(branchesOf(bare)).toEqual(made.map(({branch}) => branch))
      expect(aws.startsWith('crossplane-update/main/+/')).toBe(true)
      expect(bare.git('rev-parse', aws).trim()).toBe(commit)
      expect(bare.git('rev-parse', `${aws}~1`)).toBe(main)
      expect(bare.git('rev-parse', 'main')).toBe(main)
      const declaration = bare.git('show', `${aws}:crossplane-packages.yaml`)
      expect(declaration).toContain(`${name('aws-s3')}:v1.1.0`)
      expect(declaration).toContain(`${name('aws-ec2')}:v1.1.0`)
      expect(declaration).toContain(`${name('helm')}:v1.0.0`)
      const lock = bare.git('show', `${aws}:crossplane-packages.lock`)
      expect(lock).toMatch(/family-aws[^]*?tag: v1\.1\.0/)
      expect(body).toContain(`- \`${name('family-aws')}\`: \`v1.0.0\` → \`v1.1.0\`\n`)
      expect(body).toContain(`\nkubectl crossplane package rollback ${name('aws-s3')} --git .\n`)
      for (const {branch} of made) {
        const clone = worlds.clone(bare, '--branch', branch)
        const check = await runCli('package', 'check', '--git', clone.root, '--cache-dir', cache)
        expect(check).toMatchObject({status: 0})
      }
    })

    it('takes an older version where the newest one does not fit the others, and says so', async () => {
      const {publish, name, remote, update, updates} = world()
      publish('base', 'v1.0.0')
      publish('app', 'v1.0.0', {requires: {base: '< v2.0.0'}})
      const bare = await remote(['app', 'base'].map(path => ({package: `${name(path)}:v1.0.0`})))
      for (const tag of ['v1.1.0', 'v1.2.0', 'v2.0.0']) publish('base', tag)
      const url = `file://${bare.root}`
      const {updates: made, waiting} = await updates(url)
      const from = {package: name('base'), from: 'v1.0.0'}
      expect(made).toMatchObject([{status: 'created', packages: [{...from, to: 'v1.2.0'}]}])
      expect(waiting).toEqual([
        {
          ...{package: name('base'), locked: 'v1.0.0', newest: 'v2.0.0'},
          reason: `${name('app')}:v1.0.0 requires ${name('base')} < v2.0.0`,
        },
      ])
      const {stdout} = await update(url, '--explain', name('base'))
      expect(stdout).toContain(`${name('base')} is updated from v1.0.0 to v1.2.0\n`)
      expect(stdout).toContain(`  v2.0.0 is not selected: ${waiting[0]?.reason}\n`)
      const branch = made[0]?.branch ?? ''
      expect(bare.git('show', `${branch}:crossplane-packages.yaml`)).toContain(`${name('base')}:v1.2.0`)
      expect(await updates(url)).toMatchObject({updates: [{status: 'current'}]})
      // Nothing newer fits that version: there is no update, and no failure.
      bare.git('update-ref', 'refs/heads/main', branch)
      expect(await updates(url)).toMatchObject({
        updates: [{branch, status: 'removed'}],
        waiting: [{locked: 'v1.2.0', newest: 'v2.0.0', reason: waiting[0]?.reason}],
      })
    })

    it('lists the tags of each package once without news, also if a tag was published again', async () => {
      const {publish, name, remote, updates, server} = world()
      for (const path of ['helm', 'sql']) publish(path, 'v1.0.0')
      const bare = await remote(['helm', 'sql'].map(path => ({package: `${name(path)}:v1.0.0`})))
      publish('sql', 'v1.0.0', {crd: 'others'})
      const before = server.seen.length
      expect(await updates(`file://${bare.root}`)).toMatchObject({updates: [], waiting: []})
      const seen = server.seen.slice(before).map(({path}) => path.replace(/^.*\/(\w+\/tags)/, '$1'))
      expect(seen.sort()).toEqual(['helm/tags/list', 'sql/tags/list'])
    })

    it('changes nothing the second time, and follows the branch that it is for', async () => {
      const {bare, url, updates} = await familyWorld()
      await updates(url)
      const tips = bare.git('for-each-ref')
      expect(statusesOf(await updates(url))).toEqual({'family-aws': 'current', helm: 'current'})
      expect(bare.git('for-each-ref')).toBe(tips)
      const clone = worlds.clone(bare)
      clone.write({'README.md': 'more\n'})
      clone.git('commit', '--quiet', '--all', '--message=theirs')
      clone.git('push', '--quiet')
      expect(statusesOf(await updates(url))).toEqual({'family-aws': 'updated', helm: 'updated'})
      for (const branch of branchesOf(bare)) {
        expect(bare.git('rev-parse', `${branch}~1`)).toBe(bare.git('rev-parse', 'main'))
      }
      expect(statusesOf(await updates(url))).toEqual({'family-aws': 'current', helm: 'current'})
    })

    it('follows newer versions, and removes what is merged', async () => {
      const {bare, url, updates, publish} = await familyWorld()
      const [, helm] = (await updates(url)).updates
      publish('helm', 'v1.2.0')
      const next = await updates(url)
      expect(statusesOf(next)).toEqual({'family-aws': 'current', helm: 'updated'})
      expect(next.updates[1]?.packages[0]?.to).toBe('v1.2.0')
      expect(next.updates[1]?.branch).toBe(helm?.branch)
      const clone = worlds.clone(bare)
      clone.git('merge', '--quiet', '--squash', `origin/${helm?.branch}`)
      clone.git('commit', '--quiet', '--message=squashed')
      clone.git('push', '--quiet')
      expect(statusesOf(await updates(url))).toEqual({'family-aws': 'updated', helm: 'removed'})
      expect(branchesOf(bare).map(lastName)).toEqual(['family-aws'])
    })

    it('leaves branches that a user changed, in whatever way', async () => {
      const {publish, name, remote, updates} = world()
      const edits: Readonly<Record<string, readonly string[]>> = {
        amended: ['commit', '--quiet', '--amend', '--no-edit', '--all'],
        committed: ['commit', '--quiet', '--allow-empty', '--message=mine'],
        merged: ['merge', '--quiet', '--no-ff', '--no-edit', 'origin/main'],
        rebased: ['rebase', '--quiet', 'origin/main'],
        reworded: ['commit', '--quiet', '--amend', '--message=mine'],
        same: ['status'],
      }
      for (const path of Object.keys(edits)) publish(path, 'v1.0.0')
      const bare = await remote(Object.keys(edits).map(path => ({package: `${name(path)}:v1.0.0`})))
      for (const path of Object.keys(edits)) publish(path, 'v1.1.0')
      const url = `file://${bare.root}`
      const {updates: made} = await updates(url)
      const clone = worlds.clone(bare)
      clone.write({'README.md': 'more\n'})
      clone.git('commit', '--quiet', '--all', '--message=theirs')
      clone.git('push', '--quiet')
      for (const {branch} of made) {
        const kind = lastName(branch)
        clone.git('switch', '--quiet', branch)
        if (kind === 'amended') clone.write({'README.md': 'mine\n'})
        clone.git(...(edits[kind] ?? []))
        clone.git('push', '--quiet', '--force')
      }
      const tips = new Map(made.map(({branch}) => [branch, bare.git('rev-parse', branch)]))
      const again = await updates(url)
      expect(statusesOf(again)).toEqual({
        ...{amended: 'changed', committed: 'changed', merged: 'changed', rebased: 'changed'},
        ...{reworded: 'changed', same: 'updated'},
      })
      for (const {branch, status} of again.updates) {
        const isLeft = bare.git('rev-parse', branch) === tips.get(branch)
        expect([branch, isLeft]).toEqual([branch, status === 'changed'])
      }
    })

    it('never overwrites what a user pushes meanwhile', async () => {
      const {bare, url, updates, publish} = await familyWorld()
      const [, helm] = (await updates(url)).updates
      publish('helm', 'v1.2.0')
      // Between the list of branches and the push, a user pushes to one of them.
      const theirs = bare.git('rev-parse', 'main').trim()
      bare.serverHook(
        'pre-receive',
        `[ -e pushed ] && exit 0\ntouch pushed\nunset GIT_QUARANTINE_PATH\ngit update-ref refs/heads/${helm?.branch} ${theirs}`,
      )
      expect(statusesOf(await updates(url))).toMatchObject({helm: 'changed'})
      expect(bare.git('rev-parse', helm?.branch ?? '').trim()).toBe(theirs)
    })

    it('has what a server says, and reports a branch that it protects', async () => {
      const {bare, url, updates} = await familyWorld()
      bare.serverHook('update', 'case $1 in *helm) echo no; exit 1;; esac')
      const {updates: made} = await updates(url)
      expect(made.map(({status}) => status)).toEqual(['created', 'failed'])
      expect(made[1]?.error?.code).toBe('git-failed')
      expect(branchesOf(bare).map(lastName)).toEqual(['family-aws'])
    })
  })

  it('groups by package or together, and makes no more branches than are allowed', async () => {
    const {bare, url, updates} = await familyWorld()
    expect(statusesOf(await updates(url, '--by', 'all', '--dry-run'))).toEqual({
      '/all': 'created',
    })
    expect(branchesOf(bare)).toEqual([])
    const limited = await updates(url, '--by', 'package', '--limit', '2')
    expect(limited.updates.map(({status}) => status)).toEqual(['created', 'created', 'waiting', 'waiting'])
    expect(branchesOf(bare)).toHaveLength(2)
    const again = await updates(url, '--by', 'package', '--limit', '2')
    expect(again.updates.map(({status}) => status)).toEqual(['current', 'current', 'waiting', 'waiting'])
  })

  it('stays within a step and holds packages, and explains it', async () => {
    const {publish, name, remote, updates, update} = world()
    for (const path of ['a', 'b', 'c']) publish(path, 'v1.0.0')
    const bare = await remote(
      [{package: `${name('a')}:v1.0.0`}, {package: name('b')}, {package: name('c')}],
      {
        hold: {[name('c')]: 'waits for INFRA-12'},
      },
    )
    for (const path of ['a', 'b', 'c']) {
      publish(path, 'v1.0.1')
      publish(path, 'v1.1.0')
      publish(path, 'v2.0.0')
    }
    const url = `file://${bare.root}`
    const {updates: made, waiting} = await updates(url, '--within', 'patch', '--dry-run')
    expect(made.flatMap(({packages}) => packages.map(one => [one.package, one.to]))).toEqual([
      [name('a'), 'v1.0.1'],
      [name('b'), 'v1.0.1'],
    ])
    expect(waiting.map(one => [one.package, one.newest, one.reason])).toEqual([
      [name('a'), 'v2.0.0', 'the update is larger than --within patch'],
      [name('b'), 'v2.0.0', 'the update is larger than --within patch'],
      [name('c'), 'v2.0.0', 'hold: waits for INFRA-12'],
    ])
    const minor = await updates(url, '--within', 'minor', '--dry-run')
    expect(minor.updates.map(({packages}) => packages[0]?.to)).toEqual(['v1.1.0', 'v1.1.0'])
    const held = await update(url, '--explain', name('c'))
    expect(held).toMatchObject({status: 0})
    expect(held.stdout).toBe(
      `${name('c')} stays at v1.0.0\n  v2.0.0 is not selected: hold: waits for INFRA-12\n`,
    )
    const free = await update(url, '--explain', name('b'), '--within', 'minor')
    expect(free.stdout).toContain(
      `${name('b')} is updated from v1.0.0 to v1.1.0\n  branch: crossplane-update/`,
    )
    expect(free.stdout).toContain('v2.0.0 is not selected: the update is larger than --within minor\n')
    expect(await update(url, '--explain', name('d'))).toMatchObject({status: 1})
  })

  it('waits until a version is known for a time, which a reference beside the branches keeps', async () => {
    const {publish, name, remote, updates} = world()
    publish('a', 'v1.0.0')
    const bare = await remote([{package: `${name('a')}:v1.0.0`}])
    publish('a', 'v1.1.0')
    const url = `file://${bare.root}`
    const first = await updates(url, '--min-age', '48h')
    expect([first.updates, first.waiting[0]?.reason]).toEqual([
      [],
      'it has been known for less than --min-age',
    ])
    const seen = bare.git('show', 'refs/crossplane-update/seen:seen.json')
    expect(JSON.parse(seen)).toEqual({
      'crossplane-update/main/+/': {[`${name('a')}:v1.1.0`]: expect.stringMatching(/^\d{4}-.*Z$/)},
    })
    await updates(url, '--min-age', '48h')
    expect(bare.git('show', 'refs/crossplane-update/seen:seen.json')).toBe(seen)
    const earlier = seen.replace(/"\d{4}-[^"]*Z"/, '"2020-01-01T00:00:00.000Z"')
    const clone = worlds.clone(bare)
    clone.write({'seen.json': earlier})
    clone.git('add', 'seen.json')
    clone.git('commit', '--quiet', '--message=seen')
    clone.git('push', '--quiet', '--force', 'origin', 'HEAD:refs/crossplane-update/seen')
    const later = await updates(url, '--min-age', '48h')
    expect(later.updates.map(({status}) => status)).toEqual(['created'])
  })

  it('reports a group that cannot be updated beside the others', async () => {
    const {publish, name, remote, update, updates} = world()
    publish('b', 'v1.0.0', {crd: 'buckets.example.org', versions: ['v1', 'v2']})
    publish('c', 'v1.0.0')
    const bare = await remote(['b', 'c'].map(path => ({package: `${name(path)}:v1.0.0`})))
    publish('b', 'v1.1.0', {crd: 'buckets.example.org', versions: ['v2']})
    publish('c', 'v1.1.0')
    const {status, stdout} = await update(`file://${bare.root}`)
    expect(status).toBe(1)
    expect(stdout).toMatch(/\+b: failed\n/)
    expect(stdout).toMatch(/\+c: created\n/)
    expect(stdout).toMatch(/\+b: failed\n[^+]*\n {2}Try: /)
    expect(branchesOf(bare).map(lastName)).toEqual(['c'])
    const {updates: made} = await updates(`file://${bare.root}`)
    expect(made[0]?.error?.suggestions.length).toBeGreaterThan(0)
  })

  it('leaves the working tree, the branch and the index of a folder as they are', async () => {
    const {bare, update} = await familyWorld()
    const clone = worlds.clone(bare)
    clone.write({'README.md': 'mine\n', 'other.txt': 'mine\n'})
    clone.git('add', 'other.txt')
    const [before, head] = [clone.status(), clone.git('rev-parse', 'HEAD')]
    const local = await update(clone.root)
    expect(local).toMatchObject({status: 0})
    expect([clone.status(), clone.git('rev-parse', 'HEAD')]).toEqual([before, head])
    expect(branchesOf(clone)).toHaveLength(2)
    expect(branchesOf(bare)).toEqual([])
    expect(clone.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
    const pushed = await update(clone.root, '--push')
    expect(pushed).toMatchObject({status: 0})
    expect(branchesOf(bare)).toEqual(branchesOf(clone))
    expect([clone.status(), clone.git('rev-parse', 'HEAD')]).toEqual([before, head])
    expect((await update(clone.root)).stdout).toMatch(/up to date\n[^]*up to date\n/)
  })

  it('opens pull requests of GitHub, and the token is in no output', async () => {
    const {bare, url, update, updates} = await familyWorld()
    const token = 'ghs_verysecret'
    const github = new GitHubServer('team/deploy', token, branch => bare.git('rev-parse', branch).trim())
    const api = await github.start()
    const args = ['--pr', 'github', '--pr-api', api, '--pr-repository', 'team/deploy']
    await withVariables({GITHUB_TOKEN: token}, async () => {
      const message = {message: 'Validation Failed', documentation_url: 'https://docs.github.com'}
      github.next.push({status: 422, body: JSON.stringify(message)})
      const first = await updates(url, ...args)
      expect(first.updates.map(({status, error}) => [status, error?.code])).toEqual([
        ['created', 'git-failed'],
        ['created', undefined],
      ])
      const {status, stdout, stderr} = await update(url, ...args)
      expect({status, stdout, stderr}).toEqual({
        status: 0,
        stdout: expect.stringMatching(/pull\/2: opened\n[^]*pull\/1: open\n/),
        stderr: expect.not.stringContaining(token),
      })
      expect(`${stdout}${JSON.stringify(first)}`).not.toContain(token)
      expect(statusesOf(await updates(url, ...args, '--by', 'all', '--dry-run'))).toMatchObject({
        '/all': 'created',
      })
    })
    expect(github.pulls.map(pull => [pull.base.ref, pull.body.startsWith('## Packages\n')])).toEqual([
      ['main', true],
      ['main', true],
    ])
    expect(github.violations).toEqual([])
    expect(bare.git('log', '--all', '--format=%B')).not.toContain(token)
    await github.close()
    const without = await update(url, ...args)
    expect(without).toMatchObject({status: 2, stderr: expect.stringContaining('GITHUB_TOKEN') as unknown})
  })

  it('opens merge requests of GitLab by options of the push', async () => {
    const {bare, url, update, updates} = await familyWorld()
    const refused = await updates(url, '--pr', 'gitlab')
    expect(refused.updates.map(({error}) => error?.code)).toEqual(['git-failed', 'git-failed'])
    bare.git('config', 'receive.advertisePushOptions', 'true')
    bare.serverHook('pre-receive', OPTIONS_HOOK)
    const opened = await updates(url, '--pr', 'gitlab')
    expect(statusesOf(opened)).toEqual({'family-aws': 'created', helm: 'created'})
    const options = [
      'merge_request.create',
      'merge_request.target=main',
      'merge_request.remove_source_branch',
    ]
    expect(bare.text('options').trim().split('\n')).toEqual(
      opened.updates.flatMap(({title, body = ''}) => [
        ...options,
        `merge_request.title=${title}`,
        `merge_request.description=${body.trimEnd().replaceAll('\n', String.raw`\n`)}`,
      ]),
    )
    const again = await updates(url, '--pr', 'gitlab')
    expect(again.updates.map(({note}) => note)).toEqual([
      'no merge request is opened: the branch exists',
      'no merge request is opened: the branch exists',
    ])
    const clone = worlds.clone(bare)
    const local = await update(clone.root, '--pr', 'gitlab')
    expect(local).toMatchObject({status: 2, stderr: expect.stringContaining('requires --push') as unknown})
  })

  it('writes the text of a request', async () => {
    const {bare, url, update} = await familyWorld()
    const file = join(worlds.folder(), 'body.md')
    const several = await update(url, '--body-file', file)
    expect(several).toMatchObject({status: 2})
    expect(branchesOf(bare)).toEqual([])
    expect(await update(url, '--by', 'all', '--body-file', file)).toMatchObject({status: 0})
    expect(readFileSync(file, 'utf8')).toMatch(/^## Packages\n\n- `/)
  })
})
