import {expect, it} from '@jest/globals'
import {readDescriptors} from '../../src/fetch/descriptor.js'
import type {Image} from '../../src/fetch/image.js'
import {blobOf, described} from '../../src/fetch/oci-parts.js'
import {parseJsonObject} from '../../src/fetch/json-document.js'
import {referrersIndex} from '../../src/signatures/signed-bundle.js'

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
const config = blobOf('application/vnd.example.config', Buffer.from('{}'))

function artifact(fields: Record<string, string | Record<string, string>>): Image {
  const {mediaType, digest, size} = config.descriptor
  const document = {
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: {mediaType, digest, size},
    layers: [],
    ...fields,
  }
  return {...described(document), config, layers: []}
}

it('lists artifacts with the type and annotations of their manifests, as the API for referrers does', () => {
  const signature = artifact({artifactType: 'application/signature', annotations: {b: '2', a: '1'}})
  const former = {
    ...artifact({artifactType: 'application/sbom'}).descriptor,
    ...{artifactType: 'application/sbom', annotations: {kept: 'yes'}},
  }
  const {bytes} = referrersIndex([former], [signature, artifact({})])
  const listed = readDescriptors(parseJsonObject(bytes, 'index'), 'manifests', 'index')
  expect(listed.map(({artifactType, annotations}) => ({artifactType, annotations}))).toEqual([
    {artifactType: 'application/sbom', annotations: {kept: 'yes'}},
    {artifactType: 'application/signature', annotations: {a: '1', b: '2'}},
    {artifactType: config.descriptor.mediaType, annotations: {}},
  ])
})
