import {describe, expect, it} from '@jest/globals'
import {isForeignLayer, isManifestType, mediaKind, OCI_TYPES, ociType} from '../../src/fetch/media-types.js'

const DOCKER = 'application/vnd.docker'

describe('a Docker media type', () => {
  it.each([
    {name: `${DOCKER}.distribution.manifest.list.v2+json`, want: OCI_TYPES.index},
    {name: `${DOCKER}.distribution.manifest.v2+json`, want: OCI_TYPES.manifest},
    {name: `${DOCKER}.container.image.v1+json`, want: OCI_TYPES.config},
    {name: `${DOCKER}.image.rootfs.diff.tar`, want: OCI_TYPES.tar},
    {name: `${DOCKER}.image.rootfs.diff.tar.gzip`, want: OCI_TYPES.gzip},
    {name: `${DOCKER}.image.rootfs.diff.tar.zstd`, want: OCI_TYPES.zstd},
  ])('$name is $want of OCI', ({name, want}) => {
    expect([ociType(name), mediaKind(name)]).toEqual([want, mediaKind(want)])
  })
})

describe('a media type', () => {
  it('is the same with parameters and in another case', () => {
    expect(mediaKind(`${OCI_TYPES.index.toUpperCase()}; charset=utf-8`)).toBe('index')
  })

  it('keeps its name and has no kind if it is unknown', () => {
    expect([ociType('text/plain'), mediaKind('text/plain'), mediaKind('constructor')]).toEqual([
      'text/plain',
      undefined,
      undefined,
    ])
  })

  it('of a layer that must not be distributed is a layer', () => {
    const foreign = `${DOCKER}.image.rootfs.foreign.diff.tar.gzip`
    expect([isForeignLayer(foreign), mediaKind(foreign), ociType(foreign)]).toEqual([true, 'layer', foreign])
    expect(isForeignLayer(OCI_TYPES.gzip)).toBe(false)
  })

  it('of a config is not of a manifest', () => {
    expect([OCI_TYPES.config, OCI_TYPES.manifest, OCI_TYPES.index].map(isManifestType)).toEqual([
      false,
      true,
      true,
    ])
  })
})
