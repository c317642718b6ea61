import {expect, it} from '@jest/globals'
import {moveWays} from '../../../src/cli/git/move-ways.js'

const FLAGS = {
  ...{git: '.', context: 'production', push: false, timeout: '5m', signoff: false},
  ...{'gpg-sign': false, 'ssh-sign': false},
}

it.each([
  {name: 'a folder', flags: {}, want: '--context production --git .'},
  {
    name: 'a URL with a token',
    flags: {git: 'https://me:secret@git.example.org/deploy.git'},
    want: '--context production --git https://git.example.org/deploy.git',
  },
  {
    name: 'all that the same run needs',
    flags: {
      ...{path: 'my home', remote: 'other', push: true, timeout: '1h', signoff: true, 'ssh-sign': true},
      ...{'signing-key': 'key', 'author-name': 'A U Thor', 'author-email': 'author@example.org'},
    },
    want: "--context production --git . --path 'my home' --remote other --author-name 'A U Thor' --author-email author@example.org --signing-key key --push --signoff --ssh-sign --timeout 1h",
  },
])('a move goes on with $name', ({flags, want}) => {
  expect(moveWays({...FLAGS, ...flags})).toEqual([
    `kubectl crossplane package move --continue ${want}`,
    `kubectl crossplane package move --back ${want}`,
  ])
})
