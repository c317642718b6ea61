import {expect, it} from '@jest/globals'
import {compareUrl} from '../../../src/pipeline/git/compare-url.js'

it.each([
  ['https://github.com/team/deploy.git', 'https://github.com/team/deploy/compare/a%2Fb?expand=1'],
  ['git@github.com:team/deploy.git', 'https://github.com/team/deploy/compare/a%2Fb?expand=1'],
  [
    'ssh://git@gitlab.com:22/team/sub/deploy',
    'https://gitlab.com/team/sub/deploy/-/merge_requests/new?merge_request%5Bsource_branch%5D=a%2Fb',
  ],
  ['https://bitbucket.org/team/deploy', 'https://bitbucket.org/team/deploy/pull-requests/new?source=a%2Fb'],
  ['https://git.example.org/team/deploy.git', undefined],
  ['file:///srv/deploy.git', undefined],
])('compares a branch of %s', (url, page) => {
  expect(compareUrl(url, 'a/b')).toBe(page)
})
