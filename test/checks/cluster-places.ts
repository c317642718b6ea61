import {mkdirSync, mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import type {TestCluster} from '../cluster/api-server.js'
import {runIn} from '../commands/cluster/installing.js'
import type {CliResult} from '../run-cli.js'
import {writeTree} from '../temporary-folder.js'
import {API, type Fixture} from './places.js'
import {type Authored, packageFiles, reference} from './worlds.js'

/** A custom resource of the CRD that most fixtures have. */
const GATE = {apiVersion: 'example.org/v1', kind: 'Gate', metadata: {name: 'mine'}}
const BASE = ['--base', '--create-namespace']

/**
 * Tries a fixture with packages of v0.12 where they are installed, with a custom resource of what was in use before;
 * returns the result of the command that failed, or else of the last one.
 */
export async function tryInCluster(
  place: 'install' | 'upgrade',
  {before, after, policy, requested}: Fixture,
  {cluster, root}: {readonly cluster: TestCluster; readonly root: string},
): Promise<CliResult> {
  const folder = mkdtempSync(join(root, 'cluster-'))
  const packages = join(folder, 'packages')
  mkdirSync(packages)
  const each = async (verb: 'install' | 'upgrade', names: readonly string[], ...flags: readonly string[]) => {
    let last: CliResult | undefined
    for (const name of names) {
      const own = ['--packages', packages, '--offline', '--no-wait', '--yes', ...flags]
      last = await runIn(cluster, 'package', verb, name, ...own, ...(verb === 'install' ? BASE : []))
      if (last.status !== 0) break
    }
    if (last === undefined) throw new Error('a fixture has packages')
    return last
  }
  const former = before ?? (place === 'upgrade' ? after.map(one => harmless(one)) : [])
  if (former.length > 0) {
    writeTree(packages, packageFiles('stack', former))
    const {status, stderr} = await each('install', requested ?? tagged(former))
    if (status !== 0) throw new Error(`the world cannot be made: ${stderr}`)
  }
  if (before !== undefined) await cluster.kube.create(GATE)
  writeTree(packages, packageFiles('stack', after))
  writeTree(folder, {'policy.yaml': writeYaml([{apiVersion: API, kind: 'Policy', ...policy}])})
  const judged = policy === undefined ? [] : ['--policy', join(folder, 'policy.yaml')]
  return await each(place, requested ?? tagged(after), ...judged)
}

/** Removes what a fixture has installed. */
export async function cleared(cluster: TestCluster, {before = [], after}: Fixture): Promise<void> {
  await cluster.kube.delete(GATE)
  for (const name of new Set([...before, ...after].map(one => one.name))) {
    const flags = ['--yes', '--ignore-not-found']
    await runIn(cluster, 'package', 'uninstall', `crossplane-system/example-${name}`, ...flags)
  }
}

/** A version before a faulty one. */
function harmless({name}: Authored): Authored {
  return {name, tag: 'v0.9.0'}
}

function tagged(packages: readonly Authored[]): readonly string[] {
  return [...new Set(packages.map(({name, tag}) => reference(name, tag)))]
}
