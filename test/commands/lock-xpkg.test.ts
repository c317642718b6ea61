import {describe, expect, it} from '@jest/globals'
import {generateKeyPairSync} from 'node:crypto'
import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type JsonSchema, schemaViolations} from '../json-schema.js'
import {runCli} from '../run-cli.js'
import {asObject, type JsonObject, type JsonValue} from '../../src/yaml/json-value.js'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import {rulesIn} from './locked-world.js'
import {lockedXpkgs} from './locked-xpkgs.js'

describe('package lock of packages for a current Crossplane', () => {
  const world = lockedXpkgs()

  it('records tag, digest, constraints and requests', async () => {
    const {declare, publish, run, lock, name} = world()
    declare([{package: name('app:v1.0.0')}])
    const app = publish('app', 'v1.0.0', {
      kind: 'Configuration',
      crossplane: '>=v1.14.0',
      requires: {a: '>=v1.0.0'},
    })
    const a = publish('a', 'v1.2.0')
    publish('a', 'v1.1.0')
    expect(await run('lock')).toMatchObject({status: 0})
    const [first, second] = Object.values(asObject(lock().xpkgs)).map(asObject)
    expect(first).toMatchObject({kind: 'Provider', tag: 'v1.2.0', digest: a, mode: 'auto'})
    expect(second).toMatchObject({
      ...{kind: 'Configuration', tag: 'v1.0.0', digest: app, mode: 'requested', requestedAs: ['v1.0.0']},
      ...{crossplane: '>=v1.14.0', requires: {[name('a')]: ['>=v1.0.0']}},
    })
    const schema = JSON.parse(readFileSync('docs/schemas/package-lock.v1alpha1.json', 'utf8')) as JsonSchema
    expect(schemaViolations(schema, lock() as JsonValue)).toEqual([])
  })

  it('keeps locked versions and bytes until they are upgraded', async () => {
    const {declare, publish, run, tags, name} = world()
    declare([{package: name('app'), version: '<2.0.0'}])
    publish('app', 'v1.0.0', {requires: {a: '*', b: '*'}})
    publish('a', 'v1.0.0')
    publish('b', 'v1.0.0')
    await run('lock')
    publish('app', 'v1.1.0', {requires: {a: '*', b: '*'}})
    publish('app', 'v2.0.0')
    publish('a', 'v1.1.0')
    publish('b', 'v1.1.0')
    // A moved tag.
    publish('a', 'v1.0.0', {requires: {gone: '*'}})
    expect(await run('lock')).toMatchObject({status: 0, stdout: '3 packages unchanged.\n'})
    expect(await run('lock', '--upgrade', name('b'), '--dry-run')).toMatchObject({status: 0})
    expect(tags()).toEqual({app: 'v1.0.0', a: 'v1.0.0', b: 'v1.0.0'})
    expect(await run('lock', '--upgrade', name('b'))).toMatchObject({status: 0})
    expect(tags()).toEqual({app: 'v1.0.0', a: 'v1.0.0', b: 'v1.1.0'})
    expect(await run('lock', '--upgrade')).toMatchObject({status: 0})
    expect(tags()).toEqual({app: 'v1.1.0', a: 'v1.1.0', b: 'v1.1.0'})
  })

  it('moves a locked version if a new request excludes it', async () => {
    const {declare, publish, run, tags, name} = world()
    declare([{package: name('app')}])
    publish('app', 'v1.0.0', {requires: {a: '*'}})
    publish('a', 'v1.5.0')
    await run('lock')
    publish('a', 'v1.0.0')
    publish('other', 'v1.0.0', {requires: {a: '<=v1.0.0'}})
    declare([{package: name('app')}, {package: name('other')}])
    expect(await run('lock')).toMatchObject({status: 0})
    expect(tags()).toEqual({app: 'v1.0.0', a: 'v1.0.0', other: 'v1.0.0'})
  })

  it('drops a locked package that a policy forbids, also where a CRD is requested', async () => {
    const {declare, publish, run, root, tags, name} = world()
    declare([{package: name('foreign/f')}, {package: name('own/a')}])
    publish('foreign/f', 'v1.0.0')
    publish('own/a', 'v1.0.0', {crd: 'buckets.s3.example.org'})
    expect(await run('lock')).toMatchObject({status: 0})
    const head = {apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1', kind: 'Policy'}
    writeFileSync(join(root, 'policy.yaml'), writeYaml([{...head, sources: [name('own')]}]))
    declare([{crd: 'buckets.s3.example.org'}], {policy: 'policy.yaml'})
    expect(await run('lock')).toMatchObject({status: 0})
    expect(tags()).toEqual({'own/a': 'v1.0.0'})
    declare([{crd: 'buckets.s3.example.org'}, {package: name('foreign/f')}], {policy: 'policy.yaml'})
    expect(await run('lock')).toMatchObject({status: 4, stdout: ''})
  })

  it('rejects packages that define one CRD, unless the lock has them already', async () => {
    const {declare, publish, run, root, name} = world()
    const file = join(root, 'crossplane-packages.lock')
    publish('a', 'v1.0.0', {crd: 'buckets.s3.example.org'})
    publish('b', 'v1.0.0', {crd: 'buckets.s3.example.org'})
    publish('app', 'v1.0.0', {kind: 'Configuration', requires: {b: '*'}})
    declare([{package: name('a')}, {package: name('app')}])
    for (const command of ['lock', 'tree', 'render']) {
      const rejected = await run(command)
      expect({command, ...rejected}).toMatchObject({status: 3, stdout: ''})
      expect(rejected.stderr).toContain('CustomResourceDefinition buckets.s3.example.org')
      expect(rejected.stderr).toContain(`${name('b')} is required by ${name('app')}:v1.0.0`)
    }
    // As a version of this program wrote it that did not look at CRDs.
    const lockOf = async (path: string) => {
      declare([{package: name(path)}])
      await run('lock')
      const lock = asObject(readYaml(readFileSync(file), 'lock')[0]?.value)
      rmSync(file)
      return lock
    }
    const [first, second] = [await lockOf('a'), await lockOf('app')]
    writeFileSync(file, writeYaml([{...first, xpkgs: {...asObject(first.xpkgs), ...asObject(second.xpkgs)}}]))
    declare([{package: name('a')}, {package: name('app')}])
    const locked = await run('lock')
    expect(locked).toMatchObject({status: 0})
    expect(locked.stderr).toContain('[xpkg-shared-object]')
    publish('a', 'v1.1.0', {crd: 'buckets.s3.example.org'})
    expect(await run('lock', '--upgrade', name('a'))).toMatchObject({status: 0})
    declare([{package: name('app')}])
    expect(await run('lock')).toMatchObject({status: 0, stderr: expect.not.stringContaining('[xpkg-')})
  })

  it('remembers the versions that custom resources can be stored in, and warns of what a release takes away', async () => {
    const {declare, publish, run, lock, name} = world()
    const versions = (...names: readonly string[]) => ({crd: 'gates.example.org', versions: names})
    const keptOf = () => asObject(asObject(lock().xpkgs)[name('a')]).keptVersions
    declare([{package: name('a')}])
    publish('a', 'v1.0.0', versions('v1alpha1'))
    expect(await run('lock')).toMatchObject({status: 0})
    publish('a', 'v2.0.0', versions('v1', 'v1alpha1'))
    const second = await run('lock', '--upgrade')
    expect(second).toMatchObject({status: 0, stderr: expect.not.stringContaining('[')})
    expect(keptOf()).toEqual({'gates.example.org': [{name: 'v1alpha1'}]})
    publish('a', 'v3.0.0', versions('v1'))
    const third = await run('lock', '--upgrade')
    expect(third).toMatchObject({status: 0})
    expect(third.stderr).toContain('[crd-version-removed]')
    expect(third.stderr).toContain('v1alpha1')
    expect(keptOf()).toEqual({'gates.example.org': [{name: 'v1alpha1'}]})
    publish('a', 'v4.0.0')
    expect((await run('lock', '--upgrade')).stderr).toContain('[crd-dropped]')
  })

  it.each([
    {pin: 'config', layout: 'plain', status: 0},
    {pin: 'config', layout: 'flux', status: 5},
    {pin: 'digest', layout: 'plain', status: 0},
  ])('compares a tag that has new content in a tree: $pin, $layout', async ({pin, layout, status}) => {
    const {declare, publish, run, root, name} = world()
    const versions = (...names: readonly string[]) => ({crd: 'gates.example.org', versions: names})
    declare([{package: name('a:v1.0.0'), name: 'everyday'}], {xpkg: {pin}})
    publish('a', 'v1.0.0', versions('v1', 'v1alpha1'))
    const render = () => run('render', '--output-dir', join(root, 'tree'), '--layout', layout)
    expect(await render()).toMatchObject({status: 0})
    publish('a', 'v1.0.0', versions('v1'))
    const changed = await render()
    expect(changed).toMatchObject({status, stderr: expect.stringContaining('[crd-version-removed]')})
    expect(changed.stderr).toContain('v1alpha1')
  })

  it('warns of what leaves with a package, also with the last one', async () => {
    const {declare, publish, run, lock, name} = world()
    for (const path of ['a', 'b']) publish(path, 'v1.0.0', {kind: 'Configuration', policy: `example-${path}`})
    declare([{package: name('a')}, {package: name('b')}])
    expect(await run('lock')).toMatchObject({status: 0})
    for (const packages of [[{package: name('b')}], []]) {
      declare(packages)
      const {status, stderr} = await run('lock')
      expect({status, rules: rulesIn(stderr)}).toEqual({status: 0, rules: ['xpkg-policy-lost']})
    }
    expect(lock().xpkgs).toEqual({})
  })

  it('draws the locked packages with --locked, without asking for tags, and rejects others', async () => {
    const {declare, publish, run, name, registry} = world()
    declare([{package: name('app:v1.0.0')}])
    publish('app', 'v1.0.0', {requires: {a: '*'}})
    publish('a', 'v1.0.0')
    await run('lock')
    publish('a', 'v2.0.0')
    const before = registry.seen.length
    const locked = await run('tree', '--locked')
    expect(locked).toMatchObject({status: 0, stderr: ''})
    expect(locked.stdout).toContain(`${name('a')}:v1.0.0 (*)`)
    expect(registry.seen.slice(before).filter(({path}) => path.includes('/tags/'))).toEqual([])
    publish('app', 'v1.1.0', {requires: {a: '*'}})
    declare([{package: name('app:v1.1.0')}])
    expect(await run('tree', '--locked')).toMatchObject({status: 3})
  })

  it.each([
    {core: 'v2.2.1', want: 'v2.5.0'},
    {core: 'v2.3.0', want: 'v1.9.0'},
    {core: undefined, want: 'v1.9.0'},
  ])('reads constraints as the declared coreVersion $core', async ({core, want}) => {
    const {declare, publish, run, tags, name} = world()
    declare([{package: name('app')}], core === undefined ? {} : {coreVersion: core})
    publish('app', 'v1.0.0', {requires: {a: '<2'}})
    publish('a', 'v1.9.0')
    publish('a', 'v2.5.0')
    const {stderr} = await run('lock')
    expect(tags()).toMatchObject({a: want})
    expect(stderr.includes('[xpkg-constraint-meaning]')).toBe(core === 'v2.2.1')
  })

  it('keeps them in files of their own with --split, and joins these again', async () => {
    const {declare, publish, run, root, name} = world()
    declare([{package: name('app:v1.0.0')}])
    publish('app', 'v1.0.0', {requires: {a: '*'}})
    publish('a', 'v1.0.0')
    expect(await run('lock', '--split')).toMatchObject({status: 0})
    const locks = readdirSync(join(root, 'packages.d')).filter(file => file.endsWith('.lock'))
    const fileOf = (path: string) => name(path).replace(/[/:]/g, '_')
    expect(locks.map(file => file.replace(/_[0-9a-f]{8}[.]lock$/, ''))).toEqual([fileOf('a'), fileOf('app')])
    publish('a', 'v1.1.0')
    expect(await run('lock')).toMatchObject({status: 0, stdout: '2 packages unchanged.\n'})
    expect(await run('tree', '--locked')).toMatchObject({status: 0})
  })

  it('pulls what is locked, for commands that read no registry', async () => {
    const {declare, publish, run, name} = world()
    declare([{package: name('app:v1.0.0')}])
    const app = publish('app', 'v1.0.0', {requires: {a: '*'}})
    const a = publish('a', 'v1.0.0')
    await run('lock', '--no-cache')
    expect(await run('pull')).toMatchObject({
      stdout: `${name('a')}:v1.0.0@${a}\n${name('app')}:v1.0.0@${app}\n`,
    })
    expect(await run('tree', '--locked', '--offline')).toMatchObject({status: 0})
    expect(await run('lock', '--offline')).toMatchObject({status: 0, stdout: '2 packages unchanged.\n'})
  })

  it('is bundled alone as a policy allows', async () => {
    const {declare, publish, run, root, name} = world()
    declare([{package: name('app')}])
    publish('app', 'v1.0.0', {requires: {a: '*'}})
    publish('a', 'v1.0.0')
    await run('lock')
    const bundle = async (fields: JsonObject) => {
      const policy = {apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1', kind: 'Policy', ...fields}
      writeFileSync(join(root, 'policy.yaml'), writeYaml([policy]))
      const files = [
        '--lock-file',
        join(root, 'crossplane-packages.lock'),
        '--policy',
        join(root, 'policy.yaml'),
      ]
      return await runCli('bundle', 'create', ...files, '--dry-run', '--cache-dir', join(root, 'cache'))
    }
    const {publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
    const key = publicKey.export({type: 'spki', format: 'pem'}).toString()
    expect(await bundle({sources: [name('app'), name('a')], limits: {packages: 2}})).toMatchObject({
      status: 0,
    })
    for (const [fields, message] of [
      [{sources: [name('app')]}, 'does not allow its source'],
      [{limits: {packages: 1}}, 'cannot use 2 packages'],
      [{signatures: [{repositories: ['*'], signers: [{key}]}]}, 'it is not signed as required'],
    ] as const) {
      const {status, stderr} = await bundle(fields)
      expect({status, stderr}).toEqual({status: 4, stderr: expect.stringContaining(message)})
    }
  })

  it('warns of a requested constraint that the next Crossplane reads in another way, and rejects others', async () => {
    const {declare, publish, run, tags, name} = world()
    declare([{package: name('a'), version: '<2'}], {coreVersion: 'v2.2.1'})
    publish('a', 'v2.5.0')
    const {stderr} = await run('lock')
    expect(tags()).toEqual({a: 'v2.5.0'})
    expect(stderr).toContain(`the request is ${name('a')} <2, which v2.5.0 satisfies`)
    declare([{package: name('a'), version: '>=1.0.0 <3.0.0'}], {coreVersion: 'v2.2.1'})
    const rejected = await run('lock')
    expect(rejected).toMatchObject({status: 1, stdout: ''})
    expect(rejected.stderr).toContain('is not a constraint for Crossplane up to 2.2')
  })

  it('notes majors of a family that do not belong together', async () => {
    const {declare, publish, run, name} = world()
    declare([{package: name('provider-aws-ec2'), version: '<2'}])
    publish('provider-aws-ec2', 'v1.23.0', {requires: {'provider-family-aws': '>= 0.0.0'}})
    publish('provider-family-aws', 'v2.6.0')
    const {status, stderr} = await run('lock')
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('[xpkg-family-version]')})
  })

  it('selects the version with the digest that another package requires', async () => {
    const {declare, publish, run, lock, name} = world()
    declare([{package: name('app')}])
    const a = publish('a', 'v1.0.0')
    publish('a', 'v2.0.0', {requires: {}, crossplane: '*'})
    publish('b', 'v1.0.0', {requires: {a}})
    publish('app', 'v1.0.0', {requires: {a: '>=v1.0.0', b: '*'}})
    const {status, stderr} = await run('lock')
    expect(status).toBe(0)
    expect(stderr).toContain('[xpkg-bytes-and-version]')
    expect(asObject(lock().xpkgs)[name('a')]).toMatchObject({tag: 'v1.0.0', digest: a})
  })
})
