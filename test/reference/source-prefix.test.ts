import {describe, expect, it} from '@jest/globals'
import {isInSource, writtenSource} from '../../src/reference/source-prefix.js'

describe('isInSource', () => {
  it.each([
    {in: ['crossplane/app', 'docker.io/crossplane'], want: true},
    {in: ['crossplane/app', 'docker.io'], want: true},
    {in: ['index.docker.io/crossplane/app', 'docker.io/crossplane'], want: true},
    {in: ['crossplane-x/app', 'docker.io/crossplane'], want: false},
    {in: ['registry.example.org/team/app', 'registry.example.org/team'], want: true},
    {in: ['registry.example.org/team/app', 'registry.example.org/team/app'], want: true},
    {in: ['registry.example.org/team-test/app', 'registry.example.org/team'], want: false},
    {in: ['registry.example.org:5000/team/app', 'registry.example.org'], want: false},
    {in: ['crossplane/app', 'registry.example.org'], want: false},
    {in: ['local/app', 'docker.io/local'], want: true},
  ])('$in: $want', ({in: [repository = '', source = ''], want}) => {
    expect(isInSource(repository, source)).toBe(want)
  })
})

describe('writtenSource', () => {
  it.each([
    {in: ['docker.io/crossplane/app', 'docker.io'], want: 'docker.io'},
    {in: ['index.docker.io/crossplane/app', 'docker.io'], want: 'index.docker.io'},
    {in: ['index.docker.io/crossplane/app', 'docker.io/crossplane'], want: 'index.docker.io/crossplane'},
    {in: ['docker.io/crossplane/app', 'index.docker.io/crossplane/app'], want: 'docker.io/crossplane/app'},
    {in: ['registry.example.org/team/app', 'registry.example.org/team/'], want: 'registry.example.org/team'},
    {in: ['docker.io/library/app', 'docker.io/library'], want: 'docker.io/library'},
    {in: ['docker.io/app', 'docker.io/library'], want: 'docker.io/app', below: '/app'},
    {in: ['docker.io/app', 'docker.io'], want: 'docker.io/app', below: '/library/app'},
    {in: ['docker.io/app', 'docker.io/library/app'], want: 'docker.io/app'},
  ])('$in: $want', ({in: [repository = '', source = ''], want, below = ''}) => {
    expect(writtenSource(repository, source)).toEqual({beginning: want, below})
  })
})
