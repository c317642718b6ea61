import {expect} from '@jest/globals'
import {dirname} from 'node:path'
import type {TestCluster} from '../cluster/api-server.js'
import {runIn} from '../commands/cluster/installing.js'
import {owner} from '../commands/locked-world.js'
import type {CommittedHome} from './committed-home.js'

const FILE = 'installs/crossplane-system.x-drifting/deployment-x-drifting-controller.yaml'
/** A folder beside those of homes, which a controller applies as well. */
const FOREIGN = 'foreign'
const FOREIGN_FILE = `${FOREIGN}/deployment.yaml`

/** A package with a controller. */
export const DRIFTING: Readonly<Record<string, string>> = {
  ...owner('v1.0.0', 'drifting', 'v1'),
  'x/drifting@v1.0.0/.registry/install.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: controller}
spec:
  replicas: 1
  selector: {matchLabels: {app: drifting}}
  template:
    metadata: {labels: {app: drifting}}
    spec: {containers: [{name: controller, image: "registry.k8s.io/pause:3.9"}]}
`,
}

/** A home that no controller reconciles, and a controller that applies another folder. */
interface DriftedHome {
  readonly cluster: TestCluster
  readonly home: CommittedHome
  readonly reconciler: {
    /** The name by which it changes objects. */
    readonly manager: string
    startFolder(folder: string): Promise<void>
    stopFolder(folder: string): Promise<void>
    reconciled(commit: string): Promise<void>
  }
}

interface Report {
  readonly objects: readonly {
    readonly kind: string
    readonly differences: readonly {
      readonly field: string
      readonly differs: readonly string[]
      readonly managers: readonly {readonly manager: string; readonly time: string}[]
    }[]
  }[]
}

/** Expects that what a controller reconciles is not reported, read from its repository by the URL. */
export async function expectNoDrift({cluster, home}: DriftedHome, path: string): Promise<void> {
  const place = ['--git', home.url, '--path', path, '--context', 'test']
  expect(await runIn(cluster, 'package', 'drift', ...place)).toMatchObject({status: 0, stdout: ''})
}

/**
 * Installs a package, makes a controller apply its Deployment from another folder with other content, and expects that
 * this and nothing else is named, with the controller and the time, on any sides. Removes the package again.
 */
export async function expectInjectedDrift(place: DriftedHome): Promise<void> {
  const {
    cluster,
    home,
    reconciler: {manager, ...reconciler},
  } = place
  const lock = ['--declaration', home.declaration, '--packages', home.packages]
  const tree = ['--git', home.url, '--path', dirname(home.tree)]
  const inCluster = ['--context', 'test']
  const run = async (...args: readonly string[]) => await runIn(cluster, 'package', ...args)
  expect(await home.run('install', 'x/drifting:v1.0.0')).toMatchObject({status: 0})
  home.push()
  expect(await run('install', ...lock, '--locked', '--yes', '--no-wait')).toMatchObject({status: 0})
  const sides = [
    [...lock, ...tree, ...inCluster],
    [...lock, ...inCluster],
    [...tree, ...inCluster],
    [...lock, ...tree],
  ]
  for (const each of sides) expect(await run('drift', ...each)).toMatchObject({status: 0, stdout: ''})

  home.write(FOREIGN_FILE, changed(home.read(`${home.tree}/${FILE}`)))
  const before = secondsNow()
  await reconciler.startFolder(FOREIGN)
  await reconciler.reconciled(home.push())

  for (const [index, each] of sides.entries()) {
    const {status, stdout} = await run('drift', ...each, '-o', 'json')
    const isOfCluster = index < 3
    expect([status, namedIn(JSON.parse(stdout) as Report, before)]).toEqual(
      isOfCluster ? [1, WANT.map(field => `Deployment ${field} by ${manager}`)] : [0, []],
    )
  }
  await reconciler.stopFolder(FOREIGN)
  expect(await run('uninstall', 'crossplane-system/x-drifting', '--yes')).toMatchObject({status: 0})
}

/** The Deployment with another image, and a field that nothing wants. */
function changed(deployment: string): string {
  const text = deployment
    .replace('pause:3.9', 'pause:3.10')
    .replace(/( *)(- |)image:/, '$1$2tty: true\n$1  image:')
  expect(text).toContain('tty: true')
  return text
}

const WANT = ['image', 'tty'].map(field => `spec.template.spec.containers[name=controller].${field}`)

function secondsNow(): string {
  return new Date().toISOString().replace(/\.\d+/, '')
}

/** What a report names in the cluster; managers without those that changed something before. */
function namedIn({objects}: Report, since: string): readonly string[] {
  return objects.flatMap(({kind, differences}) =>
    differences
      .map(({field, differs, managers}) => {
        expect(differs).toContain('cluster')
        const by = managers.filter(({time}) => time >= since).map(({manager}) => manager)
        return `${kind} ${field} by ${by.join(', ')}`
      })
      .sort(),
  )
}
