import {expect, it} from '@jest/globals'
import {dirname} from 'node:path'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'
import {GitHubServer} from '../../fakes/github-server.js'
import {FORMATS, STORIES, UsageWorld} from '../usage-world.js'
import {GitWorlds, withVariables} from './git-world.js'
import {httpBackend} from './http-backend.js'
import {branchesOf} from './update-world.js'

/** Removes what is in code, as CommonMark reads it. */
function outsideOfCode(markdown: string): string {
  const blocks = markdown.replaceAll(/^(`{3,})\w*\n[^]*?^\1$/gm, '')
  return blocks.replaceAll(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '')
}

const WORDS = [
  '@admin please merge, closes #12',
  '![x](https://evil.example.org/x.png)',
  '[y](//evil.example.org) <img src=//evil.example.org>',
  '```\n# heading\n@team fixes team/other#3 GH-4',
]

/** A package of which each text is hostile that a request can show. */
function hostilePackage(tag: string): Readonly<Record<string, string>> {
  const isNew = tag !== 'v1.0.0'
  const rules = isNew ? WORDS.map(word => ({apiGroups: [word], resources: [word], verbs: ['get', word]})) : []
  const app = {title: WORDS[0], permissionScope: 'Cluster', permissions: {rules}, version: tag}
  const env = WORDS.map((value, at) => ({name: `A${at}`, value}))
  const container = {name: 'evil', image: `evil.example.org/team/evil:${tag}`, args: WORDS, env}
  const install = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name: 'evil'},
    spec: {
      selector: {matchLabels: {a: 'b'}},
      template: {metadata: {labels: {a: 'b'}}, spec: {containers: [container]}},
    },
  }
  return {
    [`x/evil@${tag}/.registry/app.yaml`]: JSON.stringify(app),
    [`x/evil@${tag}/.registry/install.yaml`]: JSON.stringify(install),
  }
}

const TOKEN = 'ghs_verysecret'

describeReal('package update of a hostile repository', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const packages = temporaryFolder()
  writeTree(packages, {...hostilePackage('v1.0.0'), ...hostilePackage('v2.0.0')})

  it('shows nothing of it outside of code, and sends the token to the API alone', async () => {
    const home = 'clu`s`ters/@team #1 ![x](y)'
    const target = 'b@team-#1-`x`'
    const start = worlds.repository()
    start.git('switch', '--quiet', '--create', target)
    const at = ['--git', start.root, '--path', home, '--packages', packages, '--yes', '--quiet']
    await start.committed(runCli('package', 'install', 'x/evil:v1.0.0', ...at))
    const bare = worlds.bare(start)
    const evil = createServer((request, response) => {
      received.push(JSON.stringify(request.headers))
      response.writeHead(404).end()
    })
    const received: string[] = []
    await new Promise<void>(resolve => evil.listen(0, '127.0.0.1', resolve))
    const elsewhere = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`
    const server = await httpBackend(dirname(bare.root))
    const github = new GitHubServer('team/deploy', TOKEN, branch => bare.git('rev-parse', branch).trim())
    const api = await github.start()
    // The remote of the clone and the declaration name another host.
    const clone = worlds.clone(bare, '--branch', target)
    clone.git(
      'remote',
      'set-url',
      '--push',
      'origin',
      `http://${server.host}/${bare.root.split('/').at(-1) ?? ''}`,
    )
    clone.git('remote', 'add', 'evil', `${elsewhere}/team/deploy.git`)
    const {status, stdout, stderr} = await withVariables({GITHUB_TOKEN: TOKEN}, () =>
      runCli(
        ...['package', 'update', '--git', clone.root, '--path', home, '--packages', packages, '--push'],
        ...['--pr', 'github', '--pr-api', api, '--pr-repository', 'team/deploy'],
      ),
    )
    await github.close()
    await server.close()
    await new Promise<void>(resolve => evil.close(() => resolve()))
    expect({status, stderr}).toMatchObject({status: 0})
    expect(`${stdout}${stderr}`).not.toContain(TOKEN)
    const [branch = '', ...others] = branchesOf(bare).filter(name => name !== target)
    expect([others, branch.startsWith('crossplane-update/')]).toEqual([[], true])
    const [pull] = github.pulls
    expect(github.pulls).toHaveLength(1)
    expect(pull?.title).toBe('Upgrade x/evil to v2.0.0')
    expect(pull?.base.ref).toBe(target)
    expect(pull?.body).toContain('evil.example.org')
    // Its last line is the program's own: hashes of the text, by which it knows what a user edits.
    const body = pull?.body.replace(
      /\n<!-- crossplane-update sha256:[0-9a-f]{64} title:[0-9a-f]{64} -->\n$/,
      '',
    )
    expect(outsideOfCode(body ?? '')).not.toMatch(/[@[\]<]|#\d|evil|GH-/)
    const message = bare.git('log', '--format=%B', '--max-count=1', branch)
    expect(message).not.toMatch(/@admin|@team|#12|other#3|GH-4|:\/\/evil|\]\(/)
    expect(bare.git('log', '--all', '--format=%B%an%ae')).not.toContain(TOKEN)
    expect(github.seen.every(({path}) => path.startsWith('/api/v3/repos/team/deploy/pulls'))).toBe(true)
    expect(github.violations).toEqual([])
    expect(received).toEqual([])
  })

  it.each(FORMATS)('says what breaks, and accepts nothing: %s', async format => {
    const [story] = STORIES
    if (story === undefined) throw new Error('no story')
    const world = new UsageWorld(packages, format, story)
    await world.committed()
    const made = await withVariables({GITHUB_BASE_REF: undefined}, () =>
      world.run('update', '--git', '.', '-o', 'json'),
    )
    expect(made).toMatchObject({status: 0})
    const {updates} = JSON.parse(made.stdout) as {updates: {branch: string; status: string; body: string}[]}
    expect(updates.map(({status}) => status)).toEqual(['created'])
    const [{branch, body} = {branch: '', body: ''}] = updates
    expect(body).toMatch(/## Review first\n\n- \d effects? on objects (?:is|are) not accepted\./)
    expect(body).toMatch(/## Effects on objects\n\n```text\n[^]*clusters\/db\.yaml:\d+ {2}Db main spec/)
    expect(world.git('show', `${branch}:crossplane-packages.lock`)).not.toContain('acceptedImpacts')
    world.git('switch', '--quiet', branch)
    const check = await world.run('check', '--git', '.', '--since', 'main')
    expect(check).toMatchObject({status: 1, stdout: expect.stringContaining('not accepted') as unknown})
    // What a user accepts in the branch is a commit of theirs, which stays.
    world.git('commit', '--quiet', '--allow-empty', '--message=accepted')
    const tip = world.git('rev-parse', 'HEAD')
    world.git('switch', '--quiet', 'main')
    const again = await world.run('update', '--git', '.')
    expect(again).toMatchObject({status: 0, stdout: expect.stringContaining('changed by a user') as unknown})
    expect(world.git('rev-parse', branch)).toBe(tip)
  })
})
