import {string} from '@oclif/core/flags'
import {describe, expect, it} from '@jest/globals'
import {flagsToParse} from '../../../../src/cli/shell/flags/flags-to-parse.js'

const FLAGS = {
  'output-dir': string({helpValue: 'DIR'}),
  filename: string({char: 'f', helpValue: 'FILE'}),
  message: string({helpValue: 'TEXT'}),
  kubeconfig: string({helpValue: 'FILE'}),
}

function parsed(...words: readonly string[]) {
  return () => flagsToParse(FLAGS, {words, off: new Set()}, {})
}

describe('an empty path', () => {
  it.each([
    [['--output-dir='], '--output-dir'],
    [['--output-dir', ''], '--output-dir'],
    [['-f', ''], '--filename'],
    [['-f='], '--filename'],
  ])('in %j is rejected', (words, flag) => {
    expect(parsed(...words)).toThrow(`missing value of ${flag}`)
  })

  it.each([
    [['--output-dir=x']],
    [['--message=']],
    [['--kubeconfig=']],
    [['x', '']],
    [['--', '--output-dir=']],
  ])('is not in %j', words => {
    expect(parsed(...words)).not.toThrow()
  })
})
