import {describe, expect, it} from '@jest/globals'
import {dirname, isAbsolute, join} from 'node:path/posix'
import {unlockedQuery} from '../../../src/cli/declaration/resolution-query.js'
import {writeLock} from '../../../src/declaration/write-lock.js'
import {CrossplaneError} from '../../../src/errors.js'
import type {PackagePorts} from '../../../src/locate/located-package.js'
import {
  type DeclaredSources,
  readLockFile,
  readRequest,
  type RequestPorts,
} from '../../../src/pipeline/request/read-request.js'
import {LOCK} from '../../declaration/locks.js'
import {outcome} from '../../outcome.js'

const FLAGS = {'crossplane-version': 'v0.12', 'allow-version-mismatch': false, 'solve-timeout': '30s'}
const NOT_WRITTEN: ReadonlySet<string> = new Set()
const NO_PACKAGES: PackagePorts = {
  sources: {
    directory: () => Promise.reject(new Error('no package is read')),
    files: () => Promise.reject(new Error('no package is read')),
    file: () => Promise.reject(new Error('no package is read')),
  },
  remote: {},
}

/** Ports whose files are in memory; `declared` collects the sources of declarations. */
function memoryPorts(files: Readonly<Record<string, string>>) {
  const declared: (DeclaredSources | undefined)[] = []
  const ports: RequestPorts = {
    inputs: {
      read: (name, flag) => {
        const text = files[name]
        if (text !== undefined) return Promise.resolve({name, bytes: Buffer.from(text)})
        const cause = Object.assign(new Error('no such file'), {code: 'ENOENT'})
        return Promise.reject(new CrossplaneError('not-found', `cannot read ${name} of ${flag}`, {cause}))
      },
      beside: (file, path) => (isAbsolute(path) ? path : join(dirname(file), path)),
    },
    budget: () => ({isSpent: () => false}),
    signatures: {
      cryptography: () => Promise.reject(new Error('nothing is verified')),
      warn: () => undefined,
    },
    rules: () => Promise.reject(new Error('no rule is evaluated')),
    usage: {
      objects: () => Promise.reject(new Error('no object is read')),
      judge: () => Promise.reject(new Error('no object is judged')),
    },
    packages: sources => {
      declared.push(sources)
      return Promise.resolve(NO_PACKAGES)
    },
  }
  return {ports, declared}
}

const DECLARATION = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
defaultSource: registry.example.org
owners: {sql.example.org: example/sql, aws.example.org: example/aws}
registries: {docker.io: mirror.example.org/hub}
indexes: [r.example.org/index, ./a.json, ../b.json, /c.json]
packages: [{package: example/app}, {crd: databases.sql.example.org, namespace: team}]
`

describe('readRequest', () => {
  it.each([
    {file: '/team/wanted.yaml', indexes: ['r.example.org/index', '/team/a.json', '/b.json', '/c.json']},
    {file: 'team/wanted.yaml', indexes: ['r.example.org/index', './team/a.json', './b.json', '/c.json']},
  ])('resolves index files of the declaration $file relative to its folder', async ({file, indexes}) => {
    const {ports, declared} = memoryPorts({[file]: DECLARATION})
    await readRequest(unlockedQuery({}, {...FLAGS, declaration: file}, NOT_WRITTEN), ports)
    expect(declared).toEqual([
      {defaultSource: 'registry.example.org', registries: {'docker.io': 'mirror.example.org/hub'}, indexes},
    ])
  })

  it('contains the packages of the declaration', async () => {
    const {ports} = memoryPorts({'a.yaml': DECLARATION})
    const {requested, policy} = await readRequest(
      unlockedQuery({}, {...FLAGS, declaration: 'a.yaml'}, NOT_WRITTEN),
      ports,
    )
    expect(requested).toMatchObject([
      {target: {kind: 'image'}},
      {target: {kind: 'crd', crd: 'databases.sql.example.org'}, namespace: 'team'},
    ])
    expect(policy).toMatchObject({
      defaultSource: 'registry.example.org',
      systemNamespace: 'crossplane-system',
    })
  })

  it('prefers the command line to the declaration', async () => {
    const {ports} = memoryPorts({'a.yaml': DECLARATION})
    const flags = {
      ...FLAGS,
      declaration: 'a.yaml',
      owner: ['sql.example.org=ours/sql'],
      'default-source': 'r.org',
    }
    const {policy} = await readRequest(unlockedQuery({}, flags, NOT_WRITTEN), ports)
    expect(policy).toMatchObject({
      defaultSource: 'r.org',
      owners: [
        {group: 'sql.example.org', identity: 'ours/sql'},
        {group: 'aws.example.org', identity: 'example/aws'},
      ],
    })
  })

  it('has no declared sources without a declaration', async () => {
    const {ports, declared} = memoryPorts({})
    await readRequest(unlockedQuery({ref: 'example/app'}, FLAGS, NOT_WRITTEN), ports)
    expect(declared).toEqual([undefined])
  })

  it.each([
    {name: 'a declaration', flags: {declaration: 'none.yaml'}},
    {name: 'assumed CRDs', flags: {assume: ['none.yaml']}},
  ])('rejects a missing file of $name', async ({flags}) => {
    const {ports} = memoryPorts({})
    const args = 'declaration' in flags ? {} : {ref: 'example/app'}
    expect(
      await outcome(() => readRequest(unlockedQuery(args, {...FLAGS, ...flags}, NOT_WRITTEN), ports)),
    ).toBe('not-found')
  })
})

describe('readLockFile', () => {
  const QUERY = {
    file: 'a.lock',
    otherwise: 'note',
    isOptional: false,
    remedy: 'kubectl crossplane package lock',
  } as const

  it('reads a lock', async () => {
    const {ports} = memoryPorts({'a.lock': writeLock(LOCK)})
    expect(await readLockFile(QUERY, ports.inputs)).toMatchObject({
      name: 'a.lock',
      otherwise: 'note',
      upgraded: [],
    })
  })

  it('suggests the command that writes a missing lock', async () => {
    const failure = await readLockFile(QUERY, memoryPorts({}).ports.inputs).catch((error: unknown) => error)
    expect(failure).toMatchObject({code: 'not-found', suggestions: ['kubectl crossplane package lock']})
  })

  it('accepts a missing lock that is optional', async () => {
    expect(await readLockFile({...QUERY, isOptional: true}, memoryPorts({}).ports.inputs)).toBeUndefined()
  })

  it('rejects an invalid lock even if it is optional', async () => {
    const {inputs} = memoryPorts({'a.lock': 'kind: Other'}).ports
    expect(await outcome(() => readLockFile({...QUERY, isOptional: true}, inputs))).toBe('input-invalid')
  })
})
