import {describe, expect, it} from '@jest/globals'
import {formatDocument} from '../../src/cli/shell/document/show.js'
import {outcome} from '../outcome.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {expectGolden} from '../golden.js'
import {inspectHere, type Said} from './inspect-here.js'

/** As typed in the project's folder. */
const here = (name: string) => `./test/testdata/packages/${name}`

const CASES: readonly {name: string; reason: string; in: string; said: Said}[] = [
  {
    name: 'inspect-wide',
    reason: 'requests all permissions: rejected by default, but inspected',
    in: 'inspect-wide',
    said: {asPackage: 'example/wide:v1.4.0'},
  },
  {
    name: 'inspect-wide-mirrored',
    reason: 'the request decides images, policy, secrets and the names of an era',
    in: 'inspect-wide',
    said: {
      api: 'stacks',
      asPackage: 'example/wide:v1.4.0',
      namespace: 'infra',
      name: 'wide',
      source: 'mirror.example.org',
      imagePullPolicy: 'Always',
      imagePullSecrets: ['mirror'],
    },
  },
  {
    name: 'inspect-template',
    reason: 'version and namespace are not given: both are assumed, and the version is left out',
    in: 'inspect-template',
    said: {},
  },
  {name: 'inspect-plain', reason: 'runs nothing and owns nothing', in: 'inspect-plain', said: {}},
]

describe('the report of a package', () => {
  it.each(CASES)('$name: $reason', async ({name, in: folder, said}) => {
    const report = await inspectHere(here(folder), said)
    expectGolden(`${name}.json`, formatDocument({kind: 'InspectReport', ...report}, 'json'))
  })

  it.each(CASES)('$name gives the same twice, and does not change its input', async ({in: folder, said}) => {
    const [first, second] = [await inspectHere(here(folder), said), await inspectHere(here(folder), said)]
    expect(second).toEqual(first)
  })
})

const APP = 'title: Own\nversion: v1\npermissionScope: Cluster\n'
const DEPLOYMENT = `kind: Deployment
spec:
  template:
    spec:
      containers:
      - {name: own}
      - {name: named, image: 'example/own:v1'}
`

describe('optional values', () => {
  const folder = writeTree(temporaryFolder(), {
    'own/.registry/app.yaml': APP,
    'own/.registry/install.yaml': DEPLOYMENT,
    'bad/.registry/app.yaml': 'version: 1\n',
  })

  it('omit the image of the package itself, but not another one of the same name', async () => {
    const {install, runs, package: facts} = await inspectHere(`${folder}/own`)
    expect({assumed: install.assumed, images: runs.images, containers: runs.containers}).toEqual({
      assumed: ['image'],
      images: [
        {pin: 'none', usedBy: ['own']},
        {image: 'example/own:v1', pin: 'tag', usedBy: ['named']},
      ],
      containers: [
        {
          name: 'own',
          role: 'main',
          isOwnImage: true,
          pin: 'none',
          isPullPolicyDefault: true,
          command: [],
          args: [],
        },
        {
          name: 'named',
          role: 'main',
          image: 'example/own:v1',
          isOwnImage: false,
          pin: 'tag',
          pullPolicy: 'IfNotPresent',
          isPullPolicyDefault: true,
          command: [],
          args: [],
        },
      ],
    })
    expect({reference: facts.reference, repository: facts.repository}).toEqual({
      reference: undefined,
      repository: 'local/own',
    })
  })

  it.each([
    {name: 'a tag', reason: 'can move', in: 'example/own:v1', want: 'tag'},
    {name: 'a digest', reason: 'never moves', in: `example/own@sha256:${'0'.repeat(64)}`, want: 'digest'},
  ])('are replaced by --as-package, for $name: $reason', async ({in: asPackage, want}) => {
    const {install, runs} = await inspectHere(`${folder}/own`, {asPackage})
    expect({
      assumed: install.assumed,
      image: runs.containers[0]?.image,
      pin: runs.containers[0]?.pin,
    }).toEqual({
      assumed: [],
      image: asPackage,
      pin: want,
    })
  })

  it('are not reported for an invalid package', async () => {
    expect(await outcome(() => inspectHere(`${folder}/bad`))).toBe('package-invalid')
  })
})
