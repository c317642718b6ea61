import {beforeAll, expect} from '@jest/globals'
import {openApi} from '../../cluster/open-api.js'
import {coreContract} from '../../fakes/core-contract.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {describeCore, TIMEOUT} from './describe-core.js'
import {publish} from './published-packages.js'

const temporary = temporaryFolder()

describeCore(
  'what suites without Crossplane take for granted of it',
  core => {
    const tag = 'v1.0.0'
    const repository = () => `${core().host}/contract/network`

    beforeAll(async () => {
      await publish(temporary, [{repository: repository(), tag, kind: 'Configuration', requires: []}])
      await core().apply({
        ...{apiVersion: 'pkg.crossplane.io/v1', kind: 'Configuration', metadata: {name: 'contract-network'}},
        spec: {package: `${repository()}:${tag}`},
      })
      const {healthy} = await core().settled(state => state.healthy.length > 0)
      expect(healthy).toHaveLength(1)
    }, TIMEOUT)

    coreContract(() => ({api: openApi(core().cluster), repository: repository(), tag}), TIMEOUT)
  },
  {keepsPackages: true},
)
