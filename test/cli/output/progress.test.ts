import {describe, expect, it} from '@jest/globals'
import {progress} from '../../../src/cli/output/progress.js'
import type {ProgressEvent} from '../../../src/registry/progress.js'
import {captureStderr} from '../../run-cli.js'

const LAYER: ProgressEvent = {kind: 'layer', name: 'sha256:1', done: 1000, total: 1000}
const NAME = {path: 'team/package', tag: 'v1'}
const FOUND = {tag: 'v1', digest: `sha256:${'0'.repeat(64)}`, files: [], fromCache: false} as const

describe('progress without a terminal', () => {
  it.each([
    {
      name: 'a line for each step',
      argv: [],
      want: ['read layer sha256:1 (1000 B)', `Pulled team/package:v1@${FOUND.digest}`, 'Warning: odd'],
    },
    {name: 'warnings alone beside JSON', argv: ['-o', 'json'], want: ['Warning: odd']},
    {
      name: 'a trace with --debug',
      argv: ['--debug', '-o', 'json'],
      want: [
        'read layer sha256:1 (1000 B)',
        `Pulled team/package:v1@${FOUND.digest}`,
        'Warning: odd',
        'GET x 200',
      ],
    },
  ])('$name', ({argv, want}) => {
    const text = captureStderr(() => {
      const shown = progress(argv)
      shown.report(LAYER)
      shown.pulled(NAME, FOUND)
      shown.warn('odd')
      shown.trace?.('GET x 200')
      shown.end()
    })
    expect(text.split('\n').slice(0, -1)).toEqual(want)
  })
})
