import {describe, expect, it} from '@jest/globals'
import {expectSpelled} from '../../src/locate/near-names.js'
import {parsePackageImage} from '../../src/reference/package-reference.js'

const FOLDER = [
  'crossplane/provider-gcp:v0.10.0',
  'crossplane/provider-gcp:v0.11.0',
  'acme/application-1:v1.0.0',
  'x/a:v1',
]

const folder = {
  versions: (path: string) => Promise.resolve(all().filter(({repositoryPath}) => repositoryPath === path)),
  all: () => Promise.resolve(all()),
}

function all() {
  return FOLDER.map(text => {
    const {path, tag = ''} = parsePackageImage(text)
    return {repositoryPath: path, tag, at: {kind: 'directory', path: text}} as const
  })
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
    {in: 'crossplane/provider-gcp', reason: 'it is spelled so'},
    {in: 'crossplane/provider-gcp:v0.12.0', reason: 'a registry can have another version'},
    {in: 'docker.io/crossplane/provider-gpc', reason: 'it names its registry'},
    {in: `crossplane/provider-gpc@sha256:${'0'.repeat(64)}`, reason: 'a digest is not misspelled'},
    {in: 'acme/application-2:v1.0.0', reason: 'numbers distinguish packages'},
    {in: 'x/b:v1', reason: 'short names differ in a letter'},
    {in: 'other/provider-gcp', reason: 'another owner can have a package of the name'},
    {in: 'acme/provider-sql', reason: 'the cache has it'},
  ])('$in: $reason', async ({in: text, want}) => {
    const knownNames = () =>
      Promise.resolve(['crossplane/provider-aws', 'acme/provider-sql', 'acme/provider-sq'])
    const checked = expectSpelled(parsePackageImage(text), {folder, knownNames})
    if (want === undefined) return await expect(checked).resolves.toBeUndefined()
    await expect(checked).rejects.toMatchObject({
      code: 'not-found',
      message: `cannot find ${text}: the local packages have ${want}`,
      suggestions: [`Use ${want}, or docker.io/${text} for the package in that registry.`],
    })
  })

  it('is not looked for without a folder', async () => {
    const knownNames = () => Promise.resolve(['crossplane/provider-gcp'])
    await expect(expectSpelled(parsePackageImage('provider-gcp'), {knownNames})).resolves.toBeUndefined()
  })
})
