import {expect, it} from '@jest/globals'
import {cpSync, existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gitUninstallQuery} from '../../../src/cli/git/git-query.js'
import {toGit} from '../../../src/cli/git/git-change.js'
import {keptAnnotations} from '../../../src/declaration/moving-objects.js'
import {readLock} from '../../../src/declaration/read-lock.js'
import {writeLock} from '../../../src/declaration/write-lock.js'
import {present} from '../../../src/present.js'
import type {MovedRequest} from '../../../src/plan/declaration/moved-requests.js'
import {readYaml} from '../../../src/yaml/read-yaml.js'
import {schemaOf, schemaViolations} from '../../json-schema.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {newKeys} from '../../signatures/signed-images.js'
import {GitWorlds, Repository} from './git-world.js'

const TIMEOUT = 120_000
const REGISTRY = 'registry.example.org'
const ARGOCD = ['--layout', 'argocd', '--repo-url', 'https://git.example.org/team/deploy']

describeReal('requests that move by commits', missingTool('git'), () => {
  const worlds = new GitWorlds()

  /** A repository with a package that moves; the parts of a commit that the cluster decides are given. */
  const world = async (name: string | undefined, ...flags: readonly string[]) => {
    const packages = worlds.folder()
    cpSync('examples/xpkg/packages', packages, {recursive: true})
    const source = 'examples/xpkg/packages/example/provider-sql@v1.2.0'
    cpSync(source, join(packages, 'community/provider-sql@v1.2.0'), {recursive: true})
    cpSync(
      'examples/xpkg/packages/example/provider-sql@v1.5.0',
      join(packages, 'community/provider-sql@v1.5.0'),
      {recursive: true},
    )
    const made = new Repository(worlds.folder(), packages)
    made.git('init', '--quiet', '--initial-branch=main')
    const reference = `${REGISTRY}/example/provider-sql:v1.2.0`
    await made.committed(
      made.install(reference, ...(name === undefined ? [] : [name]), '--core-version', 'v2.3.4', ...flags),
    )
    const commit = async (stage: 'begin' | 'end', moves: readonly MovedRequest[]) => {
      const own = {
        ...{git: made.root, packages, yes: true, output: 'text', 'dry-run': 'none', 'solve-timeout': '30s'},
        ...{index: [], 'no-index': false, offline: false, platform: 'linux/amd64', quiet: true},
      } as unknown as Parameters<typeof toGit>[1] & Parameters<typeof gitUninstallQuery>[1]
      const query = gitUninstallQuery('', own)
      const command = {argv: ['--quiet'], config: {}} as unknown as Parameters<typeof toGit>[2]
      await toGit({...query, subject: stage, request: {kind: 'move', stage, moves}}, own, command)
    }
    const read = (path: string) => readFileSync(made.at(path), 'utf8')
    const check = async () =>
      (await runCli('package', 'check', '--git', made.root, '--packages', packages)).status
    return Object.assign(made, {
      packages,
      commit,
      read,
      check,
      has: (path: string) => existsSync(made.at(path)),
    })
  }

  it.each([
    {layout: 'plain', flags: [], folder: 'packages/xpkgs', former: 'packages/xpkgs'},
    {layout: 'argocd', flags: ARGOCD, folder: 'packages/xpkgs', former: 'packages/xpkgs'},
    {layout: 'flux', flags: ['--layout', 'flux'], folder: 'packages/stage-2', former: 'packages/config'},
  ])(
    'stay until the last commit, stopped and protected, for $layout',
    async ({flags, folder, former}) => {
      const made = await world(undefined, ...flags)
      const before = [made.read('crossplane-packages.yaml'), made.read('crossplane-packages.lock')]
      const entry = {package: `${REGISTRY}/community/provider-sql:v1.2.0`}
      const move = {from: 'example-provider-sql', to: 'community-provider-sql', isBack: false, entry}
      await made.commit('begin', [move])
      const [next, old] = [
        `${folder}/provider-community-provider-sql.yaml`,
        `${former}/provider-example-provider-sql.yaml`,
      ]
      expect(made.read(next)).not.toContain('Manual')
      expect(made.read(old)).toMatch(/prune: disabled[\s\S]*revisionActivationPolicy: Manual/)
      expect(made.read(old)).toContain('Prune=false,Delete=false')
      expect(made.read('crossplane-packages.yaml')).toContain(`- package: ${entry.package}\n`)
      expect(made.git('log', '-1', '--format=%B')).not.toContain('package uninstall')
      expect(await made.check()).toBe(0)

      const [lock] = readYaml(Buffer.from(made.read('crossplane-packages.lock')), 'lock')
      expect(schemaViolations(schemaOf('package-lock'), lock?.value)).toEqual([])
      if (flags.includes('flux'))
        // A request that is stopped is not installed, and would let the next stage wait.
        expect(made.read('packages/flux/kustomizations/config.yaml')).not.toContain('kind: Provider')

      // Nothing else changes them in between.
      const upgrade = await runCli(
        ...['package', 'upgrade', `${REGISTRY}/community/provider-sql:v1.5.0`, '--git', made.root],
        ...['--packages', made.packages, '--yes', '--assume-no-instances'],
      )
      expect({status: upgrade.status, stderr: upgrade.stderr}).toEqual({
        status: 5,
        stderr: expect.stringContaining(
          'cannot change community-provider-sql: its move from example-provider-sql is not finished',
        ),
      })
      expect(upgrade.stderr).toContain(`package move --continue --context CONTEXT --git ${made.root}`)

      const declaration = made.read('crossplane-packages.yaml')
      made.write({'crossplane-packages.yaml': before[0] ?? ''})
      const file = made.at('crossplane-packages.yaml')
      const locking = await runCli('package', 'lock', '--declaration', file, '--packages', made.packages)
      expect(locking.stderr).toContain('its move from example-provider-sql is not finished')
      expect(locking.status).toBe(5)
      made.write({'crossplane-packages.yaml': declaration})

      // And back.
      await made.commit('begin', [
        {
          ...{from: move.to, to: move.from, isBack: true},
          entry: {package: `${REGISTRY}/example/provider-sql:v1.2.0`},
        },
      ])
      expect(made.read(`${former}/provider-community-provider-sql.yaml`)).toContain('Manual')
      expect(made.read(`${folder}/provider-example-provider-sql.yaml`)).not.toContain('Manual')
      await made.commit('end', [])
      expect([made.read('crossplane-packages.yaml'), made.read('crossplane-packages.lock')]).toEqual(before)
      expect(made.has(`${former}/provider-community-provider-sql.yaml`)).toBe(false)

      await made.commit('begin', [move])
      await made.commit('end', [])
      expect([made.has(next), made.has(old)]).toEqual([true, false])
      expect(made.read('crossplane-packages.lock')).not.toContain('moving')
      expect(await made.check()).toBe(0)
    },
    TIMEOUT,
  )

  it(
    'get another name, and keep the settings of their entry',
    async () => {
      const made = await world('my-sql')
      const entry = {package: `${REGISTRY}/example/provider-sql:v1.2.0`}
      await made.commit('begin', [{from: 'my-sql', to: 'example-provider-sql', isBack: false, entry}])
      expect(made.read('packages/xpkgs/provider-my-sql.yaml')).toContain('Manual')
      expect(made.read('packages/xpkgs/provider-example-provider-sql.yaml')).not.toContain('Manual')
      expect(made.read('crossplane-packages.yaml')).not.toContain('name:')
      expect(await made.check()).toBe(0)
      await made.commit('end', [])
      expect(made.has('packages/xpkgs/provider-my-sql.yaml')).toBe(false)
      expect(await made.check()).toBe(0)
    },
    TIMEOUT,
  )

  const HEADER = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\n'
  const former = `${REGISTRY}/example/provider-sql`

  it(
    'are judged by a policy as other packages are, and come from no other place',
    async () => {
      const made = await world(undefined)
      const entry = {package: `${REGISTRY}/community/provider-sql:v1.2.0`}
      await made.commit('begin', [
        {from: 'example-provider-sql', to: 'community-provider-sql', isBack: false, entry},
      ])
      const policy = join(worlds.folder(), 'policy.yaml')
      const {pem} = newKeys()
      const judged = async (fields: string) => {
        writeFileSync(policy, `${HEADER}${fields}`)
        const args = ['--git', made.root, '--packages', made.packages, '--policy', policy]
        const {status, stderr} = await runCli('package', 'check', ...args)
        return {status, stderr}
      }
      const others = `sources: [${REGISTRY}/community, ${REGISTRY}/example/provider-family`
      expect(await judged(`${others}, ${former}]\n`)).toMatchObject({status: 0})
      expect(await judged(`${others}]\n`)).toMatchObject({
        status: 4,
        stderr: expect.stringContaining(`cannot use the package ${former}`),
      })
      const rule = '{name: former, expression: \'pkg.name != "example-provider-sql"\'}'
      expect(await judged(`rules:\n- ${rule}\n`)).toMatchObject({
        status: 4,
        stderr: expect.stringContaining('policy/former'),
      })
      const signers = `[{key: ${JSON.stringify(pem)}}]`
      expect(await judged(`signatures:\n- {repositories: [${former}], signers: ${signers}}\n`)).toMatchObject(
        {status: 4, stderr: expect.stringContaining(former)},
      )

      const name = 'crossplane-packages.lock'
      const lock = readLock(name, Buffer.from(made.read(name)))
      const forged = {
        ...{apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'ImageConfig'},
        metadata: {name: 'mirror', annotations: keptAnnotations(lock.moving?.[0]?.to ?? '')},
        spec: {
          matchImages: [{type: 'Prefix', prefix: `${REGISTRY}/`}],
          rewriteImage: {prefix: 'attacker.example/'},
        },
      }
      const moving = lock.moving?.map(one => ({...one, objects: [...one.objects, forged]}))
      made.write({[name]: writeLock({...lock, ...present({moving})})})
      expect(await judged('')).toMatchObject({
        status: 7,
        stderr: expect.stringContaining('has its package read from attacker.example/'),
      })
    },
    TIMEOUT,
  )
})
