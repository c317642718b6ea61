import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../../src/errors.js'
import {renderRequested} from '../../../src/package/stack/render-resolved.js'
import {ERAS} from '../../../src/render/era.js'
import {podImages} from '../../../src/kubernetes/pod-images.js'
import type {TeamPolicy} from '../../../src/pipeline/request/team-policy.js'
import type {ResolutionPolicy} from '../../../src/resolve/packages/resolution-policy.js'
import {withVerifiedImages} from '../../../src/pipeline/signatures/rendered-images.js'
import {withTrust} from '../../../src/locate/with-trust.js'
import type {PackageTrust} from '../../../src/signatures/package-trust.js'
import {outcome} from '../../outcome.js'
import {memoryDirectory} from '../../unpack/files/memory-directory.js'
import {POLICY, request, withoutPackages} from '../../pipeline/memory-packages.js'

const IMAGE = `registry.example.org/images/main@sha256:${'a'.repeat(64)}`
const filesWith = (image: string) => ({
  '.registry/app.yaml': 'title: Test\nversion: v1.0.0\npermissionScope: Cluster\n',
  '.registry/install.yaml': `apiVersion: apps/v1
kind: Deployment
spec:
  selector: {}
  template:
    spec: {containers: [{name: main, image: "${image}"}]}
`,
})
const CHOICES = {
  ...{era: ERAS.packages, base: false, pin: false, createNamespace: false, includeRequest: false},
  crds: {apiVersion: 'v1', nonStructural: 'refuse'},
  ...{allowCorePermissions: false, allowFullDeployment: false},
} as const

/** A folder with the package, whose ports have no trust of their own: upgrades and rollbacks have such. */
function packages(image = IMAGE) {
  const place = {
    ...{repositoryPath: 'x/app', tag: 'v1.0.0'},
    at: {kind: 'directory', path: 'app'} as const,
  }
  const ports = withoutPackages()
  return {
    ...ports,
    sources: {...ports.sources, directory: () => Promise.resolve(memoryDirectory(filesWith(image)))},
    folder: {all: () => Promise.resolve([place]), versions: () => Promise.resolve([place])},
  }
}

const trust: PackageTrust = {
  covers: repository => repository.startsWith('registry.example.org/'),
  accepts: () => true,
  trusts: () => true,
  expect: repository =>
    repository.startsWith('registry.example.org/')
      ? Promise.reject(new CrossplaneError('signature-refused', `${repository} is not signed`))
      : Promise.resolve([]),
}

it('the images of packages are verified by the trust of the policy, whatever the ports have', async () => {
  const requested = [request('x/app:v1.0.0')]
  const rendered = (policy: typeof POLICY) =>
    outcome(async () => await renderRequested({requested, policy}, CHOICES, packages()))
  expect(await rendered({...POLICY, trust})).toBe('signature-refused')
  expect(await rendered(POLICY)).toMatchObject({installs: [{name: 'x-app'}]})
})

describe('the source of a request, which replaces that of images,', () => {
  const team: TeamPolicy = {
    ...{
      file: 'policy.yaml',
      owners: [],
      limits: {},
      reject: {},
      rules: [],
      signatures: [],
      signatureRules: [],
    },
    manager: {namespaces: [], clusterNamespaces: []},
    sources: [
      {prefix: 'docker.io', line: 3},
      {prefix: 'mirror.example.org', line: 4},
    ],
  }
  const signed: PackageTrust = {
    ...trust,
    covers: repository => repository.startsWith('images/'),
    expect: () => Promise.resolve([]),
  }

  it.each<{
    readonly name: string
    readonly policy: Pick<ResolutionPolicy, 'teams' | 'trust'>
    readonly image?: string
    readonly source: string
    readonly want: string
  }>([
    {
      name: 'that is not allowed',
      policy: {teams: [team]},
      source: 'evil.example.org',
      want: 'policy-refused',
    },
    {
      name: 'that only begins as an allowed one',
      policy: {teams: [team]},
      source: 'mirror.example.org.evil',
      want: 'policy-refused',
    },
    {
      name: 'with slashes around it',
      policy: {teams: [team]},
      source: '/evil.example.org/',
      want: 'policy-refused',
    },
    {
      name: 'that is allowed',
      policy: {teams: [team]},
      source: 'mirror.example.org',
      want: 'mirror.example.org/images/main:v1',
    },
    {
      name: 'without effect on the image',
      policy: {teams: [team]},
      image: IMAGE,
      source: 'evil.example.org',
      want: IMAGE,
    },
    {
      name: 'without a policy',
      policy: {},
      source: 'evil.example.org',
      want: 'evil.example.org/images/main:v1',
    },
    {
      name: 'of an image with a digest that must be signed',
      policy: {trust: signed},
      image: `images/main@sha256:${'a'.repeat(64)}`,
      source: 'mirror.example.org',
      want: 'signature-refused',
    },
    {
      name: 'of an image of a signed package',
      policy: {trust: {...signed, covers: repository => repository === 'x/app'}},
      source: 'mirror.example.org',
      want: 'signature-refused',
    },
  ])('$name: $want', async ({policy, image = 'images/main:v1', source, want}) => {
    const parameters = {imagePullSecrets: [], serviceAccountAnnotations: {}, source}
    const requested = [request('docker.io/x/app:v1.0.0', {parameters})]
    const rendered = await outcome(async () => {
      const {objects} = await renderRequested(
        {requested, policy: {...POLICY, ...policy}},
        CHOICES,
        packages(image),
      )
      return podImages(objects.map(({object}) => object)).join()
    })
    expect(rendered).toBe(want)
  })

  it.each([
    {name: 'the same', before: undefined, now: undefined, want: 1},
    {name: 'a new one', before: undefined, now: 'mirror.example.org', want: 'signature-refused'},
    {name: 'none any more', before: 'mirror.example.org', now: undefined, want: 'signature-refused'},
  ])('has images verified again though the package stays: $name', async ({before, now, want}) => {
    const id = {namespace: 'team', name: 'app'}
    const parameters = {imagePullSecrets: [], serviceAccountAnnotations: {}}
    const digest = `sha256:${'b'.repeat(64)}`
    const own = {
      ...{identity: 'docker.io/x/app', tag: 'v1.0.0', version: 'v1.0.0', digest, summaryHash: ''},
    }
    const common = {...id, era: 'packages', scope: 'Cluster', mode: 'requested', for: {}} as const
    const settings = {...parameters, scope: 'Cluster', requestFields: {}, source: before} as const
    const installed = {
      ...{served: [], upgraded: new Set<string>()},
      packages: [{...common, ...own, crds: [], inventory: {hasRequest: false, settings}}],
    }
    const pod = {containers: [{name: 'main', image: IMAGE}]}
    const object = {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'app', namespace: 'team'}, spec: pod}
    const set = {
      objects: [{object, phase: 'controllers', install: id}],
      installs: [{...common, package: own, request: {...parameters, ...common, source: now}}],
    } as const
    const verified = await outcome(async () => {
      const objects = await withVerifiedImages(
        set,
        new Map(),
        {installed, trust},
        withTrust(packages(), trust),
      )
      return objects.length
    })
    expect(verified).toBe(want)
  })
})
