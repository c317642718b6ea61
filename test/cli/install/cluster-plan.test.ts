import {describe, expect, it} from '@jest/globals'
import type {Connection} from '../../../src/cluster/connection.js'
import {decidingCommand, type ParsedCommand} from '../../../src/cli/install/cluster-plan.js'

const connection = {context: 'test', server: new URL('https://k.example.org')} as Connection

describe('decidingCommand', () => {
  it('keeps words that decide so that they can be parsed again', async () => {
    const given: ParsedCommand = {
      raw: [
        {type: 'arg', arg: 'ref', input: 'example/a'},
        {type: 'flag', flag: 'with-package-api', input: '--with-package-api'},
        {type: 'flag', flag: 'adopt', input: '--adopt=false'},
        {type: 'flag', flag: 'yes', input: '-y'},
        {type: 'flag', flag: 'namespace', input: 'team'},
      ],
      flags: {'with-package-api': true, yes: true, namespace: 'team'} as object,
    }
    const parse = () => Promise.reject(new Error('not parsed'))
    const command = {
      command: 'package install',
      toolVersion: '0.1.0',
      parsed: given,
      saved: undefined,
      parse,
    }
    const {files} = await decidingCommand(command, connection)
    expect(files.origin.arguments).toEqual([
      'example/a',
      '--with-package-api',
      '--adopt=false',
      '--namespace',
      'team',
    ])
  })
})
