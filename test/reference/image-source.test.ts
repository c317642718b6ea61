import {describe, expect, it} from '@jest/globals'
import {imageFromSource} from '../../src/reference/image-source.js'

const digest = `sha256:${'0'.repeat(64)}`

const cases: readonly {
  readonly reason: string
  readonly image: string
  readonly source: string
  readonly want: string
}[] = [
  {reason: 'no registry', image: 'a/b:v1', source: 'example.org', want: 'example.org/a/b:v1'},
  {reason: 'a single segment', image: 'a', source: 'example.org', want: 'example.org/a'},
  {
    reason: 'a pinned image',
    image: `a:v1@${digest}`,
    source: 'example.org',
    want: `example.org/a:v1@${digest}`,
  },
  {reason: 'a source with a path', image: 'a', source: 'example.org/all/of', want: 'example.org/all/of/a'},
  {
    reason: 'a source with slashes at its ends',
    image: 'a',
    source: '//example.org/x//',
    want: 'example.org/x/a',
  },
  {
    reason: 'a tag that looks like a port',
    image: 'a:5000',
    source: 'example.org',
    want: 'example.org/a:5000',
  },
  {reason: 'a path that looks like a host', image: 'a.b', source: 'example.org', want: 'example.org/a.b'},
  {reason: 'a registry', image: 'other.org/a', source: 'example.org', want: 'other.org/a'},
  {reason: 'a registry by its port', image: 'other:5000/a', source: 'example.org', want: 'other:5000/a'},
  {reason: 'localhost', image: 'localhost/a', source: 'example.org', want: 'localhost/a'},
  {reason: 'no image reference', image: 'Not An Image', source: 'example.org', want: 'Not An Image'},
  {reason: 'upper case', image: 'Example/a', source: 'example.org', want: 'Example/a'},
  {reason: 'no image at all', image: '', source: 'example.org', want: ''},
  {reason: 'an empty source', image: 'a', source: '', want: 'a'},
  {reason: 'a source of slashes', image: 'a', source: '//', want: 'a'},
]

describe('imageFromSource', () => {
  it.each(cases)('$reason: $image', ({image, source, want}) => {
    expect(imageFromSource(image, source)).toBe(want)
  })
})
