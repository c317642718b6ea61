import {execFileSync} from 'node:child_process'
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {describeCluster} from '../cluster/describe-cluster.js'
import {missingPrograms} from '../cluster/find-server.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import type {Reconciler} from './describe-reconciled.js'
import {flux} from './flux.js'
import {type GitServer, serveGit} from './git-server.js'
import {createAll} from './programs.js'

const OBJECT = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'team', namespace: 'default'}}
/** What `flux bootstrap` has Flux apply, with a stand-in for its own objects. */
const FILES = {
  'cluster/flux-system/gotk-sync.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: sync, namespace: default}\n',
  'cluster/flux-system/kustomization.yaml': 'resources: [gotk-sync.yaml]\n',
  'cluster/team.yaml': JSON.stringify(OBJECT),
}
const LISTED = 'resources: [flux-system, team.yaml]\n'

const missing = missingPrograms(flux.servers) ?? missingTool('git')

describeReal('a home in a folder that flux bootstrap applies', missing, () => {
  describeCluster('current', 'on a current API server', cluster => {
    const folder = temporaryFolder()
    const clone = join(folder, 'clone')
    let server: GitServer
    let reconciler: Reconciler

    const git = (...args: readonly string[]) =>
      execFileSync('git', args, {
        ...{cwd: clone, encoding: 'utf8'},
        env: {PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1'},
      }).trim()
    const push = () => {
      git('push', '--quiet', join(folder, 'repository.git'), 'main')
      return git('rev-parse', 'HEAD')
    }
    const commit = (files: Readonly<Record<string, string>>) => {
      writeTree(clone, files)
      git('add', '--all')
      git('commit', '--quiet', '--message', 'Add objects')
      return push()
    }
    const install = (reference: string) =>
      runCli(
        ...['package', 'install', `registry.example.org/example/${reference}`, '--git', clone, '--yes'],
        ...['--path', 'cluster/crossplane', '--layout', 'flux', '--core-version', 'v2.3.4'],
        ...['--packages', './examples/xpkg/packages'],
      )

    beforeAll(async () => {
      server = await serveGit(folder)
      mkdirSync(clone)
      git('init', '--quiet', '--bare', '--initial-branch=main', join(folder, 'repository.git'))
      git('init', '--quiet', '--initial-branch=main')
      git('config', 'user.name', 'suite')
      git('config', 'user.email', 'suite@example.org')
      const url = `${server.url}/repository.git`
      reconciler = await flux.start(cluster(), url, {read: () => '', has: () => false})
      await createAll(cluster().kube, [
        {
          apiVersion: 'source.toolkit.fluxcd.io/v1',
          kind: 'GitRepository',
          metadata: {name: 'flux-system', namespace: 'flux-system'},
          spec: {interval: '1m', ref: {branch: 'main'}, url},
        },
      ])
    })
    afterAll(async () => {
      await reconciler.stop()
      await server.close()
    })

    it('stops Flux, which deletes nothing, until a kustomization.yaml lists the other files', async () => {
      const first = commit(FILES)
      await reconciler.startFolder('cluster', true)
      await reconciler.reconciled(first)
      const {status, stderr} = await install('provider-sql:v1.2.0')
      expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('[home-in-bootstrap]')})
      push()
      await reconciler.failed('only-cluster', 'crossplane-packages.yaml')
      expect((await cluster().kube.get(OBJECT)).code).toBe(200)
      await reconciler.reconciled(commit({'cluster/kustomization.yaml': LISTED}))
      expect((await cluster().kube.get(OBJECT)).code).toBe(200)
    }, 300_000)
  })
})
