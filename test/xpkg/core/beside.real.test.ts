import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {accepted, createServed, until} from '../../cluster/kube.js'
import {crossplane} from '../../cluster/servers.js'
import {dockerRegistries} from '../../registry/docker-registry.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'
import {describeCore, TIMEOUT} from './describe-core.js'
import {expectJudgedKeys, expectJudgedStories} from './impact-stories.js'
import {listed, succeed} from './package-commands.js'
import {moveTag, publish} from './published-packages.js'
import {setVariable} from '../../set-variable.js'

const CORE = ['--core-version', `v${crossplane.version}`]
const YES = ['--yes', '--timeout', '120s']
const DEFINITIONS = 'apiextensions.crossplane.io/v1alpha1/managedresourcedefinitions'
const POLICIES = 'apiextensions.crossplane.io/v1alpha1/managedresourceactivationpolicies'

const temporary = temporaryFolder()

const SECRET = {registry: {authentication: {pullSecretRef: {name: 'of-team'}}}}

/** The group of a Provider with several kinds. */
const KINDS = 'kinds.example.org'

function crdOfKind(kind: string): JsonObject {
  const plural = `${kind.toLowerCase()}s`
  const schema = {openAPIV3Schema: {type: 'object'}}
  return {
    ...{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'},
    metadata: {name: `${plural}.${KINDS}`},
    spec: {
      ...{group: KINDS, scope: 'Cluster'},
      names: {kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List`},
      versions: [{name: 'v1', served: true, storage: true, schema}],
    },
  }
}

function imageConfig(name: string, prefixes: readonly string[], spec: JsonObject) {
  return {
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'ImageConfig',
    metadata: {name},
    spec: {matchImages: prefixes.map(prefix => ({type: 'Prefix', prefix})), ...spec},
  }
}

describeCore('what is applied beside packages', core => {
  const startRegistry = dockerRegistries()
  const at = (name: string) => `${core().host}/world/${name}`
  const {KUBECONFIG: before, DOCKER_CONFIG: docker} = process.env

  beforeAll(async () => {
    const safe = {kind: 'Provider', repository: at('safe')}
    const requires = [{...safe, version: '>=v1.0.0'}]
    const parent = {tag: 'v1.0.0', kind: 'Configuration', requires}
    await publish(temporary, [
      {...safe, tag: 'v1.0.0', requires: [], capabilities: ['safe-start'], defines: 'Gate'},
      {...parent, repository: at('one')},
      {...parent, repository: at('two')},
      {
        ...parent,
        repository: at('app'),
        requires: [...requires, {...safe, repository: at('extra'), version: '>=v1.0.0'}],
      },
      {...parent, repository: at('app'), tag: 'v1.1.0'},
      {
        ...{...parent, repository: at('app'), tag: 'v1.2.0'},
        requires: [...requires, {...safe, repository: at('late'), version: '>=v1.0.0'}],
      },
      {
        ...{...safe, repository: at('late'), tag: 'v1.0.0', requires: []},
        ...{capabilities: ['safe-start'], defines: 'Late'},
      },
      {...safe, repository: at('extra'), tag: 'v1.0.0', requires: [], defines: 'Extra'},
    ])
    process.env.KUBECONFIG = core().cluster.kubeconfig
  }, TIMEOUT)
  afterAll(() => {
    setVariable('KUBECONFIG', before)
    setVariable('DOCKER_CONFIG', docker)
  })

  const items = async (resource: string) =>
    asObjects(accepted(await core().cluster.kube.send('GET', `/apis/${resource}`)).items)
  const names = async (resource: string) =>
    (await items(resource)).map(({metadata}) => asText(asObject(metadata).name))

  it(
    'removes an activation policy with the last package that needs it',
    async () => {
      await succeed('install', at('one'), ...CORE, ...YES)
      await succeed('install', at('two'), ...CORE, ...YES)
      expect(await names(POLICIES)).toEqual(['world-one', 'world-two'])
      const one = await succeed('uninstall', 'world-one', ...YES)
      expect(one.stderr).toContain('ManagedResourceActivationPolicy world-one deleted')
      await succeed('uninstall', 'world-two', ...YES)
      expect(await names(POLICIES)).toEqual(['world-two'])
      expect((await items(DEFINITIONS)).map(({spec}) => asObject(spec).state)).toEqual(['Active'])
      await succeed('uninstall', 'world-safe', ...YES)
      expect(await names(POLICIES)).toEqual([])
      expect(await listed()).toEqual([])
    },
    TIMEOUT,
  )

  it(
    'leaves what is activated as it is while versions change, and names what they require no more',
    async () => {
      await succeed('install', at('app:v1.0.0'), '--activate=none', ...CORE, ...YES)
      expect(await names(POLICIES)).toEqual([])
      const {stderr} = await succeed('upgrade', at('app:v1.1.0'), ...CORE, ...YES)
      const [, removal = ''] = /Once the new versions are active: kubectl crossplane (.+)/.exec(stderr) ?? []
      expect(stderr).toContain(
        `new versions of ${at('app')} do not require provider.pkg.crossplane.io/world-extra`,
      )
      expect(removal).toBe('package uninstall provider.pkg.crossplane.io/world-extra')
      await succeed('install', at('app:v1.1.0'), ...CORE, ...YES)
      expect(await names(POLICIES)).toEqual([])
      await succeed('rollback', 'configuration.pkg.crossplane.io/world-app', ...CORE, ...YES)
      await succeed('upgrade', at('app:v1.1.0'), ...CORE, ...YES)
      expect(await names(POLICIES)).toEqual([])
      await succeed(...removal.split(' ').slice(1), ...YES)
      expect((await listed()).map(({name}) => name)).toEqual(['world-safe', 'world-app'])
      const added = await succeed('upgrade', at('app:v1.2.0'), ...CORE, ...YES)
      expect(added.stderr).toContain(
        `the cluster gets no activation policy: no policy activates a kind of ${at('late')}`,
      )
      expect(await names(POLICIES)).toEqual([])
      await succeed('upgrade', 'world-app', '--activate=all', ...CORE, ...YES)
      expect(await names(POLICIES)).toEqual(['world-app'])
      const again = await succeed('upgrade', at('app:v1.1.0'), ...CORE, ...YES)
      expect(again.stderr).not.toContain('activation policy')
      expect(await names(POLICIES)).toEqual(['world-app'])
    },
    TIMEOUT,
  )

  it(
    'stops an upgrade that has effects on custom resources, unless they are accepted',
    async () => {
      const cluster = {
        folder: temporary,
        at,
        create: (object: JsonObject) => createServed(core().cluster.kube, object),
        flags: [...CORE, ...YES],
      }
      await expectJudgedStories(cluster)
      await expectJudgedKeys(cluster)
    },
    TIMEOUT * 2,
  )

  /** Pushes a Provider whose kinds are inactive until a policy activates them. */
  const pushKinds = async (repository: string, kinds: readonly string[]) => {
    const meta = {
      ...{apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider', metadata: {name: 'kinds'}},
      spec: {capabilities: ['safe-start']},
    }
    const files = kinds.map(kind => [`${kind}.yaml`, JSON.stringify(crdOfKind(kind))])
    const source = writeTree(mkdtempSync(join(temporary, 'kinds-')), {
      'crossplane.yaml': JSON.stringify(meta),
      ...(Object.fromEntries(files) as Readonly<Record<string, string>>),
    })
    await succeed('push', `${repository}:v1.0.0`, source)
  }

  it(
    'activates exactly the kinds that are used',
    async () => {
      await pushKinds(at('kinds'), ['Filed', 'Live', 'Idle'])
      const home = mkdtempSync(join(temporary, 'home-'))
      const file = join(home, 'crossplane-packages.yaml')
      const head =
        'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\nxpkg: # ours\n'
      const declare = (activate: string) => {
        const rest = `coreVersion: v${crossplane.version}\npackages:\n- package: ${at('kinds')}\n`
        writeFileSync(file, `${head}  activate: ${activate}\n${rest}`)
      }
      writeTree(home, {
        'objects/one.yaml': `apiVersion: ${KINDS}/v1\nkind: Filed\nmetadata: {name: one}\n`,
      })
      const activation = async (...more: readonly string[]) =>
        await succeed('activation', '--declaration', file, '--objects', join(home, 'objects'), ...more)
      const states = async () =>
        (await items(DEFINITIONS))
          .filter(({spec}) => asObject(spec).group === KINDS)
          .map(({metadata, spec}) => `${asText(asObject(metadata).name)} ${asText(asObject(spec).state)}`)
          .sort()
      const served = async () =>
        (await names('apiextensions.k8s.io/v1/customresourcedefinitions')).filter(name =>
          name.endsWith(KINDS),
        )

      declare('[]')
      await activation('--write')
      await succeed('install', '--declaration', file, ...YES)
      await until(states, list => list.some(line => line.endsWith(' Active')), 60)
      expect(await states()).toEqual([
        `fileds.${KINDS} Active`,
        `idles.${KINDS} Inactive`,
        `lives.${KINDS} Inactive`,
      ])
      expect(await served()).toEqual([`fileds.${KINDS}`])
      await activation('--check')

      declare('all')
      await succeed('install', '--declaration', file, ...YES)
      await until(served, list => list.length === 3, 60)
      const live = {apiVersion: `${KINDS}/v1`, kind: 'Live', metadata: {name: 'one'}}
      await until(
        () => core().cluster.kube.apply(live, {force: true}),
        ({code}) => code < 300,
      )
      const written = await activation('--write', '--context', 'test')
      expect(written.stdout).toMatch(/cluster +1 object/)
      expect(readFileSync(file, 'utf8')).toContain(
        `xpkg: # ours\n  activate:\n  - fileds.${KINDS}\n  - lives.${KINDS}\ncoreVersion`,
      )
    },
    TIMEOUT,
  )

  /** A Provider in a registry with an account, which only an ImageConfig for the tags of the Provider lets Crossplane read. */
  const guarded = async () => {
    const account = {username: 'team', password: 'of-team'}
    const {host} = await startRegistry({account})
    const auth = Buffer.from(`${account.username}:${account.password}`).toString('base64')
    const config = JSON.stringify({auths: {[host]: {auth}}})
    const folder = mkdtempSync(join(temporary, 'docker-'))
    writeFileSync(join(folder, 'config.json'), config)
    process.env.DOCKER_CONFIG = folder
    const repository = `${host}/team/guarded`
    const digests = await publish(temporary, [{repository, tag: 'v1.0.0', kind: 'Provider', requires: []}])
    const metadata = {name: 'of-team', namespace: 'crossplane-system'}
    const type = 'kubernetes.io/dockerconfigjson'
    const data = {'.dockerconfigjson': Buffer.from(config).toString('base64')}
    await core().apply({apiVersion: 'v1', kind: 'Secret', metadata, type, data})
    await core().apply(imageConfig('of-team', [`${repository}:v1`], SECRET))
    return {repository, digest: digests.get(`${repository}:v1.0.0`)!}
  }

  it(
    'Crossplane itself does not read a pin with a pull secret that is for tags',
    async () => {
      const {repository, digest} = await guarded()
      const rewriteImage = {prefix: `${repository}@${digest}`}
      await core().apply(imageConfig('pin', [`${repository}:v1.0.0`], {rewriteImage}))
      const spec = {package: `${repository}:v1.0.0`}
      await core().apply({
        apiVersion: 'pkg.crossplane.io/v1',
        kind: 'Provider',
        metadata: {name: 'guarded'},
        spec,
      })
      const isDenied = (line: string) => line.includes('UNAUTHORIZED')
      const {others} = await core().settled(state => state.others.some(isDenied))
      expect(others.filter(isDenied)).toHaveLength(1)
    },
    TIMEOUT,
  )

  it(
    'keeps a pull secret that is for the tags of a package',
    async () => {
      const {repository, digest} = await guarded()
      await succeed('install', `${repository}:v1.0.0`, ...CORE, ...YES)
      const pins = (await items('pkg.crossplane.io/v1beta1/imageconfigs')).filter(
        ({spec}) => 'rewriteImage' in asObject(spec),
      )
      const target = `${repository}@${digest}`
      expect(pins.map(({spec}) => spec)).toEqual([
        {
          matchImages: [`${repository}:v1.0.0`, target].map(prefix => ({type: 'Prefix', prefix})),
          rewriteImage: {prefix: target},
          ...SECRET,
        },
      ])
      const [deployment] = await items('apps/v1/namespaces/crossplane-system/deployments')
      const pod = asObject(asObject(asObject(deployment?.spec).template).spec)
      expect(pod.imagePullSecrets).toEqual([{name: 'of-team'}])
      const again = await succeed('install', `${repository}:v1.0.0`, ...CORE, ...YES)
      expect(again.stderr).toContain('2 unchanged')

      const file = join(temporary, 'crossplane-packages.yaml')
      const imported = await succeed('import', '--declaration', file, ...CORE)
      expect(imported.stderr).toContain(
        `ImageConfig of-team has the pull secret of ${repository} for ${repository}:v1`,
      )
      const same = await succeed('install', '--declaration', file, ...YES)
      expect(same.stderr).toContain('2 unchanged')
      await succeed('uninstall', repository, ...YES)
      expect(await names('pkg.crossplane.io/v1beta1/imageconfigs')).toEqual(['of-team'])
    },
    TIMEOUT,
  )

  it(
    'keeps the content of packages that an upgrade does not name, even if their tag has moved',
    async () => {
      const versions = ['moved', 'other'].flatMap(name =>
        ['v1.0.0', 'v1.1.0'].map(tag => ({repository: at(name), kind: 'Provider', requires: [], tag})),
      )
      const digests = await publish(temporary, versions)
      const [first, second] = ['v1.0.0', 'v1.1.0'].map(tag => digests.get(`${at('moved')}:${tag}`))
      await succeed('install', `${at('moved')}:v1.0.0`, ...CORE, ...YES)
      await succeed('install', `${at('other')}:v1.0.0`, ...CORE, ...YES)
      await moveTag(at('moved'), 'v1.0.0', 'v1.1.0')
      const content = async () => {
        const path = '/apis/pkg.crossplane.io/v1/providers/world-moved'
        const {status} = accepted(await core().cluster.kube.send('GET', path))
        return asText(asObject(status).resolvedPackage).split('@').at(-1)
      }
      await succeed('upgrade', `${at('other')}:v1.1.0`, ...CORE, ...YES)
      expect(await content()).toBe(first)
      await succeed('upgrade', `${at('moved')}:v1.0.0`, ...CORE, ...YES)
      // The package was healthy before, so that nothing is waited for.
      await until(content, digest => digest === second, 60)
    },
    TIMEOUT,
  )
})
