import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {asObject, asObjects, asText} from '../../../src/yaml/json-value.js'
import {accepted} from '../../cluster/kube.js'
import {crossplane} from '../../cluster/servers.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {describeCore, TIMEOUT} from './describe-core.js'
import {listed, succeed} from './package-commands.js'
import {publish} from './published-packages.js'

const CORE = ['--core-version', `v${crossplane.version}`]
const YES = ['--yes', '--timeout', '120s']
const DEFINITIONS = 'apiextensions.crossplane.io/v1alpha1/managedresourcedefinitions'
const POLICIES = 'apiextensions.crossplane.io/v1alpha1/managedresourceactivationpolicies'

const temporary = temporaryFolder()

describeCore('what is applied beside packages', core => {
  const at = (name: string) => `${core().host}/world/${name}`
  const before = process.env.KUBECONFIG

  beforeAll(async () => {
    const safe = {kind: 'Provider', repository: at('safe')}
    const requires = [{...safe, version: '>=v1.0.0'}]
    const parent = {tag: 'v1.0.0', kind: 'Configuration', requires}
    await publish(temporary, [
      {...safe, tag: 'v1.0.0', requires: [], capabilities: ['safe-start'], defines: 'Gate'},
      {...parent, repository: at('one')},
      {...parent, repository: at('two')},
    ])
    process.env.KUBECONFIG = core().cluster.kubeconfig
  }, TIMEOUT)
  afterAll(() => {
    process.env.KUBECONFIG = before
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
})
