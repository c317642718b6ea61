import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import {expectSpelled, spellingAdvice} from '../../src/locate/near-names.js'
import type {LocalNames} from '../../src/locate/located-package.js'
import {parsePackageImage} from '../../src/reference/package-reference.js'

const FOLDER = [
  'crossplane/provider-gcp:v0.10.0',
  'crossplane/provider-gcp:v0.11.0',
  'acme/application-1:v1.0.0',
  'x/a:v1',
  'provider-rook:v0.3.0',
]

const folder = {
  versions: ({path}: {readonly path: string}) =>
    Promise.resolve(all().filter(({repositoryPath}) => repositoryPath === path)),
  all: () => Promise.resolve(all()),
}

function all() {
  return FOLDER.map(text => {
    const {path, tag = ''} = parsePackageImage(text)
    return {repositoryPath: path, tag, at: {kind: 'directory', path: text}} as const
  })
}

function localNames({indexed = [], cached = []}: {indexed?: string[]; cached?: string[]}): LocalNames {
  const names = (texts: string[]) => () =>
    Promise.resolve(
      texts.map(text => {
        const {path, tag} = parsePackageImage(text)
        return {repository: path, ...(tag === undefined ? {} : {tag})}
      }),
    )
  return {indexed: names(indexed), cached: names(cached)}
}

describe('a name that local sources spell in another way', () => {
  it.each([
    {
      in: 'crossplane/provider-gcp:0.11.0',
      want: 'crossplane/provider-gcp:v0.11.0',
      reason: 'the v is missing',
    },
    {in: 'provider-gcp', want: 'crossplane/provider-gcp', reason: 'the owner is missing'},
    {in: 'provider-gcp:0.10.0', want: 'crossplane/provider-gcp:v0.10.0', reason: 'both are missing'},
    {
      in: 'crossplane/provider-gpc:v0.11.0',
      want: 'crossplane/provider-gcp:v0.11.0',
      reason: 'letters are swapped',
    },
    {in: 'crossplane/provider-awz', want: 'crossplane/provider-aws', reason: 'the cache has the name'},
    {
      in: 'crossplane/provider-rook:0.3.0',
      want: 'provider-rook:v0.3.0',
      reason: 'the folder has it without an owner',
    },
    {in: 'crossplane/provider-gcp', reason: 'it is spelled so'},
    {in: 'crossplane/provider-gcp:v0.12.0', reason: 'a registry can have another version'},
    {in: 'docker.io/crossplane/provider-gpc', reason: 'it names its registry'},
    {in: `crossplane/provider-gpc@sha256:${'0'.repeat(64)}`, reason: 'a digest is not misspelled'},
    {in: 'acme/application-2:v1.0.0', reason: 'numbers distinguish packages'},
    {in: 'x/b:v1', reason: 'short names differ in a letter'},
    {in: 'other/provider-gcp', reason: 'another owner can have a package of the name'},
    {in: 'acme/provider-sql', reason: 'the cache has it'},
  ])('$in: $reason', async ({in: text, want}) => {
    const cached = ['crossplane/provider-aws', 'acme/provider-sql', 'acme/provider-sq']
    const checked = expectSpelled(parsePackageImage(text), {folder, localNames: localNames({cached})})
    if (want === undefined) return await expect(checked).resolves.toBeUndefined()
    await expect(checked).rejects.toMatchObject({
      code: 'not-found',
      message: `cannot find ${text}: the local packages have ${want}`,
      suggestions: [`Use ${want}, or docker.io/${text} for the package in that registry.`],
    })
  })

  it.each([
    {in: 'provider-gcp', want: 'x/provider-gcp', reason: 'the cache has it with an owner'},
    {in: 'provider-gcp:1.0.0', want: 'x/provider-gcp:v1.0.0', reason: 'the cache also has the tag'},
    {in: 'x/provider-gpc', reason: 'the cache decides nothing about names with an owner'},
    {in: 'x/provider-gcp:1.0.0', reason: 'a registry can have both tags'},
    {in: 'provider-aws', reason: 'no name has it'},
  ])('without a folder and an index, $in: $reason', async ({in: text, want}) => {
    const checked = expectSpelled(parsePackageImage(text), {
      localNames: localNames({cached: ['x/provider-gcp:v1.0.0']}),
    })
    if (want === undefined) return await expect(checked).resolves.toBeUndefined()
    await expect(checked).rejects.toMatchObject({
      message: `cannot find ${text}: the local packages have ${want}`,
    })
  })

  it.each([
    {in: 'provider-gcp', want: 'x/provider-gcp', reason: 'the owner is missing'},
    {in: 'x/provider-gpc:1.0.0', want: 'x/provider-gcp:v1.0.0', reason: 'letters are swapped'},
    {in: 'x/provider-gcp:1.0.0', want: 'x/provider-gcp:v1.0.0', reason: 'the v is missing'},
    {in: 'x/provider-gcp:v2.0.0', reason: 'a registry can have another version'},
  ])('with an index file, $in: $reason', async ({in: text, want}) => {
    const checked = expectSpelled(parsePackageImage(text), {
      localNames: localNames({indexed: ['x/provider-gcp:v1.0.0']}),
    })
    if (want === undefined) return await expect(checked).resolves.toBeUndefined()
    await expect(checked).rejects.toMatchObject({
      message: `cannot find ${text}: the local packages have ${want}`,
    })
  })

  it('is compared with the folder alone where a default source completes names', async () => {
    const sources = {
      folder,
      localNames: localNames({cached: ['x/registry-package']}),
      defaultSource: 'r.example.org/x',
    }
    await expect(expectSpelled(parsePackageImage('registry-package'), sources)).resolves.toBeUndefined()
    await expect(expectSpelled(parsePackageImage('provider-gcp'), sources)).rejects.toMatchObject({
      suggestions: [
        'Use crossplane/provider-gcp, or r.example.org/x/provider-gcp for the package in that registry.',
      ],
    })
  })
})

describe('the advice after no registry had a name', () => {
  const cached = ['acme/provider-gcp:v1.0.0', 'acme/provider-sql']

  it.each([
    {in: 'x/provider-gcp', want: 'acme/provider-gcp', reason: 'another owner has the name'},
    {in: 'acme/provider-gpc', want: 'acme/provider-gcp', reason: 'letters are swapped'},
    {in: 'acme/provider-gcp:1.0.0', want: 'acme/provider-gcp:v1.0.0', reason: 'the v is missing'},
    {in: 'acme/provider-aws', reason: 'no name is similar'},
    {in: 'docker.io/x/provider-gcp', reason: 'it names its registry'},
  ])('$in: $reason', async ({in: text, want}) => {
    const advice = await spellingAdvice(parsePackageImage(text), {localNames: localNames({cached})})
    expect(advice).toEqual(want === undefined ? [] : [`Check the name: the local packages have ${want}.`])
  })

  it('is none where the folder cannot be searched: the error of the registry is the one to report', async () => {
    const tooLarge = () => Promise.reject(new CrossplaneError('limit-exceeded', 'cannot search it'))
    const name = parsePackageImage('localhost:1/x/provider-gcp')
    expect(await spellingAdvice(name, {folder: {...folder, all: tooLarge}})).toEqual([])
  })
})
