import {afterAll, beforeAll, expect, it, jest} from '@jest/globals'
import {mkdtempSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, type JsonObject, readYaml} from 'kubectl-crossplane/plugin'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {accepted, type Kube} from '../../../test/cluster/kube.js'
import {corpusEntries, corpusText, describeCorpus} from '../../../test/corpus.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'
import {CASES} from './recordings/cases.js'
import {type Fact, unexpected} from './recordings/facts.js'
import {labOf} from './recordings/lab.js'
import {LAST_CASES} from './recordings/other-cases.js'
import {writeRecordedPackages, writeTemplatePackage} from './recordings/recorded-packages.js'
import type {RecordedCase} from './recordings/request-cases.js'
import {managerSuite, SYSTEM} from './run/manager-suite.js'
import {applyBase, managedCluster, type RealManager, startManager} from './run/real-manager.js'
import {writeSamples} from './run/sample-packages.js'

jest.setTimeout(900_000)

const RECORDINGS = ['reference', 'package-manager'] as const
const ALL = [...CASES, ...LAST_CASES]
/** The manager has four workers: more cases at once only wait for each other. */
const AT_ONCE = 4
const packages = mkdtempSync(join(temporaryFolder(), 'packages-'))

function recording(file: string): JsonObject {
  const [document] = readYaml(Buffer.from(corpusText(...RECORDINGS, `${file}.yaml`)), file)
  return asObject(document?.value)
}

/** Plays the controller that aggregates roles: the manager may see the custom resources of packages. */
async function grantInstances(kube: Kube): Promise<void> {
  const groups = ALL.map(({name}) => `${name}.example.org`)
  const rule = {
    apiGroups: [...groups, 'wordpress.apps.crossplane.io'],
    resources: ['*'],
    verbs: ['get', 'list'],
  }
  const metadata = {name: 'kubectl-crossplane-manager:instances'}
  const role = {apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata, rules: [rule]}
  accepted(await kube.apply(role, {force: true}))
}

/** The rules in the table of the docs. */
function documentedRules(): readonly string[] {
  const text = readFileSync('docs/package-manager-differences.md', 'utf8')
  return [...text.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, rule = '']) => rule)
}

/** The name of the documents that a case is about is that of its files. */
function titleOf({files}: RecordedCase): string {
  return files.join(', ')
}

describeCorpus('the recordings of the original package manager', () => {
  it('are all compared', () => {
    const files = corpusEntries(...RECORDINGS).map(file => file.replace(/\.yaml$/, ''))
    expect(ALL.flatMap(each => each.files).sort()).toEqual(files)
  })

  describeCluster('1.20', 'on the server on which they were made', cluster => {
    let manager: RealManager | undefined
    const results = new Map<string, PromiseSettledResult<readonly Fact[]>>()

    const compare = async (cases: readonly RecordedCase[]) => {
      const waiting = [...cases]
      const one = async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const running = next.facts(labOf(cluster(), next.name), recording)
          for (const result of await Promise.allSettled([running])) results.set(titleOf(next), result)
        }
      }
      await Promise.all(Array.from({length: AT_ONCE}, one))
    }

    beforeAll(async () => {
      writeSamples(packages)
      for (const {name} of ALL) writeRecordedPackages(packages, name)
      writeTemplatePackage(packages, 'templates')
      const teams = ALL.flatMap(({name}) => [`${name}-a`, `${name}-b`])
      const token = await managedCluster(cluster(), packages, [SYSTEM, ...teams])
      await applyBase(cluster(), packages, 'stacks')
      await grantInstances(cluster().kube)
      const sources = ['registry.example.org', ...ALL.map(({name}) => `docker.io/${name}`)]
      const owners = ALL.map(({name, owner = 'demo'}) => `${name}.example.org: ${name}/${owner}`)
      await managerSuite(cluster).policy(
        `owners: {${owners.join(', ')}}\nsources: [${sources.join(', ')}]\nmanager: {clusterNamespaces: [${teams.join(', ')}]}\n`,
      )
      manager = await startManager(cluster(), token, packages)
      await compare(CASES)
      await compare(LAST_CASES)
    }, 900_000)

    afterAll(async () => {
      await manager?.stop()
    })

    it.each(ALL.map(titleOf))('%s: differ by rules of the docs only', title => {
      const result = results.get(title)
      if (result?.status === 'rejected') throw result.reason
      expect(unexpected(result?.value ?? [])).toEqual([])
      expect(result?.value).not.toHaveLength(0)
    })

    it('show each rule of the docs', () => {
      const facts = [...results.values()].flatMap(result =>
        result.status === 'fulfilled' ? result.value : [],
      )
      const rules = new Set(facts.flatMap(({differs}) => (differs === undefined ? [] : [differs.rule])))
      expect([...rules].sort()).toEqual([...documentedRules()].sort())
    })
  })
})
