import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {bundledProgram, givenProgram} from '../built-program.js'
import {missingPrograms} from '../cluster/find-server.js'
import {until} from '../cluster/kube.js'
import {crossplane} from '../cluster/servers.js'
import {missingTool} from '../missing-tool.js'
import {asFormerTree, listOf} from '../plan/folder/former-trees.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder} from '../temporary-folder.js'
import {closedWorld} from '../xpkg/core/closed-world.js'
import {asObjects, type JsonObject} from '../../src/yaml/json-value.js'
import {describeCore, removed, TIMEOUT} from '../xpkg/core/describe-core.js'
import {publish} from '../xpkg/core/published-packages.js'
import {
  type AdoptedRepository,
  adoptedRepository,
  bootstrap,
  createInstances,
  printedSteps,
  requestText,
  uidsOf,
} from './adopted-repository.js'
import {argocd} from './argocd.js'
import type {Reconciler} from './describe-reconciled.js'
import {flux} from './flux.js'
import {ALONE, FAMILY, MovedInGit, movingPackages} from './moved-in-git.js'

const KINDS = [flux, argocd]
const missing =
  missingPrograms(KINDS.flatMap(({servers}) => servers)) ??
  missingTool('git', 'kubectl', ...KINDS.flatMap(({tools}) => tools))
const LOCK = '/apis/pkg.crossplane.io/v1beta1/locks/lock'
const CORE = `--core-version v${crossplane.version}`

/** Removes a tree from the clone; returns its files as an earlier release would have written them. */
async function formerFiles(
  repository: AdoptedRepository,
  tree: string,
): Promise<Readonly<Record<string, string>>> {
  const {stdout} = await repository.shell(`find ${tree} -type f ! -path '*/.kubectl-crossplane/files.sha256'`)
  const paths = stdout.trim().split('\n')
  const texts = paths.map(path => [path.slice(tree.length + 1), repository.files.read(path)] as const)
  const former = asFormerTree(new Map(texts), tree)
  await repository.paste(`rm -r ${tree}`)
  return Object.fromEntries(
    [...former, ['.kubectl-crossplane/files.sha256', listOf(former)] as const].map(([path, text]) => [
      `${tree}/${path}`,
      text,
    ]),
  )
}

/** The lines of a table of kubectl, without heads. */
function tableRows(text: string): readonly string[] {
  return text.split('\n').filter(line => line.trim() !== '' && !line.startsWith('KIND '))
}

