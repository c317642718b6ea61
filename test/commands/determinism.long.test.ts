import {beforeAll, describe, expect, it} from '@jest/globals'
import {copyFileSync, mkdirSync, readdirSync} from 'node:fs'
import {dirname, join, relative} from 'node:path'
import {localFile, localFiles} from '../../src/adapters/local-files.js'
import {localPackage} from '../../src/adapters/local-package.js'
import {renderPackage} from '../../src/package/stack/render-package.js'
import {ERAS} from '../../src/render/era.js'
import type {PackageDirectory} from '../../src/unpack/files/package-directory.js'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import {programWords} from '../built-program.js'
import {describeCorpus} from '../corpus.js'
import {runCli} from '../run-cli.js'
import {runBuilt} from '../run-program.js'
import {SEED, shuffled} from '../shuffled.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {OUR_PACKAGES, REAL_PACKAGES, type SomePackage} from './some-packages.js'

const temporary = temporaryFolder()
writeTree(temporary, {
  'kubeconfig.yaml': `apiVersion: v1
kind: Config
current-context: there
contexts: [{name: there, context: {cluster: there, user: me, namespace: elsewhere}}]
clusters: [{name: there, cluster: {server: 'https://kubernetes.example.org'}}]
users: [{name: me, user: {token: secret}}]
`,
  'broken-kubeconfig.yaml': 'no: [kubeconfig',
})
const at = (path: string) => join(temporary, path)

beforeAll(() => {
  programWords()
})

/** Settings of a machine or a user, none of which may change the output. */
const ENVIRONMENTS: readonly Readonly<Record<string, string | undefined>>[] = [
  {},
  {TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8'},
  {TZ: 'America/St_Johns', LANG: 'C', LC_ALL: 'C'},
  {TZ: 'Asia/Kathmandu', LANG: 'de_DE.ISO-8859-1', LANGUAGE: 'sv'},
  {KUBECONFIG: at('kubeconfig.yaml')},
  {KUBECONFIG: at('broken-kubeconfig.yaml')},
  {KUBECONFIG: at('nowhere')},
  {HOME: undefined, USER: 'somebody'},
  {COLUMNS: '20', TERM: 'dumb', FORCE_COLOR: '3'},
  {NODE_ENV: 'development', DEBUG: ''},
]

async function inParallel({folder, flags}: SomePackage): Promise<string[]> {
  const args = ['package', 'render', folder, ...flags]
  const results = await Promise.all(ENVIRONMENTS.map(env => runBuilt(args, {env, cwd: temporary})))
  return results.map(({status, stdout}) => (status === 0 ? stdout : `status ${String(status)}`))
}

async function inProcess({folder, flags}: SomePackage): Promise<string> {
  return (await runCli('package', 'render', folder, ...flags)).stdout
}

/** A copy whose files and folders were made in another order, in which many file systems list them. */
function copyInAnyOrder({name, folder}: SomePackage, seed: number): string {
  const copy = at(`${name}.${seed}`)
  const files = readdirSync(folder, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile())
  for (const {parentPath, name: file} of shuffled(files, seed)) {
    const target = join(copy, relative(folder, join(parentPath, file)))
    mkdirSync(dirname(target), {recursive: true})
    copyFileSync(join(parentPath, file), target)
  }
  return copy
}

/** The install set as the pipeline gives it when a directory lists its entries in any order. */
async function renderedInAnyOrder(
  {folder, flags: [, asPackage, , namespace]}: SomePackage,
  seed: number,
): Promise<string> {
  let listings = 0
  const directory = async (path: string): Promise<PackageDirectory> => {
    const sorted = await localPackage(path)
    return {
      ...sorted,
      list: async (inside, most) => shuffled(await sorted.list(inside, most), seed + (listings += 1)),
    }
  }
  const parameters = {
    ...(namespace === undefined ? {} : {namespace}),
    systemNamespace: 'crossplane-system',
    imagePullSecrets: [],
    serviceAccountAnnotations: {},
    pin: true,
  }
  const choices = {
    era: ERAS.packages,
    base: false,
    pin: true,
    createNamespace: false,
    crds: {apiVersion: 'v1', nonStructural: 'refuse'} as const,
    includeRequest: false,
    allowCorePermissions: false,
    allowFullDeployment: false,
  }
  const query = {reference: folder, ...(asPackage === undefined ? {} : {asPackage}), parameters}
  const set = await renderPackage(query, choices, {
    sources: {directory, files: localFiles, file: localFile},
    remote: {},
  })
  return writeYaml(set.objects.map(({object}) => object))
}

function sameBytes(packages: readonly SomePackage[]): void {
  it.each(packages)('$name: ten concurrent processes, each in another environment', async some => {
    const want = await inProcess(some)
    expect(want).toMatch(/^apiVersion: /)
    expect(await inParallel(some)).toEqual(ENVIRONMENTS.map(() => want))
  })

  it.each(packages)(`$name: files created in another order (SEED=${SEED})`, async some => {
    const want = await inProcess(some)
    for (const seed of [SEED, SEED + 1, SEED + 2])
      expect(await inProcess({...some, folder: copyInAnyOrder(some, seed)})).toBe(want)
  })

  it.each(packages)(`$name: listings in another order (SEED=${SEED})`, async some => {
    const want = await inProcess(some)
    for (const seed of [SEED, SEED + 1000, SEED + 2000])
      expect(await renderedInAnyOrder(some, seed)).toBe(want)
  })
}

describe('the same package gives the same bytes', () => {
  sameBytes(OUR_PACKAGES)
})

describeCorpus('the same real package gives the same bytes', () => {
  sameBytes(REAL_PACKAGES)
})
