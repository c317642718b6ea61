import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {
  formatImageName,
  type ImageName,
  namesRegistry,
  parseImageName,
} from '../../src/reference/image-name.js'

const HEX = '0123456789abcdef'.repeat(4)
const digest = `sha256:${HEX}` as const
const long = 'a'.repeat(255)

const valid: readonly [text: string, want: ImageName][] = [
  ['a', {path: 'a'}],
  ['example/widgets', {path: 'example/widgets'}],
  ['example/widgets:v1.0.0', {path: 'example/widgets', tag: 'v1.0.0'}],
  [`example/widgets@${digest}`, {path: 'example/widgets', digest}],
  [`example/widgets:v1@${digest}`, {path: 'example/widgets', tag: 'v1', digest}],
  ['a/b/c/d', {path: 'a/b/c/d'}],
  ['x/a.b_c__d-e--f', {path: 'x/a.b_c__d-e--f'}],
  ['a.b', {path: 'a.b'}],
  ['example.org/a', {registry: 'example.org', path: 'a'}],
  ['Example.ORG/a', {registry: 'Example.ORG', path: 'a'}],
  ['example.org:5000/a/b:v1', {registry: 'example.org:5000', path: 'a/b', tag: 'v1'}],
  ['localhost/a', {registry: 'localhost', path: 'a'}],
  ['localhost:5000/a', {registry: 'localhost:5000', path: 'a'}],
  ['host:80/a', {registry: 'host:80', path: 'a'}],
  ['127.0.0.1:5000/a', {registry: '127.0.0.1:5000', path: 'a'}],
  ['[::1]/a', {registry: '[::1]', path: 'a'}],
  ['[2001:db8::1]:5000/a:v1', {registry: '[2001:db8::1]:5000', path: 'a', tag: 'v1'}],
  // Without a slash there is no registry: what follows the colon is a tag.
  ['localhost', {path: 'localhost'}],
  ['localhost:5000', {path: 'localhost', tag: '5000'}],
  ['example.org', {path: 'example.org'}],
  ['a:V1._-x', {path: 'a', tag: 'V1._-x'}],
  [`a:${'t'.repeat(128)}`, {path: 'a', tag: 't'.repeat(128)}],
  [long, {path: long}],
  [`example.org/${long}`, {registry: 'example.org', path: long}],
]

const invalid: readonly [text: string, reason: string][] = [
  ['', 'nothing'],
  ['/', 'no segments'],
  ['/a', 'an empty segment'],
  ['a/', 'an empty segment'],
  ['a//b', 'an empty segment'],
  ['example.org/', 'a registry alone'],
  ['A', 'upper case'],
  ['example/Widgets', 'upper case'],
  ['Example/widgets', 'upper case, and no registry'],
  ['a b', 'a space'],
  [' a', 'a space'],
  ['a\n', 'a line break'],
  ['-a', 'a separator at an end'],
  ['a-', 'a separator at an end'],
  ['a..b', 'a separator too long'],
  ['a___b', 'a separator too long'],
  ['a._b', 'two separators'],
  ['é', 'no ASCII'],
  ['a:', 'an empty tag'],
  ['a:-x', 'a tag that begins with a separator'],
  ['a:x:y', 'two tags'],
  ['a:x/y', 'a port that is none'],
  [`a:${'t'.repeat(129)}`, 'a tag too long'],
  ['a@', 'an empty digest'],
  [`a@${HEX}`, 'a digest without algorithm'],
  [`a@sha256:${HEX.slice(1)}`, 'a digest too short'],
  [`a@sha256:${HEX}0`, 'a digest too long'],
  [`a@sha256:${HEX.toUpperCase()}`, 'a digest in upper case'],
  [`a@sha512:${HEX}${HEX}`, 'another algorithm'],
  [`a@${digest}:v1`, 'a tag after the digest'],
  [`a@${digest}@${digest}`, 'two digests'],
  ['example.org:/a', 'an empty port'],
  ['example.org:x/a', 'a port that is no number'],
  ['example..org/a', 'an empty label'],
  ['-example.org/a', 'a label with a separator at an end'],
  ['example_1.org/a', 'an underscore in a host'],
  ['[::1/a', 'an open bracket'],
  ['[]/a', 'no address'],
  ['[::g]/a', 'no address'],
  ['::1/a', 'an address without brackets'],
  [`${long}a`, 'a path too long'],
  [`example.org/${long}a`, 'a path too long'],
  ['https://example.org/a', 'a URL'],
]

describe('parseImageName', () => {
  it.each(valid)('%s', (text, want) => {
    expect(parseImageName(text)).toStrictEqual(want)
  })

  it.each(invalid)('rejects %j: %s', text => {
    expect(parseImageName(text)).toBeUndefined()
  })

  it.each(valid)('%s is formatted unchanged', (text, name) => {
    expect(formatImageName(name)).toBe(text)
  })

  it('parses any text to a name that is formatted unchanged, or to none', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z0-9.:@/_-]{0,40}$/)), text => {
        const name = parseImageName(text)
        expect(name === undefined || formatImageName(name) === text).toBe(true)
      }),
    )
    expect(parseImageName(`${'a-'.repeat(100_000)}/a`)).toBeUndefined()
    expect(parseImageName(`${'a.'.repeat(100_000)}/a`)).toBeUndefined()
  })
})

describe('namesRegistry', () => {
  it.each([
    ['a', false],
    ['a.b', false],
    ['a:5000', false],
    ['a/b', false],
    ['Localhost/b', false],
    ['localhost/b', true],
    ['a.b/c', true],
    ['a:5000/c', true],
    ['[::1]/c', true],
    ['/a.b/c', false],
  ])('%s: %p', (image, want) => {
    expect(namesRegistry(image)).toBe(want)
  })
})
