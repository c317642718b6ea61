import {describe, expect, it} from '@jest/globals'
import {outermost, placesDiffering, placesLacking} from '../../../src/health/sides/differences.js'
import {placeText} from '../../../src/health/sides/place.js'
import type {JsonValue} from '../../../src/yaml/json-value.js'

interface Case {
  readonly name: string
  readonly reason: string
  readonly in: readonly [JsonValue, JsonValue]
  readonly want: readonly string[]
}

const containers = (...items: readonly JsonValue[]) => ({containers: items})

describe('the places at which an object lacks what is wanted of it', () => {
  it.each<Case>([
    {name: 'a default', reason: 'servers add them', in: [{a: 1}, {a: 1, b: 2}], want: []},
    {name: 'another value', reason: 'it was changed', in: [{a: {b: 1}}, {a: {b: 2}}], want: ['a.b']},
    {name: 'an absent field', reason: 'it was removed', in: [{a: {b: 1}}, {a: {}}], want: ['a.b']},
    {name: 'an empty list', reason: 'servers leave it out', in: [{a: []}, {}], want: []},
    {name: 'a false', reason: 'servers leave it out', in: [{a: false}, {}], want: []},
    {name: 'a true', reason: 'it has a meaning', in: [{a: true}, {}], want: ['a']},
    {
      name: 'an empty directory',
      reason: 'its presence is a volume',
      in: [{emptyDir: {}}, {}],
      want: ['emptyDir'],
    },
    {name: 'a quantity', reason: 'servers write one form', in: [{cpu: '1000m'}, {cpu: '1'}], want: []},
    {name: 'a size', reason: 'servers write one form', in: [{memory: '1024Mi'}, {memory: '1Gi'}], want: []},
    {name: 'another quantity', reason: 'it was changed', in: [{cpu: '500m'}, {cpu: '1'}], want: ['cpu']},
    {name: 'a prefix of a name', reason: 'no number is meant', in: [{a: 'v1'}, {a: 'v10'}], want: ['a']},
    {
      name: 'a moved item of a merged list',
      reason: 'its key names it',
      in: [containers({name: 'a', image: 'x'}), containers({name: 'b'}, {name: 'a', image: 'x'})],
      want: [],
    },
    {
      name: 'a changed item of a merged list',
      reason: 'its key names it',
      in: [containers({name: 'a', image: 'x'}), containers({name: 'b'}, {name: 'a', image: 'y'})],
      want: ['containers[name=a].image'],
    },
    {
      name: 'a port without its protocol',
      reason: 'servers add TCP to the key',
      in: [{ports: [{containerPort: 80}]}, {ports: [{containerPort: 80, protocol: 'TCP'}]}],
      want: [],
    },
    {
      name: 'one item too many in any other list',
      reason: 'servers replace it as a whole',
      in: [{rules: [{verbs: ['get']}]}, {rules: [{verbs: ['get']}, {verbs: ['*']}]}],
      want: ['rules'],
    },
    {
      name: 'a default in an item of any other list',
      reason: 'servers add them',
      in: [{versions: [{name: 'v1'}]}, {versions: [{name: 'v1', deprecated: false, more: 1}]}],
      want: [],
    },
    {
      name: 'a key of a prototype',
      reason: 'it is a field',
      in: [{constructor: 1}, {}],
      want: ['constructor'],
    },
  ])('$name: $reason', ({in: [want, have], want: places}) => {
    expect(placesLacking(want, have).map(placeText)).toEqual(places)
  })

  it('counts both directions where both sides are wanted', () => {
    expect(placesDiffering({a: 1, c: 1}, {b: 1, c: 1}).map(placeText)).toEqual(['a', 'b'])
  })

  it('leaves out places within others', () => {
    expect(outermost([['a', 'b'], ['a'], ['ab'], ['a']]).map(placeText)).toEqual(['a', 'ab'])
  })
})
