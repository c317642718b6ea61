import {expect, it} from '@jest/globals'
import {withoutCredentials} from '../src/without-credentials.js'

it.each([
  ['fatal: https://me:secret@git.example.org/a: not found', 'fatal: https://git.example.org/a: not found'],
  ["fatal: 'https://token@git.example.org/a'", "fatal: 'https://git.example.org/a'"],
  ['https://me:p@ss@git.example.org/a', 'https://git.example.org/a'],
  [`https://me:p'"ss@git.example.org/a`, 'https://git.example.org/a'],
  ['https://git.example.org/a@b', 'https://git.example.org/a@b'],
  ['https://me:pa/ss@git.example.org/a', 'https://git.example.org/a'],
  ['https://me:12/34@git.example.org/a', 'https://git.example.org/a'],
  ['https://me@example.org:12/34@git.example.org/a', 'https://git.example.org/a'],
  ['https://me:p@ss/word@git.example.org/a', 'https://git.example.org/a'],
  ['https:///me:secret@git.example.org', 'https://git.example.org'],
  ['https://git.example.org:8443/a@b', 'https://b'],
  ['https://git.example.org:8443/a b@c', 'https://git.example.org:8443/a b@c'],
  ['http://127.0.0.1:80/a@b', 'http://127.0.0.1:80/a@b'],
  ['https://[::1]:8443/a@b', 'https://[::1]:8443/a@b'],
  ['https://git.example.org/a?private_token=secret', 'https://git.example.org/a?***'],
  [
    "fatal: 'https://git.example.org/a?t=secret&u=b' not found",
    "fatal: 'https://git.example.org/a?***' not found",
  ],
  ['git@git.example.org:a/b', 'git@git.example.org:a/b'],
])('shows no credentials of %s', (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown)
})
