import {describe, expect, it} from '@jest/globals'
import {instancePaths, pathSegment} from '../../src/backup/backup-paths.js'
import {objectFile, statusFile} from '../../src/backup/instance-files.js'
import {restoreGuide} from '../../src/backup/restore-guide.js'
import {secretNames} from '../../src/backup/secret-names.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {readYaml} from '../../src/yaml/read-yaml.js'

const CRD = 'dbs.sql.example.org'

describe('the paths of a backup', () => {
  it.each([
    {
      name: 'an instance in a namespace',
      in: {namespace: 'team', name: 'main'},
      want: {object: `${CRD}/team/main.yaml`, status: `${CRD}/team/main.status.yaml`},
    },
    {
      name: 'an instance without a namespace',
      in: {name: 'a.b-c'},
      want: {object: `${CRD}/a.b-c.yaml`, status: `${CRD}/a.b-c.status.yaml`},
    },
  ])('$name', ({in: instance, want}) => {
    expect(instancePaths(CRD, instance)).toEqual(want)
  })

  it('differ for different names, whatever these are, also where case does not matter', () => {
    const long = 'a'.repeat(250)
    const hostile = [
      '',
      '.',
      '..',
      '../..',
      '/etc/passwd',
      'a/b',
      'a\\b',
      'a\0b',
      'C:',
      'A',
      '.a',
      'a.',
      '-',
      '\u202e',
      'ä',
    ]
    const names = ['a', 'a.status', 'a.status.status', long, `${long}b`, `${long}c`, ...hostile]
    const files = names.flatMap(name => Object.values(instancePaths(CRD, {namespace: 'x', name})))
    expect(new Set(files.map(file => file.toLowerCase())).size).toBe(names.length * 2)
    for (const file of files) {
      expect(file.split('/')).toHaveLength(3)
      for (const segment of file.split('/')) {
        expect(segment).toMatch(/^[a-z0-9_~][a-z0-9._~-]*$/)
        expect(Buffer.byteLength(segment)).toBeLessThanOrEqual(255)
      }
    }
  })

  it('do not depend on anything but the name', () => {
    expect(pathSegment('A b')).toBe(pathSegment('A b'))
    expect(pathSegment('A b')).toMatch(/^a_b~[0-9a-f]{16}$/)
  })
})

