import {OCI, part} from '../fetch/image-parts.js'
import {tarOfFiles} from '../fetch/raw-tar.js'
import type {RegistryServer} from './registry-server.js'

/** Adds a package for a current Crossplane to a registry, under a tag; returns its digest. */
export function addXpkg(server: RegistryServer, path: string, tag: string, stream: string): string {
  const repository = server.contents.ensure(path)
  const base = part(OCI.layer, tarOfFiles({'package.yaml': stream}))
  const config = part(OCI.config, {})
  for (const {descriptor, bytes} of [base, config]) repository.blobs.set(descriptor.digest, bytes)
  const manifest = part(OCI.manifest, {
    schemaVersion: 2,
    mediaType: OCI.manifest,
    config: config.descriptor,
    layers: [{...base.descriptor, annotations: {'io.crossplane.xpkg': 'base'}}],
  })
  repository.putManifest(tag, {mediaType: OCI.manifest, bytes: manifest.bytes})
  return manifest.descriptor.digest
}
