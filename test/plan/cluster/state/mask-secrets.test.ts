import {describe, expect, it} from '@jest/globals'
import {maskSecrets, type Versions} from '../../../../src/plan/cluster/state/mask-secrets.js'
import type {JsonObject} from '../../../../src/yaml/json-value.js'

const secret = (fields: JsonObject, metadata: JsonObject = {name: 'a'}) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata,
  ...fields,
})
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

describe('maskSecrets', () => {
  it.each<{name: string; in: Versions; want: Versions}>([
    {
      name: 'shows that values differ, are added and are removed, and none of them',
      in: {
        before: secret({data: {same: 'c2FtZQ==', changed: 'b25l', gone: 'eA=='}}),
        after: secret({data: {same: 'c2FtZQ==', changed: 'dHdv', new: 'eQ=='}, stringData: {plain: 'y'}}),
      },
      want: {
        before: secret({data: {same: '***', changed: '*** (before)', gone: '***'}}),
        after: secret({
          data: {same: '***', changed: '*** (after)', new: '***'},
          stringData: {plain: '***'},
        }),
      },
    },
    {
      name: 'masks a new Secret',
      in: {after: secret({data: {a: 'eA=='}, type: 'Opaque'})},
      want: {after: secret({data: {a: '***'}, type: 'Opaque'})},
    },
    {
      name: 'masks data that is not a map',
      in: {before: secret({data: 'x'}), after: secret({data: ['x']})},
      want: {before: secret({data: '*** (before)'}), after: secret({data: '*** (after)'})},
    },
    {
      name: 'masks the copy that kubectl apply keeps',
      in: {before: secret({}, {annotations: {[LAST_APPLIED]: '{"data":{"a":"eA=="}}', other: 'b'}})},
      want: {before: secret({}, {annotations: {[LAST_APPLIED]: '***', other: 'b'}})},
    },
    {
      name: 'leaves other objects as they are',
      in: {before: {kind: 'ConfigMap', data: {a: 'b'}}, after: {kind: 'ConfigMap', data: {a: 'c'}}},
      want: {before: {kind: 'ConfigMap', data: {a: 'b'}}, after: {kind: 'ConfigMap', data: {a: 'c'}}},
    },
  ])('$name', ({in: versions, want}) => {
    expect(maskSecrets(versions)).toEqual(want)
  })
})
