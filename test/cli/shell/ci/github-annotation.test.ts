import {describe, expect, it} from '@jest/globals'
import {
  type Annotation,
  annotationOf,
  formatAnnotations,
} from '../../../../src/cli/shell/ci/github-annotation.js'
import {packageFile} from '../../../../src/cli/shell/ci/package-file.js'
import {repositoryFile} from '../../../../src/cli/shell/ci/repository-file.js'

describe('an annotation', () => {
  it.each<{readonly name: string; readonly in: Annotation; readonly want: string}>([
    {name: 'of nothing but a message', in: {level: 'error', message: 'a: b, c'}, want: '::error::a: b, c'},
    {
      name: 'at a line',
      in: {level: 'warning', message: 'm', title: 'rule', file: 'a/b.yaml', line: 3},
      want: '::warning file=a/b.yaml,line=3,title=rule::m',
    },
    {
      name: 'with text that would be a property or the message',
      in: {level: 'notice', message: '100% ::error::x', title: 'a,b', file: 'a:b,line=9::%'},
      want: '::notice file=a%3Ab%2Cline=9%3A%3A%25,title=a%2Cb::100%25 ::error::x',
    },
    {
      name: 'with line breaks, which would begin a command',
      in: {level: 'error', message: 'a\n::stop-commands::x\r\nb', file: 'a\nb'},
      want: '::error file=a b::a ::stop-commands::x b',
    },
  ])('$name', ({in: annotation, want}) => {
    expect(formatAnnotations([annotation])).toBe(`${want}\n`)
  })

  it('of a diagnostic names a file that is not in the repository in its message', () => {
    const diagnostic = {severity: 'note', rule: 'r', message: 'm', file: 'a', line: 2} as const
    expect(annotationOf(diagnostic, () => undefined)).toEqual({
      level: 'notice',
      title: 'r',
      message: 'a:2: m',
    })
    expect(annotationOf(diagnostic, file => `b/${file}`)).toMatchObject({message: 'm', file: 'b/a', line: 2})
  })
})

describe('a file in the repository', () => {
  it.each([
    {path: '/builds/team/repository/a/b', want: 'a/b'},
    {path: '/builds/team/repository/..a', want: '..a'},
    {path: '/builds/other', want: undefined},
    {path: '/builds', want: undefined},
  ])('$path: $want', ({path, want}) => {
    expect(repositoryFile(path, {GITHUB_WORKSPACE: '/builds/team/repository'})).toBe(want)
  })

  it.each([
    {reference: './provider', want: 'provider/.registry/app.yaml'},
    {reference: '.', want: '.registry/app.yaml'},
    {reference: './provider/.registry', want: 'provider/.registry/app.yaml'},
    {reference: 'oci:provider', want: undefined},
    {reference: 'example/provider:v1', want: undefined},
  ])('of a package, $reference: $want', ({reference, want}) => {
    expect(packageFile(reference, '.registry/app.yaml')).toBe(want)
  })
})
