import {describe, expect, it} from '@jest/globals'
import {withRequestParameters} from '../../src/render/controller-parameters.js'
import type {InstallRequest} from '../../src/render/request.js'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {requestOf} from './sample-package.js'

const OWN = 'example/widgets:v1@sha256:0'

interface Case {
  readonly name: string
  readonly reason: string
  readonly podSpec: JsonObject
  readonly request: Partial<InstallRequest>
  readonly image?: string
  readonly want: JsonObject
}

const cases: readonly Case[] = [
  {
    name: 'containers without an image',
    reason: "they run the package's own, init containers too",
    podSpec: {
      initContainers: [{name: 'i', image: ''}],
      containers: [{name: 'a'}, {name: 'b', image: 'other'}],
    },
    request: {},
    want: {
      initContainers: [{name: 'i', image: OWN}],
      containers: [
        {name: 'a', image: OWN},
        {name: 'b', image: 'other'},
      ],
    },
  },
  {
    name: 'a package without an image',
    reason: 'nothing is better than an empty one',
    podSpec: {containers: [{name: 'a'}]},
    request: {},
    image: '',
    want: {containers: [{name: 'a'}]},
  },
  {
    name: 'a pull policy',
    reason: 'it is set on all',
    podSpec: {initContainers: [{image: 'i'}], containers: [{image: 'a', imagePullPolicy: 'Always'}]},
    request: {imagePullPolicy: 'Never'},
    want: {
      initContainers: [{image: 'i', imagePullPolicy: 'Never'}],
      containers: [{image: 'a', imagePullPolicy: 'Never'}],
    },
  },
  {
    name: 'no pull policy',
    reason: "the package's own stays",
    podSpec: {containers: [{image: 'a', imagePullPolicy: 'Always'}]},
    request: {},
    want: {containers: [{image: 'a', imagePullPolicy: 'Always'}]},
  },
  {
    name: 'pull secrets',
    reason: "they come after the package's own, and twice if named twice",
    podSpec: {containers: [], imagePullSecrets: [{name: 'own'}]},
    request: {imagePullSecrets: ['b', 'own']},
    want: {containers: [], imagePullSecrets: [{name: 'own'}, {name: 'b'}, {name: 'own'}]},
  },
  {
    name: 'a source',
    reason: 'images without a registry are pulled from it',
    podSpec: {
      initContainers: [{image: 'localhost/i'}],
      containers: [
        {},
        {image: 'a'},
        {image: 'example.org/a'},
        {image: 'example.org:5000/a'},
        {image: 'No Image'},
      ],
    },
    request: {source: '/mirror.example.org/all/'},
    want: {
      initContainers: [{image: 'localhost/i'}],
      containers: [
        {image: 'mirror.example.org/all/example/widgets:v1'},
        {image: 'mirror.example.org/all/a'},
        {image: 'example.org/a'},
        {image: 'example.org:5000/a'},
        {image: 'No Image'},
      ],
    },
    image: 'example/widgets:v1',
  },
  {
    name: 'everything else',
    reason: 'it stays as it was',
    podSpec: {restartPolicy: 'Always', containers: [{name: 'a', image: 'a', env: []}]},
    request: {},
    want: {restartPolicy: 'Always', containers: [{name: 'a', image: 'a', env: []}]},
  },
]

describe('withRequestParameters', () => {
  it.each(cases)('$name: $reason', ({podSpec, request, image = OWN, want}) => {
    const deployment = {replicas: 2, template: {metadata: {labels: {a: 'b'}}, spec: podSpec}}
    expect(withRequestParameters(deployment, requestOf(request), image)).toEqual({
      replicas: 2,
      template: {metadata: {labels: {a: 'b'}}, spec: want},
    })
  })
})
