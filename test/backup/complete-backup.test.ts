import {beforeAll, describe, expect, it} from '@jest/globals'
import {backedUpInstall} from '../../src/backup/backup-manifest.js'
import {backupText, completeBackup, expectBackupOf} from '../../src/backup/complete-backup.js'
import {type BackupFolder, writeBackup} from '../../src/backup/write-backup.js'
import type {Inventory} from '../../src/cluster/inventory/inventory.js'
import {CrossplaneError} from '../../src/errors.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {outcome} from '../outcome.js'

const CRD: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'dbs.sql.example.org'},
}
const inventoryOf = (name: string, ...uids: readonly string[]): Inventory => ({
  install: {namespace: 'system', name, era: 'packages', scope: 'Cluster', mode: 'requested', for: {}},
  phase: 'complete',
  toolVersion: '1',
  objects: uids.map((uid, at) => ({
    ...{apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'system'},
    ...{name: `${name}-${at}`, uid},
  })),
})
const instance = (name: string, uid: string, more: JsonObject = {}): KubernetesObject => ({
  apiVersion: 'sql.example.org/v1',
  kind: 'Db',
  metadata: {namespace: 'team', name, uid, ...more},
})
const resized = (object: KubernetesObject): KubernetesObject => ({...object, spec: {size: 2}})
const DELETED = {deletionTimestamp: '2026-06-01T12:00:00Z'}
const NEVER = new AbortController().signal

function memoryFolder(files: Map<string, string>): BackupFolder {
  return {
    name: 'x',
    maxRead: Infinity,
    expectEmpty: async () => {
      await Promise.resolve()
      if (files.size > 0) throw new CrossplaneError('output-refused', 'not empty')
    },
    read: path => Promise.resolve(files.get(path)),
    create: (path, text) => Promise.resolve(void files.set(path, text)),
    settle: () => Promise.resolve(),
  }
}

const sourceOf = (inventories: readonly Inventory[], objects: readonly KubernetesObject[]) => ({
  installs: inventories.map(backedUpInstall),
  records: [],
  reinstall: [],
  kinds: [{crd: CRD, instances: each(objects)}],
})

async function* each(objects: readonly KubernetesObject[]) {
  for (const object of objects) yield await Promise.resolve(object)
}

describe('a folder with a backup', () => {
  const complete = new Map<string, string>()
  const [SQL, KV] = [inventoryOf('sql', 'a1', 'a2'), inventoryOf('kv', 'b1')]
  const BOTH = [instance('one', 'i1'), instance('two', 'i2')]

  beforeAll(async () => {
    const summary = await writeBackup(sourceOf([SQL, KV], BOTH), memoryFolder(complete), NEVER)
    expect(backupText(summary, 'x')).toBe('Backed up 2 custom resources to x')
  })

  const without = (path: string) => new Map([...complete].filter(([name]) => name !== path))
  const edited = (path: string, text: string) => new Map(complete).set(path, text)

  it.each([
    {name: 'nothing', files: () => new Map<string, string>(), want: 'new'},
    {name: 'all files', files: () => complete, want: 'complete'},
    {name: 'no README', files: () => without('README.md'), want: 'output-refused'},
    {name: 'no manifest', files: () => without('MANIFEST'), want: 'output-refused'},
    {name: 'a part of the README', files: () => edited('README.md', '# Backup'), want: 'output-refused'},
    {name: 'a manifest that is not JSON', files: () => edited('MANIFEST', '{'), want: 'output-refused'},
  ])('and $name is: $want', async ({files, want}) => {
    const found = async () =>
      (await completeBackup(memoryFolder(files()))) === undefined ? 'new' : 'complete'
    expect(await found().catch((error: unknown) => (error as CrossplaneError).code)).toBe(want)
  })

  it.each([
    {name: 'the same installs', in: [[SQL, KV], BOTH], want: true},
    {name: 'what is left after an interruption', in: [[SQL], [BOTH[1]!]], want: true},
    {name: 'an install that lost some of its objects', in: [[inventoryOf('sql', 'a1')], BOTH], want: true},
    {
      name: 'an instance that is being deleted, and changed by its controller',
      in: [[SQL], [resized(instance('one', 'i1', DELETED))]],
      want: true,
    },
    {
      name: 'an instance whose status changed',
      in: [[SQL], [{...instance('one', 'i1', {generation: 2}), status: {phase: 'Ready'}}]],
      want: true,
    },
    {
      name: 'an instance that was changed later',
      in: [[SQL], [resized(instance('one', 'i1'))]],
      want: false,
    },
    {
      name: 'an instance that got the name of its external resource later',
      in: [[SQL], [instance('one', 'i1', {annotations: {'crossplane.io/external-name': 'one-x1'}})]],
      want: false,
    },
    {name: 'another install', in: [[inventoryOf('db', 'a1')], []], want: false},
    {
      name: 'an install of the same name that was installed later',
      in: [[inventoryOf('sql', 'a9')], []],
      want: false,
    },
    {
      name: 'an instance that was created later',
      in: [[SQL], [...BOTH, instance('three', 'i3')]],
      want: false,
    },
    {name: 'an instance that was created again', in: [[SQL], [instance('one', 'i9')]], want: false},
  ] as const)('is used for $name: $want', async ({in: [inventories, objects], want}) => {
    const folder = memoryFolder(complete)
    const manifest = (await completeBackup(folder))!
    const result = await outcome(() =>
      expectBackupOf(manifest, sourceOf(inventories, objects), folder, NEVER),
    )
    expect(result).toEqual(want ? {instances: 2, isFound: true} : 'output-refused')
  })

  it('is described as complete', () => {
    expect(backupText({instances: 1, isFound: true}, 'x')).toBe(
      'The backup in x is complete: 1 custom resource',
    )
  })
})
