import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, it} from '@jest/globals'
import {generatePackage} from '../../scripts/bench/generate-package.mjs'
import {auditOf} from '../cluster/audit.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {openApi} from '../cluster/open-api.js'
import {ownEntries} from '../commands/cluster/installing.js'
import {preloading, runBuilt} from '../run-program.js'
import {temporaryFolder} from '../temporary-folder.js'

const isLong = process.env.SOAK_MINUTES !== undefined
/** More than fit into one page of a list, in packages that each have as much as a package may have. */
const [CRDS, PACKAGES] = isLong ? [2043, 8] : [40, 2]
const USAGE = join(import.meta.dirname, '../commands/peak-usage.cjs')
const MAX_CHUNK_BYTES = 256 * 1024

describeCluster('current', `${CRDS} CRDs`, cluster => {
  const folder = temporaryFolder()
  const packages = Array.from({length: PACKAGES}, (_, index) => `bench-${index}`)
  const install = () => [
    ...['install', '--declaration', join(folder, 'crossplane-packages.yaml'), '--packages', folder],
    ...['--with-package-api', '--create-namespace', '--no-wait', '--yes'],
  ]

  it(
    'are installed, found unchanged and uninstalled in less than 300 MB',
    async () => {
      writePackages(folder, packages)
      await expectDone(install())
      const again = await expectDone(install())
      expect(again.writes).toBe(0)
      for await (const {data} of openApi(cluster()).list({apiVersion: 'v1', kind: 'ConfigMap'})) {
        expect(JSON.stringify(data ?? '').length).toBeLessThan(1.25 * MAX_CHUNK_BYTES)
      }
      for (const name of packages) {
        await expectDone(['uninstall', `crossplane-system/example-${name}`, '--yes'])
      }
      expect(await generatedCrds()).toEqual([])
    },
    isLong ? 3_600_000 : 180_000,
  )

  async function expectDone(args: readonly string[]) {
    const audit = auditOf(cluster())
    const mark = await audit.mark()
    const usage = join(folder, 'usage.json')
    const start = performance.now()
    const env = {...preloading(USAGE), KUBECONFIG: cluster().kubeconfig, PEAK_USAGE: usage}
    const {status, stderr} = await runBuilt(['package', ...args], {env})
    const seconds = (performance.now() - start) / 1000
    expect({status, stderr: status === 0 ? '' : stderr.slice(-2000)}).toEqual({status: 0, stderr: ''})
    const requests = ownEntries(await audit.since(mark))
    const {peakKiB} = JSON.parse(readFileSync(usage, 'utf8')) as {readonly peakKiB: number}
    const megabytes = (peakKiB * 1024) / 1e6
    if (isLong) {
      const figures = `${seconds.toFixed(1)} s, ${requests.length} requests, ${megabytes.toFixed(0)} MB`
      process.stderr.write(`${args.slice(0, 2).join(' ')}: ${figures}\n`)
    }
    expect(megabytes).toBeLessThan(300)
    return {writes: requests.filter(({verb}) => !['get', 'list'].includes(verb)).length}
  }

  async function generatedCrds(): Promise<readonly string[]> {
    const kind = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'}
    const names: string[] = []
    for await (const {metadata} of openApi(cluster()).list(kind, {metadataOnly: true}))
      names.push(metadata.name)
    return names.filter(name => name.endsWith('.bench.example.org'))
  }
})

/** Writes packages that own all CRDs together, and a declaration of them. */
function writePackages(folder: string, packages: readonly string[]): void {
  packages.forEach((name, index) => {
    const [first, next] = [index, index + 1].map(at => Math.floor((CRDS * at) / packages.length))
    const place = join(folder, `example/${name}@v1.0.0`)
    mkdirSync(place, {recursive: true})
    generatePackage(place, next! - first!, {first})
  })
  const lines = packages.map(name => `- package: example/${name}\n`)
  writeFileSync(
    join(folder, 'crossplane-packages.yaml'),
    `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n${lines.join('')}`,
  )
}
