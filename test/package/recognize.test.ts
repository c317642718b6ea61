import {describe, expect, it} from '@jest/globals'
import {localFile, localFiles} from '../../src/adapters/local-files.js'
import {localPackage} from '../../src/adapters/local-package.js'
import {packagesFolder} from '../../src/adapters/packages-folder.js'
import {CrossplaneError} from '../../src/errors.js'
import {recognize} from '../../src/package/recognize.js'
import {parseInstallTarget} from '../../src/reference/install-target.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'

const folder = writeTree(mkdtempSync(join(temporaryFolder(), 'a-')), {
  'example/provider-queue@v0.1.0/.registry/app.yaml': 'title: queue\n',
})

/** Splits a request of one reference, and returns the registries that it contacted. */
async function contacted(reference: string): Promise<readonly string[]> {
  const hosts: string[] = []
  const registry = (host: string) => {
    hosts.push(host)
    return Promise.reject(new CrossplaneError('registry-unreachable', `cannot connect to ${host}`))
  }
  const {parts} = await recognize({
    requested: [
      {
        target: parseInstallTarget(reference),
        parameters: {imagePullSecrets: [], serviceAccountAnnotations: {}},
      },
    ],
    policy: {
      allowVersionMismatch: false,
      facts: [],
      owners: [],
      crossplane: {version: 'none', provided: []},
      systemNamespace: 'crossplane-system',
      budget: {isSpent: () => false},
    },
    packages: {
      sources: {directory: localPackage, files: localFiles, file: localFile},
      folder: packagesFolder(folder),
      remote: {registry},
    },
  })
  expect(parts.stack).toHaveLength(1)
  return hosts
}

describe('recognize', () => {
  it.each([
    ['provider-queue', 'a name without its owner'],
    ['example/provider-queu', 'a misspelled name'],
    ['example/provider-queue:0.1.0', 'a tag without its v'],
    ['example/provider-queue:v0.1.0', 'a version of the folder'],
  ])('contacts no registry for %s, %s', async reference => {
    expect(await contacted(reference)).toEqual([])
  })

  it('contacts the registry of a name that the folder does not have', async () => {
    expect(await contacted('example/provider-sql:v0.1.0')).not.toEqual([])
  })
})
