import {afterEach, beforeEach, describe, expect, it, jest} from '@jest/globals'
import {progress} from '../../../../src/cli/shell/progress/progress.js'
import type {ProgressEvent} from '../../../../src/registry/progress.js'
import {captureStderr} from '../../../compiled-program.cjs'
import {setVariable} from '../../../set-variable.js'

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

describe('a step that takes long, without a terminal', () => {
  const {CROSSPLANE_WAIT_NOTICE} = process.env

  beforeEach(() => {
    jest.useFakeTimers()
  })

  afterEach(() => {
    jest.useRealTimers()
    process.env.CROSSPLANE_WAIT_NOTICE = CROSSPLANE_WAIT_NOTICE
  })

  const contact = {kind: 'step', name: 'Contacting a.org'} as const
  const wait = (name: string) => ({kind: 'wait', task: 'objects', name}) as const
  const ended = {kind: 'wait-end', task: 'objects'} as const

  it.each([
    {name: 'is named after a second', variable: undefined, want: ['Contacting a.org', 'for 2', 'for 1']},
    {name: 'is named as late as the variable says', variable: '2', want: ['for 2', 'for 1']},
    {
      name: 'is named after a second for an invalid value',
      variable: 'x',
      want: ['Contacting a.org', 'for 2', 'for 1'],
    },
  ])('$name', ({variable, want}) => {
    setVariable('CROSSPLANE_WAIT_NOTICE', variable)
    const text = captureStderr(() => {
      const shown = progress([])
      for (const event of [contact, wait('for 2'), wait('for 1'), wait('for 1'), ended]) {
        shown.report(event)
        jest.advanceTimersByTime(1000)
      }
      shown.end()
    })
    expect(text.split('\n').slice(0, -1)).toEqual(want)
  })

  it('is not named once it has ended, nor twice', () => {
    Reflect.deleteProperty(process.env, 'CROSSPLANE_WAIT_NOTICE')
    const text = captureStderr(() => {
      const shown = progress([])
      shown.report(contact)
      shown.end()
      jest.advanceTimersByTime(5000)
      for (let round = 0; round < 2; round += 1) {
        shown.report(wait('for 2'))
        jest.advanceTimersByTime(1000)
      }
    })
    expect(text).toBe('for 2\n')
  })
})
