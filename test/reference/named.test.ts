import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import {namedIn, namedToRead, nearNames, notFound, oneNamedIn} from '../../src/reference/named.js'

const helm = {kind: 'Provider', name: 'provider-helm', repository: 'xpkg.example.org/team/provider-helm'}
const both = {kind: 'Provider', name: 'auto', repository: 'xpkg.example.org/team/provider-auto'}
const twin = {kind: 'Function', name: 'auto', repository: 'xpkg.example.org/team/function-auto'}
const copy = {kind: 'Provider', name: 'helm-again', repository: helm.repository}
const app = {namespace: 'team-a', name: 'app', repository: 'example/app'}
const other = {namespace: 'team-b', name: 'app', repository: 'example/app'}
const taken = {namespace: 'example', name: 'app', repository: 'example/lib'}
const ALL = [helm, both, twin, app]

function failure(text: string, all: Parameters<typeof namedIn>[1]): unknown {
  try {
    return namedIn({text, action: 'upgrade'}, all)
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const {code, message, suggestions} = error
    return {code, message, suggestions}
  }
}

describe('namedIn', () => {
  it.each([
    {text: 'provider-helm', want: [helm]},
    {text: 'provider.pkg.crossplane.io/provider-helm', want: [helm]},
    {text: 'providers.v1.pkg.crossplane.io/provider-helm', want: [helm]},
    {text: 'Provider/provider-helm', want: [helm]},
    {text: 'function/provider-helm', want: []},
    {text: 'xpkg.example.org/team/provider-helm', want: [helm]},
    {text: 'function/auto', want: [twin]},
    {text: 'app', want: [app]},
    {text: 'team-a/app', want: [app]},
    {text: 'team-b/app', want: []},
    {text: 'example/app', want: [app]},
    {text: 'docker.io/example/app', want: [app]},
    {text: 'provider-hel', want: []},
  ])('reads $text', ({text, want}) => {
    expect(namedIn({text, action: 'upgrade'}, ALL)).toEqual(want)
  })

  it('completes a repository with the default source', () => {
    const query = {text: 'team/provider-helm', action: 'upgrade'}
    expect(namedIn({...query, defaultSource: 'xpkg.example.org'}, ALL)).toEqual([helm])
    expect(namedIn(query, ALL)).toEqual([])
  })

  it('takes all that come from a repository, unless one is needed', () => {
    expect(namedIn({text: 'example/app', action: 'upgrade'}, [app, other])).toEqual([app, other])
    expect(() => oneNamedIn({text: helm.repository, action: 'uninstall'}, [helm, copy])).toThrow(
      'cannot uninstall "xpkg.example.org/team/provider-helm": it names provider.pkg.crossplane.io/provider-helm and provider.pkg.crossplane.io/helm-again',
    )
  })

  it.each([
    {
      name: 'a name of two kinds',
      text: 'auto',
      all: ALL,
      forms: ['provider.pkg.crossplane.io/auto', 'function.pkg.crossplane.io/auto'],
    },
    {name: 'a name in two namespaces', text: 'app', all: [app, other], forms: ['team-a/app', 'team-b/app']},
    {
      name: 'an install and a repository',
      text: 'example/app',
      all: [app, taken],
      forms: ['team-a/app', 'example/lib'],
    },
  ])('rejects $name, and lists full names that work', ({text, all, forms}) => {
    expect(failure(text, all)).toEqual({
      code: 'usage',
      message: `cannot upgrade "${text}": it names ${forms.join(' and ')}`,
      suggestions: [`Use ${forms.join(' or ')}.`],
    })
    for (const form of forms) expect(namedIn({text: form, action: 'upgrade'}, all)).toHaveLength(1)
  })
})

describe('namedToRead', () => {
  it.each([
    {name: 'the only repository with a last segment', text: 'provider-auto', all: ALL, want: [both]},
    {
      name: 'all from one repository',
      text: 'provider-helm',
      all: [copy, {...copy, name: 'third'}],
      want: [copy, {...copy, name: 'third'}],
    },
    {name: 'the one whose name it is', text: 'provider-helm', all: [helm, copy], want: [helm]},
    {name: 'nothing for a part of a segment', text: 'helm', all: [helm, both], want: []},
  ])('returns $name', ({text, all, want}) => {
    expect(namedToRead({text, action: 'read'}, all)).toEqual(want)
  })

  it('rejects the last segment of several repositories, and lists full names that work', () => {
    expect(() =>
      namedToRead({text: 'lib', action: 'read'}, [taken, {repository: 'other.example.org/lib'}]),
    ).toThrow('cannot read "lib": it names example/app and other.example.org/lib')
  })
})

describe('nearNames', () => {
  it.each([
    {text: 'provider-hlem', want: ['Did you mean provider.pkg.crossplane.io/provider-helm?']},
    {text: 'team/provider-hlm', want: ['Did you mean xpkg.example.org/team/provider-helm?']},
    {text: 'provider-hlem:v1.2.0', want: ['Did you mean provider.pkg.crossplane.io/provider-helm:v1.2.0?']},
    {text: 'crd:ap', want: []},
    {text: 'team-a/ap', want: ['Did you mean team-a/app?']},
    {text: 'something-else', want: []},
  ])('suggests a name for $text', ({text, want}) => {
    expect(nearNames({text}, ALL)).toEqual(want)
  })
})

describe('notFound', () => {
  it.each([
    {in: {kind: 'install', name: 'team/sql'} as const, message: 'install "team/sql" not found'},
    {
      in: {kind: 'package', name: 'a/b', place: 'the lock'} as const,
      message: 'package "a/b" not found in the lock',
    },
  ])('says $message', ({in: missing, message}) => {
    expect(notFound(missing, ['Look.'])).toMatchObject({code: 'not-found', message, suggestions: ['Look.']})
  })
})
