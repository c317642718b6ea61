import {describe, expect, it} from '@jest/globals'
import {patchMetadata} from '../../src/apply/patch-metadata.js'
import {json, scriptedApi, statusOf} from '../cluster/api/scripted-api.js'
import {outcome} from '../outcome.js'

const NAME = {apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'a'}
const configMap = (uid: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name: 'a', namespace: 'default', uid, resourceVersion: '7'},
})

/** What becomes of a label, for an object that has conflicts and then another state. */
async function labeled({conflicts = 0, failure = 409, uid = 'u', isLabeled = false}) {
  let left = conflicts
  const {api, asked} = scriptedApi(({method}) => {
    if (method === 'PATCH' && left-- > 0) return statusOf(failure, 'Failure', 'it was changed')
    return json(configMap(uid))
  })
  const patchFor = () => (isLabeled ? undefined : {metadata: {labels: {a: 'b'}}})
  const first = configMap('u').metadata
  const result = await outcome(() => patchMetadata({name: NAME, patchFor}, first, api))
  return {result, patches: asked().filter(line => line.startsWith('PATCH')).length}
}

describe('patchMetadata', () => {
  it.each([
    {name: 'changes the object', in: {}, want: {result: true, patches: 1}},
    {name: 'sends nothing without a change', in: {isLabeled: true}, want: {result: true, patches: 0}},
    {name: 'repeats the patch after conflicts', in: {conflicts: 4}, want: {result: true, patches: 5}},
    {
      name: 'throws the last conflict',
      in: {conflicts: 5},
      want: {result: 'cluster-rejected', patches: 5},
    },
    {
      name: 'stops at another object of the name',
      in: {conflicts: 1, uid: 'other'},
      want: {result: false, patches: 1},
    },
    {
      name: 'reports an object that was deleted',
      in: {conflicts: 1, failure: 404},
      want: {result: false, patches: 1},
    },
    {
      name: 'repeats no other failure',
      in: {conflicts: 1, failure: 422},
      want: {result: 'cluster-rejected', patches: 1},
    },
  ])('$name', async ({in: of, want}) => {
    expect(await labeled(of)).toEqual(want)
  })
})
