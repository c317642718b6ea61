import {describe, expect, it} from '@jest/globals'
import {SOURCE_LIMITS} from '../../../src/fetch/source-limits.js'
import {directoryFiles} from '../../../src/unpack/files/directory-files.js'
import {outcome} from '../../outcome.js'
import {memoryDirectory} from './memory-directory.js'
import type {DirectorySpec} from './memory-directory.js'
import {packageDirectoryContract} from './package-directory-contract.js'

packageDirectoryContract('memoryDirectory', spec => memoryDirectory(spec))

describe('directoryFiles', () => {
  async function read(spec: DirectorySpec, location?: readonly string[], limits = SOURCE_LIMITS) {
    const files = await directoryFiles(memoryDirectory(spec, location), limits)
    return Object.fromEntries(files.map(({path, bytes}) => [path, String(Buffer.from(bytes))]))
  }

  it.each<{name: string; reason: string; spec: DirectorySpec; location?: readonly string[]; want: unknown}>([
    {
      name: 'a directory that holds .registry',
      reason: 'a working copy',
      spec: {'.registry/app.yaml': 'app', '.registry/d/x': 'x', Makefile: 'm', 'app.yaml': 'not this'},
      want: {'app.yaml': 'app', 'd/x': 'x'},
    },
    {
      name: 'a directory called .registry',
      reason: 'with any content',
      spec: {x: 'x'},
      location: ['p', '.registry'],
      want: {x: 'x'},
    },
    {
      name: 'a directory with an app.yaml',
      reason: 'a .registry by another name',
      spec: {'app.yaml': 'app', 'd/x': 'x'},
      want: {'app.yaml': 'app', 'd/x': 'x'},
    },
    {name: 'an empty .registry', reason: 'it exists', spec: {'.registry/': ''}, want: {}},
    {name: 'anything else', reason: 'no package', spec: {'d/app.yaml': 'app'}, want: 'not-found'},
    {
      name: 'a directory with a file called .registry',
      reason: 'no package',
      spec: {'.registry': ''},
      want: 'not-found',
    },
    {
      name: 'an app.yaml that is a directory',
      reason: 'no package',
      spec: {'app.yaml/x': ''},
      want: 'not-found',
    },
    {
      name: 'a .registry that is a link',
      reason: 'as in an image',
      spec: {'.registry': {link: 'd'}, 'd/app.yaml': ''},
      want: 'source-unsafe',
    },
    {
      name: 'links inside',
      reason: 'relative or absolute',
      spec: {
        '.registry/a': 'a',
        '.registry/l': {link: 'a'},
        '.registry/m': {link: '/home/pkg/.registry/a'},
        '.registry/d/n': {link: '../../../pkg/.registry/a'},
      },
      want: {a: 'a', l: 'a', m: 'a', 'd/n': 'a'},
    },
    {
      name: 'a linked directory',
      reason: 'with its content',
      spec: {'.registry/d/x': 'x', '.registry/l': {link: 'd'}},
      want: {'d/x': 'x', 'l/x': 'x'},
    },
    {
      name: 'a link to a file beside the package',
      reason: 'it leaves the package',
      spec: {'.registry/l': {link: '../Makefile'}, Makefile: 'm'},
      want: 'source-unsafe',
    },
    {
      name: 'an absolute link out',
      reason: 'it leaves the package',
      spec: {'.registry/l': {link: '/etc/passwd'}},
      want: 'source-unsafe',
    },
    {
      name: 'an absolute link as in an image',
      reason: 'the root is that of the local file system',
      spec: {'.registry/a': 'a', '.registry/l': {link: '/.registry/a'}},
      want: 'source-unsafe',
    },
    {
      name: 'a link to nothing',
      reason: 'dangling',
      spec: {'.registry/l': {link: 'no'}},
      want: 'source-unsafe',
    },
    {
      name: 'a link in a circle',
      reason: 'without end',
      spec: {'.registry/l': {link: 'm'}, '.registry/m': {link: 'l'}},
      want: 'source-unsafe',
    },
    {
      name: 'a link to the directory it is in',
      reason: 'without end',
      spec: {'.registry/d/l': {link: '.'}},
      want: 'source-unsafe',
    },
    {
      name: 'a socket',
      reason: 'it is not a file',
      spec: {'.registry/s': {other: true}},
      want: 'source-unsafe',
    },
    {
      name: 'a control character',
      reason: 'the name is invalid',
      spec: {'.registry/a\tb': ''},
      want: 'source-unsafe',
    },
    {
      name: 'a name that is not UTF-8',
      reason: 'the name is invalid',
      spec: {'.registry/caf\ufffd': ''},
      want: 'source-unsafe',
    },
    {
      name: 'a deep directory',
      reason: 'bounded',
      spec: {[`.registry/${'a/'.repeat(32)}a`]: ''},
      want: 'limit-exceeded',
    },
    {
      name: 'a long link',
      reason: 'bounded',
      spec: {'.registry/l': {link: 'a/'.repeat(600)}},
      want: 'limit-exceeded',
    },
  ])('reads $name: $reason', async ({spec, location, want}) => {
    expect(await outcome(() => read(spec, location))).toEqual(want)
  })

  const limits = {...SOURCE_LIMITS, files: 2, directories: 2, fileBytes: 5, packageBytes: 8}
  it.each<{name: string; spec: DirectorySpec; want: unknown}>([
    {name: 'no more than the limit', spec: {'.registry/d/a': '12345', '.registry/b': '123'}, want: 2},
    {
      name: 'more files',
      spec: {'.registry/a': '', '.registry/b': '', '.registry/c': ''},
      want: 'limit-exceeded',
    },
    {
      name: 'many more files than are listed',
      spec: {'.registry/a': '', '.registry/b': '', '.registry/c': '', '.registry/d': '', '.registry/e': ''},
      want: 'limit-exceeded',
    },
    {name: 'more directories', spec: {'.registry/a/': '', '.registry/b/': ''}, want: 'limit-exceeded'},
    {name: 'a longer file', spec: {'.registry/a': '123456'}, want: 'limit-exceeded'},
    {name: 'more bytes', spec: {'.registry/a': '12345', '.registry/b': '1234'}, want: 'limit-exceeded'},
  ])('limits $name', async ({spec, want}) => {
    expect(await outcome(async () => Object.keys(await read(spec, undefined, limits)).length)).toBe(want)
  })
})
