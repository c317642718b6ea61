import {expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {statusPage} from '../../scripts/status-docs/status-page.js'

it('docs/status.md has a line for each kind of break: else run npm run docs:status', () => {
  expect(readFileSync(join(import.meta.dirname, '../../docs/status.md'), 'utf8')).toBe(statusPage())
})
