import {describe, expect, it} from '@jest/globals'
import {backedUpInstall} from '../../src/backup/backup-manifest.js'
import {INVENTORY_FOLDER} from '../../src/backup/backup-paths.js'
import {type BackupFolder, writeBackup} from '../../src/backup/write-backup.js'
import type {Inventory} from '../../src/cluster/inventory/inventory.js'
import {CrossplaneError} from '../../src/errors.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'

const CRD: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'dbs.sql.example.org'},
}
const INVENTORY: Inventory = {
  install: {namespace: 'system', name: 'sql', era: 'packages', scope: 'Cluster', mode: 'requested', for: {}},
  phase: 'complete',
  toolVersion: '1',
  objects: [],
}

const instance = (index: number): KubernetesObject => ({
  apiVersion: 'sql.example.org/v1',
  kind: 'Db',
  metadata: {namespace: 'team', name: `db-${index}`},
  spec: {secretRef: {name: 'shared'}},
  status: {index},
})

/** A folder in memory that remembers the order of what is done. */
function memoryFolder(maxRead = Infinity) {
  const steps: string[] = []
  const folder: BackupFolder = {
    name: 'x',
    maxRead,
    expectEmpty: () => Promise.resolve(),
    read: () => Promise.resolve(undefined),
    create: (path, text) => {
      steps.push(path)
      if (text === '') throw new TypeError('an empty file')
      return Promise.resolve()
    },
    settle: () => {
      steps.push('settle')
      return Promise.resolve()
    },
  }
  return {steps, folder}
}

const sourceOf = (instances: AsyncIterable<KubernetesObject>) => ({
  installs: [backedUpInstall(INVENTORY)],
  records: [{folder: INVENTORY_FOLDER, name: 'system.crossplane-package.sql', object: CRD}] as const,
  reinstall: [],
  kinds: [{crd: CRD, instances}],
})
const NEVER = new AbortController().signal

describe('a backup', () => {
  it('writes instances as they come, and the README last, once all else is on disk', async () => {
    const {steps, folder} = memoryFolder()
    let [given, most] = [0, 0]
    async function* instances() {
      for (let index = 0; index < 1000; index++) {
        given += 1
        most = Math.max(most, given - steps.filter(path => path.endsWith('.status.yaml')).length)
        yield await Promise.resolve(instance(index))
      }
    }
    const summary = await writeBackup(sourceOf(instances()), folder, NEVER)
    expect(summary).toEqual({instances: 1000, isFound: false})
    expect(most).toBeLessThanOrEqual(17)
    expect(steps.slice(0, 2)).toEqual([
      'inventory/system.crossplane-package.sql.yaml',
      `crds/${CRD.metadata.name}.yaml`,
    ])
    expect(steps.slice(-4)).toEqual(['MANIFEST', 'settle', 'README.md', 'settle'])
    expect(steps).toHaveLength(2 + 2000 + 4)
  })

  it('has no README if it is interrupted, or if instances cannot be read', async () => {
    const {steps, folder} = memoryFolder()
    const interruption = new AbortController()
    async function* interrupted() {
      for (let index = 0; index < 100; index++) {
        if (index === 50) interruption.abort(new CrossplaneError('interrupted', 'interrupted by SIGINT'))
        yield await Promise.resolve(instance(index))
      }
    }
    await expect(writeBackup(sourceOf(interrupted()), folder, interruption.signal)).rejects.toMatchObject({
      code: 'interrupted',
    })
    async function* failing() {
      yield await Promise.resolve(instance(0))
      throw new CrossplaneError('cluster-unreachable', 'no response')
    }
    await expect(writeBackup(sourceOf(failing()), folder, NEVER)).rejects.toMatchObject({
      code: 'cluster-unreachable',
    })
    expect(steps).not.toContain('README.md')
  })

  it('is rejected before its end if a repeated run could not read its manifest', async () => {
    async function* instances() {
      for (let index = 0; index < 10; index++) yield await Promise.resolve(instance(index))
    }
    const {steps, folder} = memoryFolder(500)
    await expect(writeBackup(sourceOf(instances()), folder, NEVER)).rejects.toMatchObject({
      code: 'limit-exceeded',
    })
    expect(steps).not.toContain('MANIFEST')
  })
})
