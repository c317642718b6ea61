import {expect, it} from '@jest/globals'
import {CrossplaneError} from '../../../src/errors.js'
import {renderRequested} from '../../../src/pipeline/render/render-resolved.js'
import {ERAS} from '../../../src/render/era.js'
import type {PackageTrust} from '../../../src/signatures/package-trust.js'
import {outcome} from '../../outcome.js'
import {memoryDirectory} from '../../unpack/files/memory-directory.js'
import {POLICY, request, withoutPackages} from '../memory-packages.js'

const IMAGE = `registry.example.org/images/main@sha256:${'a'.repeat(64)}`
const FILES = {
  '.registry/app.yaml': 'title: Test\nversion: v1.0.0\npermissionScope: Cluster\n',
  '.registry/install.yaml': `apiVersion: apps/v1
kind: Deployment
spec:
  selector: {}
  template:
    spec: {containers: [{name: main, image: "${IMAGE}"}]}
`,
}
const CHOICES = {
  ...{era: ERAS.packages, base: false, pin: false, createNamespace: false, includeRequest: false},
  crds: {apiVersion: 'v1', nonStructural: 'refuse'},
  ...{allowCorePermissions: false, allowFullDeployment: false},
} as const

/** A folder with the package, whose ports have no trust of their own: upgrades and rollbacks have such. */
function packages() {
  const place = {
    ...{repositoryPath: 'x/app', tag: 'v1.0.0'},
    at: {kind: 'directory', path: 'app'} as const,
  }
  const ports = withoutPackages()
  return {
    ...ports,
    sources: {...ports.sources, directory: () => Promise.resolve(memoryDirectory(FILES))},
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
