import {describe, expect, it} from '@jest/globals'
import {parsePackageImage} from '../../src/reference/package-reference.js'
import {formatRepository, repositoryOf} from '../../src/reference/repository.js'

const cases = [
  {
    reason: 'docker.io is the default',
    in: 'crossplane/provider-gcp:v1',
    want: {registry: 'docker.io', path: 'crossplane/provider-gcp'},
    written: 'crossplane/provider-gcp',
  },
  {
    reason: 'docker.io keeps single names under library',
    in: 'ubuntu',
    want: {registry: 'docker.io', path: 'library/ubuntu'},
    written: 'ubuntu',
  },
  {
    reason: 'the same with the registry written',
    in: 'docker.io/ubuntu',
    want: {registry: 'docker.io', path: 'library/ubuntu'},
    written: 'ubuntu',
  },
  {
    reason: 'another name of docker.io',
    in: 'index.docker.io/crossplane/provider-gcp',
    want: {registry: 'docker.io', path: 'crossplane/provider-gcp'},
    written: 'crossplane/provider-gcp',
  },
  {
    reason: 'below library only single names are short: others would be read as another repository',
    in: 'library/team/provider',
    want: {registry: 'docker.io', path: 'library/team/provider'},
    written: 'library/team/provider',
  },
  {
    reason: 'a host with a dot',
    in: 'quay.io/provider',
    want: {registry: 'quay.io', path: 'provider'},
    written: 'quay.io/provider',
  },
  {
    reason: 'hosts have no case',
    in: 'Registry.Example.org:5000/team/provider',
    want: {registry: 'registry.example.org:5000', path: 'team/provider'},
    written: 'registry.example.org:5000/team/provider',
  },
  {
    reason: 'localhost is a host',
    in: 'localhost/provider',
    want: {registry: 'localhost', path: 'provider'},
    written: 'localhost/provider',
  },
  {
    reason: 'a port makes a host',
    in: 'kind-registry:5000/provider',
    want: {registry: 'kind-registry:5000', path: 'provider'},
    written: 'kind-registry:5000/provider',
  },
  {
    reason: 'an IPv6 address',
    in: '[::1]:5000/team/provider',
    want: {registry: '[::1]:5000', path: 'team/provider'},
    written: '[::1]:5000/team/provider',
  },
]

describe('repositoryOf', () => {
  it.each(cases)('$in: $reason', ({in: text, want}) => {
    expect(repositoryOf(parsePackageImage(text))).toEqual(want)
  })
})

describe('formatRepository', () => {
  it.each(cases)('$written', ({want, written}) => {
    expect(formatRepository(want)).toBe(written)
  })
})
