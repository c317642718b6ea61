import {describe, expect, it} from '@jest/globals'
import {githubPlace} from '../../../src/cli/update/github-place.js'

const ALL = {
  GITHUB_API_URL: 'https://api.github.com',
  GITHUB_REPOSITORY: 'team/deploy',
  GITHUB_TOKEN: 'ghs_x',
}

describe('the place of pull requests', () => {
  it('is what flags and variables name', () => {
    expect(githubPlace({'pr-repository': 'team/other'}, ALL)).toEqual({
      ...{api: new URL('https://api.github.com'), repository: 'team/other', token: 'ghs_x'},
    })
  })

  it.each([
    {name: 'all', env: {}, want: ['GITHUB_API_URL', 'GITHUB_REPOSITORY', 'GITHUB_TOKEN']},
    {name: 'the API', env: {...ALL, GITHUB_API_URL: undefined}, want: ['GITHUB_API_URL']},
    {name: 'the repository', env: {...ALL, GITHUB_REPOSITORY: undefined}, want: ['GITHUB_REPOSITORY']},
    {name: 'the token', env: {...ALL, GITHUB_TOKEN: undefined}, want: ['GITHUB_TOKEN']},
  ])('without $name, all that is missing is named at once', ({env, want}) => {
    let message = ''
    try {
      githubPlace({}, env)
    } catch (error) {
      message = (error as Error).message
    }
    expect(message.match(/GITHUB_\w+/g)).toEqual(want)
  })
})
