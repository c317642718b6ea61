import {describe, expect, it} from '@jest/globals'
import {GitHubDescription} from './github-description.js'

const PULLS = '/repos/team/deploy/pulls'
const CREATED = JSON.stringify({title: 't', head: 'a', base: 'main', body: 'b'})

describe('the description of the API of GitHub', () => {
  const description = new GitHubDescription()
  const request = (method: string, path: string, query = '', body = '') => ({
    ...{method, path, query: new URLSearchParams(query), body},
  })

  it.each([
    {name: 'a list', in: request('GET', PULLS, 'state=all&head=team:a&per_page=100&page=2'), want: []},
    {name: 'a new one', in: request('POST', PULLS, '', CREATED), want: []},
    {
      name: 'an unknown operation',
      in: request('DELETE', `${PULLS}/1`),
      want: [`there is no operation DELETE ${PULLS}/1`],
    },
    {
      name: 'an unknown parameter',
      in: request('GET', PULLS, 'branch=a'),
      want: ['pulls/list has no parameter branch'],
    },
    {
      name: 'another value of a parameter',
      in: request('GET', PULLS, 'state=merged&page=first'),
      want: [
        expect.stringContaining('should be equal to one of the allowed values'),
        expect.stringContaining('should be integer'),
      ],
    },
    {
      name: 'an unknown field',
      in: request('PATCH', `${PULLS}/1`, '', '{"labels":["a"]}'),
      want: ['pulls/update has no field labels'],
    },
    {
      name: 'a field of another type, and none that must be there',
      in: request('POST', PULLS, '', '{"head":1}'),
      want: [
        expect.stringContaining("should have required property 'base'"),
        expect.stringContaining('.head should be string'),
      ],
    },
  ])('judges $name', ({in: received, want}) => {
    const violations = [...description.ofRequest(received)].sort()
    expect(violations).toHaveLength(want.length)
    expect(violations).toEqual(expect.arrayContaining(want))
  })

  it.each([
    {name: 'a list', status: 200, value: [], want: 0},
    {name: 'no list', status: 200, value: {}, want: 1},
    {name: 'a pull request without most fields', status: 200, value: [{number: 1}], want: 30},
    {name: 'an error', status: 404, value: {message: 'Not Found'}, want: 0},
    {name: 'an error without a text', status: 404, value: {message: 7}, want: 1},
    {
      name: 'a rejection without the place of its documentation',
      status: 422,
      value: {message: 'no'},
      want: 1,
    },
    {name: 'a status that GitHub does not send', status: 418, value: {}, want: 1},
  ])('judges an answer: $name', ({status, value, want}) => {
    expect(description.ofAnswer(request('GET', PULLS), status, value)).toHaveLength(want)
  })
})