describeReal('a cluster that Git takes over', missing, () => {
  describeCore(
    'with Crossplane',
    core => {
      const temporary = temporaryFolder()
      const at = (name: string, tag: string) => `${core().host}/world/${name}:${tag}`
      /** The requests when all are healthy. */
      const healthy = async (count: number) => {
        const {healthy: lines, others} = await core().settled(
          state => state.others.length === 0 && state.healthy.length === count,
        )
        expect(others).toEqual([])
        return lines.map(line => line.replace(/ \S+\/([a-z]+:)/, ' $1'))
      }

      beforeAll(async () => {
        await publish(temporary, closedWorld(`${core().host}/world`))
        await publish(temporary, movingPackages(core().host))
        if (givenProgram() === undefined) bundledProgram()
        // A build takes long enough for the API server to close connections.
        core().cluster.kube.close()
      }, TIMEOUT)

      describe.each(KINDS)('by $name', kind => {
        let repository: AdoptedRepository
        let reconciler: Reconciler
        /** The entries of the Lock before Git takes over. */
        let entries: readonly JsonObject[] = []

        beforeAll(async () => {
          const {cluster} = core()
          repository = await adoptedRepository(mkdtempSync(join(temporary, 'home-')), cluster.kubeconfig)
          const {url, files} = repository
          reconciler = await kind.start(cluster, url, files)
          await bootstrap(cluster, kind, url)
        }, TIMEOUT)
        afterAll(async () => {
          await reconciler.stop()
          await repository.close()
          await removed(core().cluster)
        }, TIMEOUT)

        it(
          'shows no difference right after the import of packages that nothing requires',
          async () => {
            repository.commit({
              'apps/base.yaml': requestText('Provider', 'my-base', at('base', 'v1.0.0')),
              'apps/template.yaml': requestText('Function', 'my-template', at('template', 'v0.1.0')),
              'apps/other.yaml': JSON.stringify({
                apiVersion: 'v1',
                kind: 'ConfigMap',
                metadata: {name: 'other', namespace: 'default'},
              }),
            })
            await reconciler.startFolder('apps', true)
            await healthy(2)
            const [where, file] = ['../first', '--declaration ../first/crossplane-packages.yaml']
            await repository.paste(`mkdir ${where}`)
            const printed = await repository.paste(`kubectl crossplane package import ${file} ${CORE}`)
            expect(printed).not.toContain('Warning')
            const drift = await repository.paste(`kubectl crossplane package drift ${file}`)
            expect(drift).toMatch(/^lock and cluster: 0 objects differ, \d+ are the same$/m)
            const render = `kubectl crossplane package render ${file} --output-dir ${where}/packages`
            expect(await repository.paste(`${render} && kubectl crossplane package check ${file}`)).toMatch(
              /packages: \d+ unchanged$/m,
            )
          },
          TIMEOUT,
        )

        it(
          'loses no object with the printed steps, also if they end after each',
          async () => {
            const {cluster} = core()
            const net = requestText('Provider', 'my-net', at('net', 'v1.0.0'))
            await reconciler.reconciled(repository.commit({'apps/net.yaml': net}))
            const lines = await healthy(3)
            await createInstances(cluster)
            const before = await uidsOf(cluster)
            expect(before).toHaveLength(7)
            entries = asObjects((await cluster.kube.send('GET', LOCK)).body.packages)
            const {stderr} = await repository.shell(
              `kubectl crossplane package import --objects apps ${CORE} ${kind.flags(repository.url).join(' ')}`,
            )
            const steps = printedSteps(stderr)
            expect(steps).toHaveLength(3)
            const protection = kind.layout === 'flux' ? /\bdisabled\b/ : /\bPrune=false,Delete=false\b/
            for (const [step, {commands, checks}] of steps.entries()) {
              await repository.paste(commands)
              // Two Applications that share objects do not settle, but Argo CD compares them every ten seconds.
              if (kind.layout === 'flux') await reconciler.reconciled(repository.head())
              // The former files and the tree are applied in turn until the last step, so that settings can differ.
              const isLast = steps.at(-1)?.checks === checks
              const shown = await until(
                () => repository.shell(checks),
                ({status, stdout}) =>
                  (step > 0 || tableRows(stdout).every(row => protection.test(row))) &&
                  !stdout.includes('not in the cluster') &&
                  (status === 0 || !isLast),
                120,
              )
              expect(shown).toMatchObject({status: isLast ? 0 : expect.anything()})
              expect(await uidsOf(cluster)).toEqual(before)
            }
            await reconciler.stopFolder('apps')
            await reconciler.reconciled(repository.head())
            expect(await uidsOf(cluster)).toEqual(before)
            expect(await healthy(3)).toEqual(lines)
            expect(await repository.paste('kubectl crossplane package check --git .')).toMatch(
              /: \d+ unchanged/,
            )
          },
          2 * TIMEOUT,
        )

        it(
          'upgrades packages once the Lock has none that requires them, and not before',
          async () => {
            const {cluster} = core()
            const before = await uidsOf(cluster)
            const lock = async () => (await core().state()).lock.map(line => line.split(' ').at(-1) ?? '')
            // While both controllers applied the requests, the core may have taken its entries out, as a change of the resolver does.
            if ((await lock()).length === 0)
              await cluster.kube.send('PUT', LOCK, {
                ...(await cluster.kube.send('GET', LOCK)).body,
                packages: entries,
              })
            expect(await lock()).toContainEqual(expect.stringContaining('my-net'))
            const upgrade = (...flags: readonly string[]) =>
              repository.shell(
                `kubectl crossplane package upgrade ${at('base', 'v1.1.0')} --git . --push --yes ${flags.join(' ')}`,
              )
            const refused = await upgrade('--context test')
            expect(refused).toMatchObject({
              status: 5,
              stderr: expect.stringContaining('Try: kubectl crossplane package upgrade --resolver=off'),
            })
            // A commit that has not seen the cluster waits in the tree.
            expect(await upgrade()).toMatchObject({status: 0, stderr: expect.stringContaining('--context')})
            await until(
              async () => (await cluster.kube.send('GET', LOCK)).body.metadata,
              metadata => JSON.stringify(metadata).includes('base@v1.1.0'),
              120,
            )
            await sleep(10_000)
            const old = [
              'Function my-template template:v0.1.0',
              'Provider my-base base:v1.0.0',
              'Provider my-net net:v1.0.0',
            ]
            expect(await healthy(3)).toEqual(old)

            await repository.paste(
              `kubectl crossplane package upgrade --resolver=off --context test --yes ${CORE}`,
            )
            expect(await lock()).not.toContainEqual(expect.stringContaining('my-net'))
            await reconciler.reconciled(repository.head())
            expect(await healthy(3)).toEqual(old.map(line => line.replace('base:v1.0.0', 'base:v1.1.0')))
            const net = `kubectl crossplane package upgrade ${at('net', 'v1.1.0')} --git . --push --yes --context test`
            await repository.paste(net)
            await reconciler.reconciled(repository.head())
            expect(await healthy(3)).toContain('Provider my-net net:v1.1.0')
            expect(await uidsOf(cluster)).toEqual(before)
          },
          2 * TIMEOUT,
        )

        it(
          'moves the files of a tree of an earlier release, and deletes nothing',
          async () => {
            const {cluster} = core()
            const [before, lines] = [await uidsOf(cluster), await healthy(3)]
            // The tree for Flux has stages in place of the folder that moves: a Kustomization of one's own applies a plain one.
            const tree = kind.layout === 'argocd' ? 'packages' : 'plain'
            const file = '--declaration plain.yaml'
            if (tree === 'plain')
              await repository.paste(`kubectl crossplane package import ${file} ${CORE}
                echo 'output: plain' >> plain.yaml
                kubectl crossplane package render ${file} --output-dir plain`)
            repository.commit(await formerFiles(repository, tree))
            if (tree === 'plain') await reconciler.startFolder('plain', true)
            await reconciler.reconciled(repository.head())
            expect(await uidsOf(cluster)).toEqual(before)

            const moved = tree === 'plain' ? `${file} --yes` : '--git . --push --yes'
            await repository.paste(`kubectl crossplane package upgrade --move-files ${moved}`)
            if (tree === 'plain') repository.commit({})
            expect(repository.files.has(`${tree}/packages`)).toBe(false)
            expect(repository.files.has(`${tree}/xpkgs`)).toBe(true)
            await reconciler.reconciled(repository.head())
            await sleep(10_000)
            expect(await uidsOf(cluster)).toEqual(before)
            expect(await healthy(3)).toEqual(lines)
          },
          2 * TIMEOUT,
        )

        it(
          'moves a family by two commits, in both orders of syncing, goes on from a killed move, and takes one back',
          async () => {
            const moved = new MovedInGit(core(), kind, repository)
            await moved.begin()
            const away = {from: 'market', to: 'community'}
            const home = {from: 'community', to: 'market'}
            await moved.move({what: FAMILY, ...away}, 'the former request')
            await moved.move({what: FAMILY, ...home}, 'the new request', 0)
            await moved.moveBack({what: ALONE, ...away}, 2)
          },
          4 * TIMEOUT,
        )
      })
    },
    {keepsPackages: true},
  )
})
