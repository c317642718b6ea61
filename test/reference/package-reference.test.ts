import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import {
  formatPackageReference,
  type PackageReference,
  parsePackageImage,
  parsePackageReference,
} from '../../src/reference/package-reference.js'

const digest = `sha256:${'0'.repeat(64)}` as const

const forms: readonly [text: string, want: PackageReference][] = [
  [
    'crossplane/provider-gcp:v0.11.0',
    {kind: 'image', name: {path: 'crossplane/provider-gcp', tag: 'v0.11.0'}},
  ],
  ['widgets', {kind: 'image', name: {path: 'widgets'}}],
  [
    `registry.example.org:5000/a/b:v1@${digest}`,
    {kind: 'image', name: {registry: 'registry.example.org:5000', path: 'a/b', tag: 'v1', digest}},
  ],
  ['.', {kind: 'directory', path: '.'}],
  ['..', {kind: 'directory', path: '..'}],
  ['./', {kind: 'directory', path: './'}],
  ['./Dir With Spaces', {kind: 'directory', path: './Dir With Spaces'}],
  ['../widgets:v1', {kind: 'directory', path: '../widgets:v1'}],
  ['/', {kind: 'directory', path: '/'}],
  ['/abs/dir/.registry', {kind: 'directory', path: '/abs/dir/.registry'}],
  ['oci:layout', {kind: 'oci-layout', path: 'layout'}],
  ['oci:/abs/Layout:v1', {kind: 'oci-layout', path: '/abs/Layout', tag: 'v1'}],
  ['oci:layout:a:b', {kind: 'oci-layout', path: 'layout', tag: 'a:b'}],
  ['oci-archive:../image.tar', {kind: 'oci-archive', path: '../image.tar'}],
  ['oci-archive:image.tar:v1', {kind: 'oci-archive', path: 'image.tar', tag: 'v1'}],
  ['docker-archive:image.tar', {kind: 'docker-archive', path: 'image.tar'}],
  [
    'docker-archive:image.tar:example/widgets:v1',
    {kind: 'docker-archive', path: 'image.tar', tag: 'example/widgets:v1'},
  ],
  [String.raw`.\widgets`, {kind: 'directory', path: String.raw`.\widgets`}],
  [String.raw`..\widgets`, {kind: 'directory', path: String.raw`..\widgets`}],
  [String.raw`C:\widgets`, {kind: 'directory', path: String.raw`C:\widgets`}],
  ['d:/widgets', {kind: 'directory', path: 'd:/widgets'}],
  [String.raw`\\server\share`, {kind: 'directory', path: String.raw`\\server\share`}],
  [String.raw`oci:C:\layout`, {kind: 'oci-layout', path: String.raw`C:\layout`}],
  ['oci-archive:C:/image.tar:v1', {kind: 'oci-archive', path: 'C:/image.tar', tag: 'v1'}],
  ['oci:///layout', {kind: 'oci-layout', path: '///layout'}],
  // A name that begins like a transport and has no path after it is an image.
  ['oci-archive', {kind: 'image', name: {path: 'oci-archive'}}],
]

const rejected = [
  ...['', 'Widgets', 'a b', 'a:', 'a@sha256:0', '.hidden', '~/dir', 'C:dir', 'https://example.org/a'],
  ...['oci://', 'oci://widgets', 'oci://example/widgets', 'oci://registry.example.org/Widgets'],
  ...['crd:', 'crd:buckets.example.org/v1', 'crd:v1.0'],
  ...['oci:', 'oci::v1', 'oci:layout:', 'oci-archive:', 'docker-archive::', 'dir/'],
]

describe('parsePackageReference', () => {
  it.each(forms)('%s', (text, want) => {
    expect(parsePackageReference(text)).toEqual(want)
  })

  it('reads the form of Helm and ORAS as an image', () => {
    const name = {registry: 'registry.example.org', path: 'team/widgets', tag: 'v1'}
    expect(parsePackageReference('oci://registry.example.org/team/widgets:v1')).toEqual({
      kind: 'image',
      name,
    })
    expect(parsePackageImage('oci://registry.example.org/team/widgets:v1')).toEqual(name)
  })

  it.each(rejected)('rejects %j', text => {
    expect(() => parsePackageReference(text)).toThrow(expect.objectContaining({code: 'reference-invalid'}))
  })

  it.each(['a/b@sha256:123', `a/b:v1@sha256:${'F'.repeat(64)}`])(
    'says what is wrong with the digest of %s',
    text => {
      expect(() => parsePackageReference(text)).toThrow('is not sha256: and 64 digits of 0-9 and a-f')
    },
  )
})

describe('an invalid reference', () => {
  it.each([
    {
      in: 'https://example.org/x:v1',
      message: 'it is a URL',
      next: 'Write example.org/x:v1, without https://.',
    },
    {in: 'example/x:', message: 'the tag is empty', next: 'Use [HOST/]PATH'},
    {in: '', message: 'it is empty', next: 'Use [HOST/]PATH'},
  ])('says why $in is none, and what to write', ({in: text, message, next}) => {
    expect(() => parsePackageImage(text)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(message) as unknown,
        suggestions: [expect.stringContaining(next)],
      }),
    )
  })
})

describe('formatPackageReference', () => {
  it.each(forms)('formats %s unchanged', (text, reference) => {
    expect(formatPackageReference(reference)).toBe(text)
  })
})

describe('parsePackageImage', () => {
  it.each(['./dir', 'oci:layout/', '..'])('rejects the path %s', text => {
    expect(() => parsePackageImage(text)).toThrow(CrossplaneError)
    expect(() => parsePackageImage(text)).toThrow(expect.objectContaining({code: 'reference-invalid'}))
  })

  it('reads an image', () => {
    expect(parsePackageImage('example/widgets:v1')).toEqual({path: 'example/widgets', tag: 'v1'})
  })
})
