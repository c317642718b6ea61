import {describe, expect, it} from '@jest/globals'
import {isKeptByController} from '../../../src/kubernetes/controller-annotations.js'
import {layOutXpkgs} from '../../../src/plan/layout/xpkg/lay-out-xpkgs.js'
import {withNamesOfCluster} from '../../../src/render/xpkg/named-image-configs.js'
import {writeYaml} from '../../../src/yaml/write-yaml.js'
import {outcome} from '../../outcome.js'

const object = (kind: string, name: string) => ({
  stage: 0,
  object: {apiVersion: 'pkg.crossplane.io/v1beta1', kind, metadata: {name}},
})
const SET = [object('ImageConfig', 'sql-v1'), object('ImageConfig', 'net-v1'), object('Provider', 'sql-v1')]

describe('ImageConfigs of a set that the cluster has', () => {
  it.each<{
    readonly name: string
    readonly in: Readonly<Record<string, string>>
    readonly want: readonly string[]
  }>([
    {name: 'keep their names without a mapping', in: {}, want: ['sql-v1', 'net-v1', 'sql-v1']},
    {name: 'have those of the cluster', in: {'sql-v1': 'pin'}, want: ['pin', 'net-v1', 'sql-v1']},
    {name: 'are left out', in: {'sql-v1': 'none', 'net-v1': 'none'}, want: ['sql-v1']},
    {name: 'ignore what is not rendered', in: {constructor: 'pin'}, want: ['sql-v1', 'net-v1', 'sql-v1']},
  ])('$name', ({in: names, want}) => {
    expect(withNamesOfCluster(SET, names).map(one => one.object.metadata.name)).toEqual(want)
  })

  it.each([
    {name: 'flux', settings: {source: 's', namespace: 'n', interval: '1m'}},
    {
      name: 'argocd',
      settings: {
        ...{
          repoURL: 'u',
          targetRevision: 'HEAD',
          destination: {},
          project: 'p',
          namespace: 'n',
          refresh: true,
        },
      },
    },
  ])('are not deleted by the controller of the layout $name when an upgrade has another pin', layout => {
    const objects = withNamesOfCluster(SET, {'sql-v1': 'team'})
    const options = {layout, path: 'packages', xpkgFolder: 'xpkgs'} as unknown as Parameters<
      typeof layOutXpkgs
    >[1]
    const files = layOutXpkgs({objects, warnings: []}, options, one => writeYaml([one]))
    const [team] = files.flatMap(({object: one}) => (one?.metadata.name === 'team' ? [one] : []))
    expect(team && isKeptByController(team)).toBe(true)
  })

  it('are rejected if two would have one name', async () => {
    expect(await outcome(() => withNamesOfCluster(SET, {'sql-v1': 'net-v1'}))).toBe('usage')
  })
})
