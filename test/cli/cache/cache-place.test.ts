import {describe, expect, it} from '@jest/globals'
import {cachePlace} from '../../../src/cli/cache/cache-place.js'

describe('the folder of the cache', () => {
  const home = () => '/home/me'
  const nobody = () => {
    throw new Error('ENOENT: no such user')
  }

  it.each([
    {name: 'in the home directory', env: {}, home, want: '/home/me/.cache/kubectl-crossplane'},
    {name: 'in XDG_CACHE_HOME', env: {XDG_CACHE_HOME: '/xdg'}, home, want: '/xdg/kubectl-crossplane'},
    {
      name: 'not in one that is relative',
      env: {XDG_CACHE_HOME: 'xdg'},
      home,
      want: '/home/me/.cache/kubectl-crossplane',
    },
    {
      name: 'not in an empty one',
      env: {XDG_CACHE_HOME: ''},
      home,
      want: '/home/me/.cache/kubectl-crossplane',
    },
    {name: 'the one that is named', named: 'own', env: {XDG_CACHE_HOME: '/xdg'}, home, want: 'own'},
    {name: 'none without a home', env: {}, home: nobody, want: undefined},
    {name: 'none with a relative home', env: {}, home: () => 'home', want: undefined},
  ])('is $name', ({named, env, home: findHome, want}) => {
    expect(cachePlace(named, env, findHome)).toBe(want)
  })
})
