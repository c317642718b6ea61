import {describe, expect, it} from '@jest/globals'
import {generatedSbom} from '../../../src/author/attest/generated-sbom.js'
import {givenSbom} from '../../../src/author/attest/given-sbom.js'
import {sbomContents} from '../../../src/author/attest/sbom-contents.js'
import type {Digest} from '../../../src/fetch/image.js'
import {outcome} from '../../outcome.js'

const bytes = (text: string) => Buffer.from(text)
const DIGEST: Digest = `sha256:${'a'.repeat(64)}`
const OTHER: Digest = `sha256:${'b'.repeat(64)}`

const STACK = {
  files: [
    {
      path: 'app.yaml',
      bytes: bytes(
        'title: App\nversion: 0.1.0\npermissionScope: Cluster\ndependsOn:\n- crd: b.other.example.org/v1\n- package: other/app\n',
      ),
    },
    {
      path: 'install.yaml',
      bytes: bytes(`apiVersion: apps/v1
kind: Deployment
metadata: {name: app}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      initContainers: [{name: init, image: 'registry.example.org/init@${DIGEST}'}]
      containers: [{name: app, image: 'registry.example.org/team/app:v1'}]
`),
    },
    {
      path: 'resources/a.crd.yaml',
      bytes: bytes(`apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: as.example.org
  annotations: {controller-gen.kubebuilder.io/version: v0.3.0}
spec:
  group: example.org
  names: {kind: A, plural: as}
  version: v1
`),
    },
  ],
}

const XPKG = {
  files: [
    {
      path: 'package.yaml',
      bytes: bytes(`apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata: {name: app}
spec:
  dependsOn:
  - {apiVersion: pkg.crossplane.io/v1, kind: Provider, package: registry.example.org/team/provider, version: ">=v1.0.0"}
---
apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: xas.example.org}
spec:
  group: example.org
  names: {kind: XA, plural: xas}
  claimNames: {kind: A, plural: as}
  versions:
  - {name: v1, served: true, referenceable: true, schema: {openAPIV3Schema: {type: object}}}
`),
    },
  ],
  xpkg: {form: 'folder'} as const,
}

const sbom = (files: Parameters<typeof sbomContents>[1]) =>
  generatedSbom({
    repository: {registry: 'registry.example.org', path: 'team/app'},
    ...{tag: 'v0.1.0', digest: DIGEST, version: '1.2.3'},
    layers: [{mediaType: 'application/x', digest: OTHER, size: 7, annotations: {}}],
    contents: sbomContents('app', files),
    digests: new Map([['registry.example.org/team/app:v1', OTHER]]),
  }).predicate as {components: {name: string; hashes?: {content: string}[]}[]}

describe('a generated SBOM', () => {
  it('lists layers, CRDs, images by digest and dependencies of a package', () => {
    const {components} = sbom(STACK)
    expect(components.map(({name, hashes}) => [name, hashes?.[0]?.content])).toEqual([
      [OTHER, OTHER.slice(7)],
      ['as.example.org', expect.stringMatching(/^[0-9a-f]{64}$/)],
      ['registry.example.org/init', DIGEST.slice(7)],
      ['registry.example.org/team/app', OTHER.slice(7)],
      ['b.other.example.org/v1', undefined],
      ['other/app', undefined],
    ])
    expect(components[1]).toMatchObject({
      properties: expect.arrayContaining([{name: 'kubectl-crossplane:controllerGen', value: 'v0.3.0'}]),
      evidence: {occurrences: [{location: '.registry/resources/a.crd.yaml'}]},
    })
  })

  it('lists the CRDs and dependencies of an xpkg', () => {
    const {components} = sbom(XPKG)
    expect(components.slice(1)).toMatchObject([
      {name: 'xas.example.org', evidence: {occurrences: [{location: 'package.yaml', line: 8}]}},
      {name: 'as.example.org', properties: [{}, {value: 'CompositeResourceDefinition'}]},
      {
        name: 'registry.example.org/team/provider',
        purl: 'pkg:oci/provider?repository_url=registry.example.org/team/provider',
        properties: [{}, {value: '>=v1.0.0'}],
      },
    ])
  })
})

describe('a given SBOM', () => {
  it.each([
    {in: {bomFormat: 'CycloneDX', specVersion: '1.5'}, want: 'https://cyclonedx.org/bom'},
    {in: {spdxVersion: 'SPDX-2.3'}, want: 'https://spdx.dev/Document'},
  ])('has the type $want', ({in: predicate, want}) => {
    expect(givenSbom(bytes(JSON.stringify(predicate)), 'x')).toEqual({predicateType: want, predicate})
  })

  it.each(['', 'text', '{}', '[]', '<bom/>'])('is not %j', async text => {
    expect(await outcome(() => givenSbom(bytes(text), 'x'))).toBe('input-invalid')
  })
})
