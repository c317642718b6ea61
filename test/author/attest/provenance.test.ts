import {describe, expect, it} from '@jest/globals'
import {type BuildRecord, provenanceOf} from '../../../src/author/attest/provenance.js'
import {CrossplaneError} from '../../../src/errors.js'
import {outcome} from '../../outcome.js'

const REVISION = 'a'.repeat(40)
const record = (changes: Partial<BuildRecord> = {}): BuildRecord => ({
  ...{path: './app', builder: 'https://ci.example.org/builder', version: '1.2.3', folder: undefined},
  source: {isDirty: false, revision: REVISION, remote: 'git@git.example.org:team/app.git'},
  settings: {},
  ...changes,
})
const URI = 'git+https://git.example.org/team/app'

describe('provenance', () => {
  it('states builder, source and commit', () => {
    expect(provenanceOf(record())).toEqual({
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          buildType: 'https://packages.kubectl-crossplane.dev/build/v1',
          externalParameters: {source: URI},
          resolvedDependencies: [{uri: URI, digest: {gitCommit: REVISION}}],
        },
        runDetails: {
          builder: {id: 'https://ci.example.org/builder', version: {'kubectl-crossplane': '1.2.3'}},
        },
      },
    })
  })

  it('states the folder, the settings and the base image by its digest', () => {
    const base = {uri: 'pkg:oci/controller', digest: `sha256:${'b'.repeat(64)}`}
    const {predicate} = provenanceOf(record({folder: 'packages/app', settings: {ignore: ['docs']}, base}))
    expect(predicate).toMatchObject({
      buildDefinition: {
        externalParameters: {source: URI, path: 'packages/app', ignore: ['docs']},
        resolvedDependencies: [{uri: URI}, {uri: 'pkg:oci/controller', digest: {sha256: 'b'.repeat(64)}}],
      },
    })
  })

  it('has no user and password of the remote', () => {
    const remote = 'https://user:secret@git.example.org/team/app.git?token=secret'
    const stated = provenanceOf(record({source: {isDirty: false, revision: REVISION, remote}}))
    expect(JSON.stringify(stated)).not.toContain('secret')
  })

  it.each([
    {name: 'a folder outside of a repository', source: undefined},
    {
      name: 'a repository that cannot be read',
      source: {isDirty: true, unread: new CrossplaneError('git-refused', 'x')},
    },
    {name: 'files that are not committed', source: {isDirty: true, remote: 'https://git.example.org/app'}},
    {name: 'a repository without a remote', source: {isDirty: false, revision: REVISION}},
    {name: 'a remote in a folder', source: {isDirty: false, revision: REVISION, remote: '/srv/git/app'}},
  ])('is not stated for $name', async ({source}) => {
    expect(await outcome(() => provenanceOf(record({source})))).toBe('input-invalid')
  })
})
