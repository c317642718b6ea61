import {expect, it} from '@jest/globals'
import {sourceUrl} from '../../../src/author/build/source-url.js'

it.each([
  {in: 'https://example.org/team/provider.git', want: 'https://example.org/team/provider'},
  {
    in: 'https://me:token@example.org:8443/team/provider.git/',
    want: 'https://example.org:8443/team/provider',
  },
  {in: 'https://token@example.org/team/provider?private=1#x', want: 'https://example.org/team/provider'},
  {in: 'http://example.org/provider', want: 'http://example.org/provider'},
  {in: 'git@example.org:team/provider.git', want: 'https://example.org/team/provider'},
  {in: 'example.org:/team/provider', want: 'https://example.org/team/provider'},
  {in: 'ssh://git@example.org:2222/team/provider.git', want: 'https://example.org/team/provider'},
  {in: 'git://example.org/team/provider.git', want: 'https://example.org/team/provider'},
  {in: 'me:token@example.org:team/provider.git', want: ''},
  {in: 'x-token-auth:token@example.org/team/provider.git', want: ''},
  {in: '/srv/git/provider.git', want: ''},
  {in: '../provider', want: ''},
  {in: 'C:/git/provider', want: ''},
  {in: 'file:///srv/git/provider', want: ''},
  {in: 'https://example.org', want: ''},
  {in: '', want: ''},
])('a remote $in is shown as $want', ({in: remote, want}) => {
  expect(sourceUrl(remote)).toBe(want)
})
