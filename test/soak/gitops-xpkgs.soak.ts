import {execFileSync} from 'node:child_process'
import {cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import {beforeAll, expect, it} from '@jest/globals'
import {asObject, asObjects, asText} from '../../src/yaml/json-value.js'
import {missingPrograms} from '../cluster/find-server.js'
import {runIn} from '../commands/cluster/installing.js'
import {accepted, type Kube, until} from '../cluster/kube.js'
import {CORPUS_ROOT, describeCorpus} from '../corpus.js'
import {argocd} from '../gitops/argocd.js'
import type {Reconciler} from '../gitops/describe-reconciled.js'
import {flux} from '../gitops/flux.js'
import {serveGit} from '../gitops/git-server.js'
import {addHealthChecks, createAll} from '../gitops/programs.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder} from '../temporary-folder.js'
import {describeCore, TIMEOUT} from '../xpkg/core/describe-core.js'
import {succeed} from '../xpkg/core/package-commands.js'
import {crossplane} from '../cluster/servers.js'

/** Without `npm run soak`, test/gitops/xpkg-adoption.real.test.ts has the packages of tests under both. */
const KINDS = process.env.SOAK_MINUTES === undefined ? [argocd] : [flux, argocd]
const missing =
  missingPrograms(KINDS.flatMap(({servers}) => servers)) ??
  missingTool('git', ...KINDS.flatMap(({tools}) => tools))

const ORIGINAL = 'xpkg.upbound.io'
const NETWORK = `${ORIGINAL}/upbound/configuration-aws-network`
const HELM = `${ORIGINAL}/upbound/provider-helm:v0.20.4`

/** What is published: a tag that the corpus lacks has the content of one that it has. */
const PUBLISHED = [
  ['upbound', 'configuration-aws-network@v0.22.0'],
  ['upbound', 'configuration-aws-network@v0.23.0'],
  ['upbound', 'provider-aws-ec2@v1.23.0'],
  ['upbound', 'provider-family-aws@v1.23.0'],
  ['upbound', 'provider-family-aws@v2.6.0'],
  ['upbound', 'provider-helm@v0.20.4'],
  ['crossplane-contrib', 'function-auto-ready@v0.4.2'],
  ['crossplane-contrib', 'function-auto-ready@v0.4.2', 'v0.4.0'],
  ['crossplane-contrib', 'function-go-templating@v0.9.2'],
  ['crossplane-contrib', 'function-go-templating@v0.9.2', 'v0.9.0'],
  ['crossplane-contrib', 'function-kcl@v0.11.2'],
  ['crossplane-contrib', 'function-kcl@v0.11.2', 'v0.11.0'],
] as const

const VPC = {
  apiVersion: 'ec2.aws.upbound.io/v1beta1',
  kind: 'VPC',
  metadata: {name: 'mine'},
  spec: {forProvider: {region: 'eu-west-1', cidrBlock: '10.0.0.0/16'}},
}
const VPC_PATH = '/apis/ec2.aws.upbound.io/v1beta1/vpcs/mine'

describeCorpus('real packages in Git', () => {
  describeReal('reconciled', missing, () => {
    describeCore('with Crossplane', core => {
      const temporary = temporaryFolder()

      beforeAll(async () => {
        for (const [owner, name, otherTag] of PUBLISHED) {
          const [path = '', tag = ''] = name.split('@')
          const folder = mkdtempSync(join(temporary, 'package-'))
          const isOurs = (file: string) => basename(file) !== 'auth.yaml'
          cpSync(join(CORPUS_ROOT, 'corpus-xpkg', name), folder, {recursive: true, filter: isOurs})
          await succeed('push', `${core().host}/${owner}/${path}:${otherTag ?? tag}`, folder)
        }
      }, TIMEOUT)

      it.each(KINDS)(
        '$name installs them, upgrades them with custom resources, and leaves their removal to the listed commands',
        async kind => {
          const folder = mkdtempSync(join(temporary, `${kind.layout}-`))
          const server = await serveGit(folder)
          const url = `${server.url}/repository.git`
          const home = newHome(folder, core().host)
          let reconciler: Reconciler | undefined
          const isHealthy = async (...references: readonly string[]) => {
            const state = await core().settled(
              ({others, healthy}) =>
                others.length === 0 &&
                references.every(one => healthy.some(line => line.endsWith(` ${one}`))),
            )
            expect(state).toMatchObject({others: []})
            return state.healthy.length
          }
          const uid = async () =>
            asText(asObject((await core().cluster.kube.send('GET', VPC_PATH)).body.metadata).uid)
          try {
            const first = await home.git('install', `${NETWORK}:v0.22.0`, ...kind.flags(url))
            const repository = {
              read: (path: string) => readFileSync(home.at(path), 'utf8'),
              has: (path: string) => existsSync(home.at(path)),
            }
            reconciler = await kind.start(core().cluster, url, repository)
            await addHealthChecks(core().cluster.kube, repository)
            await reconciler.startTree('packages')
            await reconciler.settled(first)
            const count = await isHealthy(HELM, `${NETWORK}:v0.22.0`)
            expect(count).toBe(7)
            await createAll(core().cluster.kube, [VPC])
            const before = await uid()

            await reconciler.reconciled(await home.git('upgrade', `${NETWORK}:v0.23.0`))
            expect(await isHealthy(HELM, `${NETWORK}:v0.23.0`)).toBe(count)
            expect(await uid()).toBe(before)

            accepted(await core().cluster.kube.send('DELETE', VPC_PATH))
            const removal = await home.git(
              'uninstall',
              'upbound-configuration-aws-network',
              '--assume-no-instances',
            )
            await reconciler.reconciled(removal)
            // Crossplane keeps them until a user runs the commands that the message of the commit lists.
            expect(await isHealthy(HELM, `${NETWORK}:v0.23.0`)).toBe(count)

            const kept = await contentOf(core().cluster.kube)
            const helm = kept.definitions.filter(line => line.includes('.helm.crossplane.io '))
            expect(helm).not.toEqual([])
            for (const words of uninstalls(home.message())) {
              const {status, stderr} = await runIn(core().cluster, ...words, '--yes')
              expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
            }
            // Twice, with a reconciliation between: neither Crossplane nor the controller makes one again.
            for (let round = 0; round < 2; round++) {
              const left = await until(
                () => contentOf(core().cluster.kube),
                ({requests, revisions, lock, definitions}) =>
                  [requests, revisions, lock].every(lines => lines.length === 1) &&
                  definitions.length === helm.length,
                150,
              ).catch(() => contentOf(core().cluster.kube))
              expect(left).toMatchObject({
                requests: [expect.stringContaining('provider-helm')],
                revisions: [expect.stringContaining('provider-helm')],
                lock: [expect.stringContaining('provider-helm')],
                definitions: helm,
                // They stay until a user deletes them, as docs/xpkg.md says.
                pins: kept.pins,
              })
              expect(await isHealthy(HELM)).toBe(1)
              await reconciler.reconciled(removal)
            }
          } finally {
            await reconciler?.stop()
            await server.close()
          }
        },
        5 * TIMEOUT,
      )
    })
  })
})

/** The commands that the message of a commit lists, in their order. */
function uninstalls(message: string): readonly (readonly string[])[] {
  const commands = [...message.matchAll(/^\d+\. kubectl crossplane (package uninstall .+)$/gm)]
  expect(commands).toHaveLength(6)
  return commands.map(([, words = '']) => words.split(' '))
}

/** What a cluster has of packages: the names of their objects, and CRDs with their UIDs. */
async function contentOf(kube: Kube) {
  const list = async (path: string) =>
    asObjects(accepted(await kube.send('GET', path)).items).map(({metadata}) => asObject(metadata))
  const names = async (path: string) => (await list(path)).map(({name}) => asText(name))
  const group = '/apis/pkg.crossplane.io/v1'
  const kinds = ['provider', 'function', 'configuration']
  const requests: string[] = []
  const revisions: string[] = []
  for (const kind of kinds) {
    requests.push(...(await names(`${group}/${kind}s`)))
    revisions.push(...(await names(`${group}/${kind}revisions`)))
  }
  const lock = accepted(await kube.send('GET', `${group}beta1/locks/lock`))
  const definitions = await list('/apis/apiextensions.k8s.io/v1/customresourcedefinitions')
  return {
    requests,
    revisions,
    lock: asObjects(lock.packages).map(({source}) => asText(source)),
    pins: await names(`${group}beta1/imageconfigs`),
    definitions: definitions
      .filter(({ownerReferences}) =>
        asObjects(ownerReferences).some(({kind}) => asText(kind).endsWith('Revision')),
      )
      .map(({name, uid}) => `${asText(name)} ${asText(uid)}`)
      .sort(),
  }
}

/** A clone of a repository with a declaration whose packages come from a registry, as a mirror. */
function newHome(folder: string, host: string) {
  const root = join(folder, 'clone')
  mkdirSync(root)
  const inClone = (...args: readonly string[]) => {
    const env = {PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1'}
    return execFileSync('git', args, {cwd: root, env, encoding: 'utf8'}).trim()
  }
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', join(folder, 'repository.git')])
  inClone('init', '--quiet', '--initial-branch=main')
  inClone('config', 'user.name', 'suite')
  inClone('config', 'user.email', 'suite@example.org')
  inClone('remote', 'add', 'origin', join(folder, 'repository.git'))
  writeFileSync(
    join(root, 'crossplane-packages.yaml'),
    `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
coreVersion: v${crossplane.version}
registries:
  ${ORIGINAL}: ${host}
xpkg:
  mirrors: true
packages:
- package: ${HELM}
`,
  )
  inClone('add', '--all')
  inClone('commit', '--quiet', '--message=Declare packages')
  inClone('push', '--quiet', '--set-upstream', 'origin', 'main')
  return {
    at: (path: string) => join(root, path),
    /** The message of the last commit. */
    message: () => inClone('log', '-1', '--format=%B'),
    /** Commits and pushes a change of the packages; returns the commit. */
    async git(verb: string, ...args: readonly string[]) {
      await succeed(verb, ...args, '--git', root, '--push', '--yes')
      return inClone('rev-parse', 'HEAD')
    },
  }
}
