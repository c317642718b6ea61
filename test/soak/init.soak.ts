import {mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from '@jest/globals'
import {writableFolder} from '../../src/adapters/image-output.js'
import {localPackage} from '../../src/adapters/local-package.js'
import {CrossplaneError} from '../../src/errors.js'
import {initPackage} from '../../src/pipeline/author/init-package.js'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {below, campaign, pick} from './campaign.js'

const temporary = temporaryFolder()

const PARTS = [
  '..',
  '.',
  '/',
  '\\',
  'C:',
  'a',
  'Example',
  'example.org',
  '\0',
  '\n',
  '~',
  '%2e%2e',
  'NUL',
  ' ',
  'ﬀ',
  '',
]
const LINKS = ['.registry', '.registry/resources', '.registry/app.yaml', '.registry/resources/example.org']

describe('package init', () => {
  campaign('writes only below its folder', {short: 150}, async ({random}) => {
    const root = mkdtempSync(join(temporary, 'round-'))
    const target = join(root, 'deep/er/target')
    mkdirSync(join(root, 'outside'))
    mkdirSync(target, {recursive: true})
    writeTree(root, {'crds/a.yaml': hostileCrd(random)})
    const link = pick(random, [undefined, ...LINKS])
    if (link !== undefined) plantLink(target, link, join(root, 'outside'))
    const before = pathsIn(root)
    await codeOf(
      initPackage({...QUERY, path: target, fromCrds: join(root, 'crds')}, writableFolder(target), sources),
    )
    const written = pathsIn(root).filter(path => !before.includes(path))
    expect(written.filter(path => !path.startsWith('deep/er/target/.registry'))).toEqual([])
    rmSync(root, {recursive: true})
  })
})

const QUERY = {folderName: 'target', controller: true, update: false}

const never = () => Promise.reject(new Error('only directories are read'))
const sources = {directory: localPackage, files: never, file: never}

function hostileCrd(random: () => number): string {
  const name = (usual: string) =>
    pick(random, [
      usual,
      Array.from({length: 1 + below(random, 6)}, () => pick(random, PARTS)).join(
        pick(random, ['', '/', '.', '\\']),
      ),
    ])
  const [group, kind, plural] = [name('example.org'), name('Example'), name('examples')]
  const versions = [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}]
  return writeYaml([
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {name: `${plural}.${group}`},
      spec: {group, scope: 'Namespaced', names: {kind, plural}, versions},
    },
  ])
}

function plantLink(target: string, link: string, outside: string): void {
  mkdirSync(join(target, link, '..'), {recursive: true})
  symlinkSync(outside, join(target, link))
}

function pathsIn(root: string): readonly string[] {
  return readdirSync(root, {recursive: true, encoding: 'utf8'})
}

async function codeOf(outcome: Promise<unknown>): Promise<string> {
  try {
    await outcome
    return 'done'
  } catch (error) {
    if (error instanceof CrossplaneError) return error.code
    throw error
  }
}
