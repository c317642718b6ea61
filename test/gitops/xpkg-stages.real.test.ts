import {execFileSync} from 'node:child_process'
import {copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {asObject, asText, type JsonObject} from '../../src/yaml/json-value.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {missingPrograms} from '../cluster/find-server.js'
import {accepted, until} from '../cluster/kube.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import type {Reconciler} from './describe-reconciled.js'
import {bootstrap} from './adopted-repository.js'
import {argocd} from './argocd.js'
import {flux} from './flux.js'
import {type GitServer, serveGit} from './git-server.js'
import {addHealthChecks, createAll} from './programs.js'

const KINDS = ['Provider', 'Function', 'Configuration']
const API = '/apis/pkg.crossplane.io/v1'

const LOCK_API = '/apis/pkg.crossplane.io/v1beta1/locks'
/** As Crossplane creates it: the API server does not track who sets the fields of an object that was created without any. */
const LOCK = {apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: {name: 'lock'}}
const ENTRIES = [{name: 'sql-1', kind: 'Provider', source: 'registry.example.org/sql', version: 'v1.5.0'}]

/** A set without the resolver: its tree waits for the Lock, since Crossplane would derive another name. */
const WITHOUT_RESOLVER = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
xpkg: {pin: config, resolver: 'off'}
packages:
  - {package: 'registry.example.org/example/provider-sql:v1.5.0', name: sql}
`

/** The part of a CRD of Crossplane that a controller sees. */
function crdOf(kind: string, version = 'v1'): JsonObject {
  const plural = `${kind.toLowerCase()}s`
  const schema = {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}}
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.pkg.crossplane.io`},
    spec: {
      group: 'pkg.crossplane.io',
      scope: 'Cluster',
      names: {kind, plural},
      versions: [{name: version, served: true, storage: true, schema, subresources: {status: {}}}],
    },
  }
}

describe.each([flux, argocd])('$name', kind => {
  const missing = missingPrograms(kind.servers) ?? missingTool('git', ...kind.tools)
  describeReal('with stages of packages', missing, () => {
    describeCluster('current', 'without Crossplane, which the suite stands in for', cluster => {
      const folder = temporaryFolder()
      const clone = join(folder, 'clone')
      let server: GitServer
      let reconciler: Reconciler
      /** The commit. */
      let guarded = ''

      const git = (...args: readonly string[]) => {
        const env = {PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1'}
        return execFileSync('git', args, {cwd: clone, env, encoding: 'utf8'}).trim()
      }
      const codeOf = async (path: string) => (await cluster().kube.send('GET', `${API}/${path}`)).code
      const exists = async (path: string) => {
        await until(
          () => codeOf(path),
          code => code === 200,
          120,
        )
      }
      /** Sets the status of a package as Crossplane does. */
      const report = async (
        path: string,
        healthy: 'True' | 'False',
        observedGeneration: number,
        message = 'it is waiting',
      ) => {
        const {spec} = (await cluster().kube.send('GET', `${API}/${path}`)).body
        const condition = (type: string, status: string) => ({type, status, observedGeneration})
        const conditions = [condition('Installed', 'True'), {...condition('Healthy', healthy), message}]
        const body = {status: {currentIdentifier: asText(asObject(spec).package), conditions}}
        accepted(
          await cluster().kube.send('PATCH', `${API}/${path}/status`, body, 'application/merge-patch+json'),
        )
      }

      beforeAll(async () => {
        server = await serveGit(folder)
        const url = `${server.url}/repository.git`
        const bare = join(folder, 'repository.git')
        mkdirSync(clone)
        git('init', '--quiet', '--bare', '--initial-branch=main', bare)
        git('init', '--quiet', '--initial-branch=main')
        const render = async (...words: readonly string[]) => {
          const flags = ['--packages', './examples/xpkg/packages', ...kind.flags(url)]
          const {status, stderr} = await runCli('package', 'render', ...words, ...flags)
          if (status !== 0) throw new Error(stderr)
        }
        await render(
          ...['./examples/xpkg/configuration-database', '--pin', 'tag'],
          ...['--as-package', 'registry.example.org/example/configuration-database:v0.1.0'],
          ...['--output-dir', join(clone, 'packages')],
        )
        writeFileSync(join(folder, 'crossplane-packages.yaml'), WITHOUT_RESOLVER)
        const tree = join(folder, 'tree')
        await render('--declaration', join(folder, 'crossplane-packages.yaml'), '--output-dir', tree)
        mkdirSync(join(clone, 'guard'))
        const stage = kind.layout === 'flux' ? 'config' : 'xpkgs'
        copyFileSync(join(tree, stage, 'lock-lock.yaml'), join(clone, 'guard/lock.yaml'))
        git('add', '--all')
        git(
          ...['-c', 'user.name=suite', '-c', 'user.email=suite@example.org'],
          'commit',
          '--quiet',
          '-m',
          'Add packages',
        )
        guarded = git('rev-parse', 'HEAD')
        git('push', '--quiet', bare, 'main')
        await createAll(cluster().kube, [...KINDS.map(kind => crdOf(kind)), crdOf('Lock', 'v1beta1')])
        const read = (path: string) => readFileSync(join(clone, path), 'utf8')
        const has = (path: string) => existsSync(join(clone, path))
        reconciler = await kind.start(cluster(), url, {read, has})
        await bootstrap(cluster(), kind, url)
        await addHealthChecks(cluster().kube, {read, has})
      })
      afterAll(async () => {
        await reconciler.stop()
        await server.close()
      })

      it('leave the entries of the Lock to Crossplane', async () => {
        const {kube} = cluster()
        await createAll(kube, [LOCK])
        const lock = async () => (await kube.send('GET', `${LOCK_API}/lock`)).body
        accepted(await kube.send('PUT', `${LOCK_API}/lock`, {...(await lock()), packages: ENTRIES}))
        expect(asObject((await lock()).metadata).managedFields).toBeUndefined()
        await reconciler.startFolder('guard')
        await until(lock, ({metadata}) => asObject(metadata).annotations !== undefined, 120)
        // Flux took what the first time left without a manager for its own, and removed it.
        for (let time = 0; time < 2; time += 1) {
          await reconciler.reconciled(guarded)
          expect((await lock()).packages).toEqual(ENTRIES)
        }
        await reconciler.stopFolder('guard')
      })

      it('begin when all packages of the stage before are installed and healthy', async () => {
        await reconciler.startTree('packages')
        await exists('providers/example-provider-family')
        await exists('functions/example-function-template')
        expect(await codeOf('providers/example-provider-sql')).toBe(404)
        await report('providers/example-provider-family', 'True', 1)
        // Conditions of an earlier generation are not those of the package that is requested now.
        await report('functions/example-function-template', 'True', 0)
        await new Promise(resolve => setTimeout(resolve, 8000))
        expect(await codeOf('providers/example-provider-sql')).toBe(404)
        await report('functions/example-function-template', 'True', 1)
        await exists('providers/example-provider-sql')
        await exists('configurations/example-configuration-network')
        await report('configurations/example-configuration-network', 'True', 1)
        // Argo CD ends its sync with this failure, and tries it again.
        await report('providers/example-provider-sql', 'False', 1, 'linting package contents failed: no CRD')
        await new Promise(resolve => setTimeout(resolve, 8000))
        expect(await codeOf('configurations/example-configuration-database')).toBe(404)
        await report('providers/example-provider-sql', 'True', 1)
        await exists('configurations/example-configuration-database')
      })
    })
  })
})
