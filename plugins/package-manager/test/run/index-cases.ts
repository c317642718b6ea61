import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {mkdtempSync, renameSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, asText, type JsonObject} from 'kubectl-crossplane/plugin'
import type {TestCluster} from '../../../../test/cluster/api-server.js'
import {accepted, connect, type Kube, until} from '../../../../test/cluster/kube.js'
import {TENANT, tenantToken} from '../../../../test/commands/cluster/tenant.js'
import {type RegistryServer, startRegistry} from '../../../../test/fakes/registry-server.js'
import {present} from '../../../../test/outcome.js'
import {runCli} from '../../../../test/run-cli.js'
import {temporaryFolder} from '../../../../test/temporary-folder.js'
import {yankedCases} from './check-cases.js'
import {managerSuite, named, request, SYSTEM} from './manager-suite.js'
import {type RealManager, startManager} from './real-manager.js'
import {sampleCrd, writePackage} from './sample-packages.js'

/** A line of an index file, as far as these cases change it. */
interface Entry {
  readonly kind: string
  readonly identity: string
  readonly tag: string
  readonly crds: readonly JsonObject[]
  readonly dependsOn: readonly JsonObject[]
}

const GEARS = {gears: sampleCrd('gears.example.org', 'Gear', 'gears')}
const BRAKES = {brakes: sampleCrd('brakes.example.org', 'Brake', 'brakes')}
const AXLES = {axles: sampleCrd('axles.example.org', 'Axle', 'axles')}
/** The CRDs of others. */
const BELT_CRDS = ['Brake', 'Gear'].map(kind => ({
  ...{kind, singular: kind.toLowerCase(), plural: `${kind.toLowerCase()}s`, scope: 'Namespaced'},
  ...{group: `${kind.toLowerCase()}s.example.org`, served: ['v1'], stored: 'v1'},
}))
const NOWHERE = [{crd: 'things.nowhere.example.org/v1'}]

