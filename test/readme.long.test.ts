import {describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {itShowsWhatCommandsPrint} from './transcripts.js'

describe('the README', () => {
  itShowsWhatCommandsPrint('README.md')

  it('names one command to try the program and one to test it, which CI runs', () => {
    const commands = [...readFileSync('README.md', 'utf8').matchAll(/```sh\n(.*?)\n```/gs)].map(
      ([, text]) => text,
    )
    expect(commands[0]).toBe(
      'npm ci && npm run build && bin/run.js package tree --declaration examples/xpkg/crossplane-packages.yaml --packages examples/xpkg/packages',
    )
    expect(commands.filter(command => command === 'npm ci && npm run check')).toHaveLength(1)
    const ci = readFileSync('.ci/run', 'utf8')
    expect({installs: ci.includes('npm ci'), checks: ci.includes('npm run check')}).toEqual({
      installs: true,
      checks: true,
    })
  })
})