const INSTANCE: KubernetesObject = {
  apiVersion: 'sql.example.org/v1',
  kind: 'Db',
  metadata: {
    name: 'main',
    namespace: 'team',
    labels: {app: 'x'},
    annotations: {'crossplane.io/external-name': 'db-1'},
    uid: 'u-1',
    resourceVersion: '5',
    generation: 2,
    creationTimestamp: '2026-01-01T00:00:00Z',
    managedFields: [],
    finalizers: ['demo/fin'],
    ownerReferences: [{apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u-0'}],
  },
  spec: {size: 9007199254740993n, on: 'on', note: 'a: b\n# c\n'},
  data: {kept: true},
  status: {id: 18446744073709551615n, text: 'x\n---\nkind: Evil\r\u0085evil: 1\u2028evil: 2\n'},
}

const valuesIn = (text: string) => readYaml(Buffer.from(text), 'x').map(({value}) => value)

describe('the files of an instance', () => {
  it('have what the user wrote, integers of any size included', () => {
    expect(valuesIn(objectFile(INSTANCE))).toEqual([
      {
        apiVersion: 'sql.example.org/v1',
        kind: 'Db',
        metadata: {
          name: 'main',
          namespace: 'team',
          labels: {app: 'x'},
          annotations: {'crossplane.io/external-name': 'db-1'},
        },
        spec: {size: 9007199254740993n, on: 'on', note: 'a: b\n# c\n'},
        data: {kept: true},
      },
    ])
    expect(objectFile(INSTANCE)).toContain('size: 9007199254740993\n')
  })

  it('have the status as comments, each line of them, from which it can be read again', () => {
    const text = statusFile(INSTANCE) ?? ''
    expect(valuesIn(text)).toEqual([])
    for (const line of text.trimEnd().split(/[\n\r\u0085\u2028\u2029]/)) expect(line).toMatch(/^#/)
    const uncommented = text.split('\n').flatMap(line => (line.startsWith('#: ') ? [line.slice(3)] : []))
    expect(valuesIn(uncommented.join('\n'))).toEqual([
      {
        apiVersion: 'sql.example.org/v1',
        kind: 'Db',
        metadata: {
          name: 'main',
          namespace: 'team',
          uid: 'u-1',
          finalizers: ['demo/fin'],
          ownerReferences: [{apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u-0'}],
        },
        status: INSTANCE.status,
      },
    ])
  })

  it('have the finalizers and owner references of an instance without a status', () => {
    const {status: _status, ...created} = INSTANCE
    expect(statusFile(created)).toContain('#:   finalizers:\n')
    expect(statusFile(created)).not.toContain('#: status')
  })

  it('do not have a status where there is none', () => {
    const {status: _status, ...created} = INSTANCE
    const {ownerReferences: _owners, ...metadata} = created.metadata
    expect(statusFile({...created, metadata: {...metadata, finalizers: []}})).toBeUndefined()
  })

  it('have texts of any length', () => {
    const long = {
      ...INSTANCE,
      spec: {text: `${'x'.repeat(1_100_000)}\u0085`},
      status: {id: 9007199254740993n},
    }
    expect(JSON.parse(objectFile(long))).toMatchObject({spec: long.spec})
    expect(objectFile(long)).not.toContain('\u0085')
    expect(statusFile({...long, status: long.spec})?.split('\n')).toHaveLength(4)
  })
})

describe('the Secrets that an instance refers to', () => {
  it('are found by the names of fields', () => {
    const spec: JsonObject = {
      writeConnectionSecretToRef: {name: 'conn', namespace: 'system'},
      deep: [
        {passwordSecretRef: {name: 'pw', key: 'password'}},
        {secretName: 'tls'},
        {configMapRef: {name: 'no'}},
      ],
      imagePullSecrets: [{name: 'pull'}, {name: 5}],
      secretRef: {name: ''},
    }
    expect(secretNames({...INSTANCE, spec})).toEqual(['system/conn', 'team/pw', 'team/tls', 'team/pull'])
    const {namespace: _namespace, ...metadata} = INSTANCE.metadata
    expect(secretNames({...INSTANCE, metadata, spec: {secretRef: {name: 'a'}}})).toEqual(['a'])
  })
})

describe('the README of a backup', () => {
  it('names what to do in order, with commands that can be pasted', () => {
    const text = restoreGuide({
      installs: ['system/sql'],
      records: ['inventory', 'requests'],
      reinstall: ['kubectl crossplane package install a/sql:v1 sql --namespace system'],
      kinds: [
        {crd: CRD, instances: 2},
        {crd: 'empties.sql.example.org', instances: 0},
      ],
      namespaces: ['team', 'ops'],
      secrets: ['team/`x`\n'],
    })
    expect(text).toContain(`kubectl create --recursive --filename ${CRD}\n`)
    expect(text).toContain('kubectl crossplane package install a/sql:v1 sql --namespace system\n')
    expect(text).toContain(
      '`inventory/` the inventory of the install, `requests/` the requests for the packages:',
    )
    expect(text).toContain('   - `ops`\n   - `team`\n')
    expect(text).toContain('- `team/\\u0060x\\u0060\\n`')
  })

  it('says where there is nothing to do', () => {
    const text = restoreGuide({
      installs: [],
      records: [],
      reinstall: [],
      kinds: [],
      namespaces: [],
      secrets: [],
    })
    expect(text).toContain('The custom resources refer to no Secrets.')
    expect(text).toContain('   No install command is known.')
    expect(text).toContain('   No custom resources were backed up.')
    expect(text).toContain('`crds/` has the CRDs: all of them for reference')
    expect(text).not.toContain('--recursive')
  })
})