/** What those who can write to an index do to installs, and to the requests of a tenant. */
export function indexCases(cluster: () => TestCluster, token: () => string): void {
  const {apply, read, settled, policy} = managerSuite(cluster)
  const folder = mkdtempSync(join(temporaryFolder(), 'indexes-'))
  /** The index that precedes that of the registry. */
  const preceding = join(folder, 'preceding.jsonl')
  let registry: RegistryServer | undefined
  let tenant: Kube | undefined
  let manager: RealManager | undefined

  const host = () => present(registry).host
  const reference = (name: string, tag = 'v1.0.0') => `${host()}/good/${name}:${tag}`
  const ofSystem = (name: string) => request(SYSTEM, name, {package: reference(name)})
  const ofTenant = (name: string) => request(TENANT, name, {package: reference(name)})
  const create = async (object: JsonObject) => accepted(await present(tenant).create(object))
  const done = async (...args: readonly string[]) => {
    const result = await runCli(...args)
    expect({args, ...result}).toMatchObject({args, status: 0})
    return result.stdout
  }
  const index = () => `${host()}/index`
  const publish = async (name: string, sample: Partial<Parameters<typeof writePackage>[2]>) => {
    const {version = 'v1.0.0'} = sample
    writePackage(folder, name, {version, ...sample})
    const path = join(folder, `${name}@${version}`)
    await done('package', 'push', reference(name, version), path, '--no-lint', '--index', index())
  }
  /** Writes the preceding index: lines of the other one, changed. */
  const precede = async (lie: (name: string) => Partial<Entry> | undefined) => {
    const text = await done('registry', 'index', 'export', '--index', index(), '--no-cache')
    const [header = '', ...lines] = text.trim().split('\n')
    const lies = lines.flatMap(line => {
      const entry = JSON.parse(line) as Entry
      const isEntry = entry.kind === 'PackageEntry' && entry.tag === 'v1.0.0'
      const change = isEntry ? lie(entry.identity.replace(/.*\//, '')) : undefined
      return change === undefined ? [] : [JSON.stringify({...entry, ...change})]
    })
    writeFileSync(`${preceding}.new`, [header, ...lies, ''].join('\n'))
    renameSync(`${preceding}.new`, preceding)
  }
  const dependenciesOf = async (object: JsonObject) =>
    asObjects(asObject((await read(object)).status).dependencies)
  /** The versions that run of two requests and of their dependency. */
  const versions = async () => {
    const [gears = {}] = await dependenciesOf(ofSystem('wheels'))
    return await Promise.all(
      ['belt', asText(gears.name), 'wheels'].map(async name => {
        const {spec} = await read(named('Deployment', `${name}-controller`, SYSTEM, 'apps/v1'))
        return /"name":"VERSION","value":"(v[^"]*)"/.exec(JSON.stringify(spec))?.[1]
      }),
    )
  }
  const resolvedIn = ({status}: JsonObject) => asText(asObject(asObject(status).resolved).version)

  describe('with packages of an index', () => {
    beforeAll(async () => {
      registry = await startRegistry()
      await publish('belt', {})
      await publish('gears', {crds: GEARS})
      await publish('wheels', {dependsOn: ['gears.gears.example.org']})
      await publish('pedal', {scope: 'Namespaced'})
      await publish('spoke', {scope: 'Namespaced', dependsOn: ['gears.gears.example.org/v1']})
      await publish('axle', {scope: 'Namespaced', crds: AXLES, dependsOn: ['gears.gears.example.org/v1']})
      await publish('brake', {scope: 'Namespaced', crds: BRAKES})
      await precede(() => undefined)
      const owners = ['gears', 'brake', 'axle'].map(
        name => `${name.replace(/s?$/, 's')}.example.org: ${host()}/good/${name}`,
      )
      await policy(`owners: {${owners.join(', ')}}\nmanager: {namespaces: [${TENANT}]}\n`)
      const {kube, url, ca} = cluster()
      tenant = connect({url, ca, token: await tenantToken(kube)})
      manager = await startManager(cluster(), token(), {index: [preceding, index()]})
      for (const name of ['belt', 'wheels']) {
        await apply(ofSystem(name))
        expect(await settled(ofSystem(name), 'Synced', /^True/)).toBe('True ReconcileSuccess')
      }
    }, 120_000)

    afterAll(async () => {
      await manager?.stop()
      tenant?.close()
      await registry?.close()
    })

    yankedCases(cluster, join(folder, 'fixtures'), {host, root: index})

    it('T4: keeps installed versions that were yanked, and says so, also of a dependency', async () => {
      for (const [name, crds] of [
        ['belt', {}],
        ['gears', GEARS],
      ] as const) {
        await publish(name, {version: 'v1.1.0', crds})
        await done('registry', 'index', 'yank', reference(name), '--reason', 'it leaks', '--index', index())
      }
      // Of another namespace, of packages that have nothing to do with them, and of one that requires one.
      for (const name of ['pedal', 'spoke']) await create(ofTenant(name))
      expect(await settled(ofTenant('pedal'), 'Synced', /^True/)).toBe('True ReconcileSuccess')
      const warning = (name: string) =>
        `True ReconcileSuccess ${reference(name)} is installed but was yanked: it leaks`
      expect(await settled(ofTenant('spoke'), 'Synced', /^True/)).toBe(warning('gears'))
      for (const [name, yanked] of [
        ['belt', 'belt'],
        ['wheels', 'gears'],
      ] as const) {
        const {spec, ...rest} = ofSystem(name)
        await apply({...rest, spec: {...asObject(spec), imagePullPolicy: 'Always'}})
        expect(await settled(ofSystem(name), 'Synced', /yanked/)).toBe(warning(yanked))
        expect(resolvedIn(await read(ofSystem(name)))).toBe('v1.0.0')
      }
      expect(await versions()).toEqual(['v1.0.0', 'v1.0.0', 'v1.0.0'])
    })

    it('T5: goes on beside an index with invented content, and names it', async () => {
      await precede(name => {
        if (name === 'belt') return {crds: BELT_CRDS}
        if (name === 'gears' || name === 'brake') return {dependsOn: NOWHERE}
        return name === 'axle' ? {dependsOn: []} : undefined
      })
      const byCrd = (name: string) => request(TENANT, name, {crd: `${name}s.${name}s.example.org/v1`})
      const lie = (name: string) =>
        `${reference(name)} is read from its package: its entry in ${preceding} is wrong about its dependencies`
      for (const name of ['brake', 'axle']) await create(byCrd(name))
      for (const name of ['brake', 'axle'])
        expect(await settled(byCrd(name), 'Synced', /^True/)).toContain(`True ReconcileSuccess ${lie(name)}`)
      const packages = (await dependenciesOf(byCrd('axle'))).map(each => asText(each.package))
      expect(packages).toEqual([reference('gears')])
      expect(await versions()).toEqual(['v1.0.0', 'v1.0.0', 'v1.0.0'])
      const {kube} = cluster()
      const events = async () =>
        asObjects((await kube.send('GET', `/api/v1/namespaces/${TENANT}/events`)).body.items)
      await until(
        events,
        all =>
          all.some(({message, reason}) => reason === 'PackageWarning' && asText(message) === lie('brake')),
        60,
      )
    })
  })
}
