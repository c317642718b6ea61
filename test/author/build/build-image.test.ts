import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {buildImage, tagWarnings} from '../../../src/author/build/build-image.js'
import type {App} from '../../../src/unpack/app.js'
import {examinePackage} from '../../../src/unpack/read-package.js'
import type {PackageFile} from '../../../src/unpack/package-file.js'
import type {Image} from '../../../src/fetch/image.js'
import {registryFilesIn} from '../../corpus.js'
import {bytesOf} from '../../fetch/fake-sources.js'
import {present} from '../../outcome.js'
import {anyOrder} from '../../unpack/files/random-trees.js'

const files = registryFilesIn('test/testdata/packages/image-counter/.registry')
const app = present(examinePackage(files).app)

const build = (more: object = {}) => buildImage({app, files, ...more})

/** The documents of an image, parsed: config and manifest. */
async function documentsOf({config, bytes: manifest}: Image): Promise<readonly unknown[]> {
  const bytes = [await bytesOf(present(config).open()), Buffer.from(manifest)]
  return bytes.map(each => JSON.parse(each.toString()) as unknown)
}

describe('the image of a package', () => {
  it('has this digest on every version of Node: a change breaks reproducible builds', () => {
    expect(build().descriptor.digest).toMatchInlineSnapshot(
      `"sha256:8f0f70071a1f10c918f78c5a4012ddb52f3200f5c4d14914dd6f925fb2165b0b"`,
    )
  })

  it('is the same for any order of the files', () => {
    const {digest} = build().descriptor
    fc.assert(
      fc.property(anyOrder(files), shuffled => {
        expect(build({files: shuffled}).descriptor.digest).toBe(digest)
      }),
      {numRuns: 20},
    )
  })

  it('has the standard annotations of OCI', async () => {
    const annotations = {
      'org.opencontainers.image.authors': 'The kubectl-crossplane authors <maintainers@counter.example>',
      'org.opencontainers.image.description': 'Counts things, as an example of a package in an image.',
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.title': 'Counter',
      'org.opencontainers.image.version': '0.3.0',
    }
    const digest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/)
    expect(await documentsOf(build())).toEqual([
      {
        architecture: 'amd64',
        os: 'linux',
        config: {Labels: annotations},
        rootfs: {type: 'layers', diff_ids: [digest]},
        history: [{created_by: 'kubectl crossplane package build'}],
      },
      {
        schemaVersion: 2,
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
        config: {
          mediaType: 'application/vnd.oci.image.config.v1+json',
          digest,
          size: expect.any(Number),
        },
        layers: [
          {
            mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
            digest,
            size: expect.any(Number),
            annotations: {'io.crossplane.package.registry-layer': 'whole'},
          },
        ],
        annotations,
      },
    ])
  })

  it('has a date only if an epoch is given', async () => {
    const [config, manifest] = await documentsOf(build({epoch: 1_700_000_000}))
    const created = '2023-11-14T22:13:20Z'
    expect({config, manifest}).toMatchObject({
      config: {created, history: [{created}]},
      manifest: {annotations: {'org.opencontainers.image.created': created}},
    })
    expect(JSON.stringify(await documentsOf(build()))).not.toContain('created"')
  })

  it('has the commit and the source repository, unless app.yaml names a source', async () => {
    const source = {revision: 'f00', isDirty: false, remote: 'git@example.org:team/counter.git'}
    const [, manifest] = await documentsOf(build({source}))
    expect(manifest).toMatchObject({
      annotations: {
        'org.opencontainers.image.revision': 'f00',
        'org.opencontainers.image.source': 'https://example.org/team/counter',
      },
    })
    const own = {...app, fields: {...app.fields, source: 'https://example.org/own'}}
    const [, other] = await documentsOf(build({source, app: own}))
    expect(other).toMatchObject({annotations: {'org.opencontainers.image.source': 'https://example.org/own'}})
  })

  it.each<{name: string; fields: App['fields']; want: object}>([
    {
      name: 'owners if there are no maintainers',
      fields: {owners: [{name: 'A'}, {email: 'b@example.org'}, {}]},
      want: {'org.opencontainers.image.authors': 'A, <b@example.org>'},
    },
    {
      name: 'the long overview if there is no short one',
      fields: {overview: 'Long.'},
      want: {'org.opencontainers.image.description': 'Long.'},
    },
    {
      name: 'company and website',
      fields: {company: 'Example', website: 'https://example.org'},
      want: {
        'org.opencontainers.image.vendor': 'Example',
        'org.opencontainers.image.url': 'https://example.org',
      },
    },
    {name: 'nothing where no fields are set', fields: {title: '', maintainers: []}, want: {}},
  ])('names $name', async ({fields, want}) => {
    const [, manifest] = await documentsOf(build({app: {...app, fields}}))
    expect((manifest as {annotations?: object}).annotations ?? {}).toEqual(want)
  })

  it.each(['.wh.app.yaml', 'resources/.wh..wh..opq', '.wh.folder/app.yaml'])(
    'rejects the file %s, which would delete others',
    path => {
      const odd: PackageFile = {path, bytes: new Uint8Array(0)}
      expect(() => build({files: [...files, odd]})).toThrow(
        expect.objectContaining({
          code: 'package-invalid',
          diagnostics: [expect.objectContaining({file: `.registry/${path}`})],
        }),
      )
    },
  )
})

describe('the version and the tag', () => {
  it.each([
    {version: '0.3.0', tag: '0.3.0'},
    {version: '0.3.0', tag: 'v0.3.0'},
    {version: 'v0.3.0', tag: '0.3.0-rc.1'},
    {version: undefined, tag: 'v1'},
    {version: '0.3.0', tag: undefined},
  ])('$version matches the tag $tag', ({version, tag}) => {
    expect(tagWarnings(version, tag)).toEqual([])
  })

  it.each([
    {version: '0.3.0', tag: 'latest'},
    {version: 'v0.3.0', tag: 'main'},
    {version: '0.3.0', tag: '3fa9c01d'},
    {version: undefined, tag: 'anything'},
  ])('$version gets a warning for the tag $tag', ({version, tag}) => {
    expect(tagWarnings(version, tag)).toMatchObject([{severity: 'warning', rule: 'tag-not-a-version'}])
  })

  it.each([
    {version: '0.3.0', tag: '0.3.1'},
    {version: 'v0.3.0', tag: 'v1'},
  ])('$version does not match the tag $tag', ({version, tag}) => {
    expect(() => tagWarnings(version, tag)).toThrow(
      expect.objectContaining({code: 'usage', suggestions: [expect.stringContaining('0.3.0')]}),
    )
  })
})
