import {describe, expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, symlinkSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'

/** Each `console` block of the README as the shell commands it shows, with the output below each. */
function transcripts(): {command: string; output: string}[][] {
  const blocks = readFileSync('README.md', 'utf8').matchAll(/```console\n(.*?)```/gs)
  return [...blocks].map(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map(entry => {
        const end = entry.indexOf('\n')
        return {command: entry.slice(0, end), output: entry.slice(end + 1)}
      }),
  )
}

describe('the README', () => {
  it.each(transcripts().map((transcript, index) => ({index, transcript})))(
    'shows what its commands print (block $index)',
    ({transcript}) => {
      const folder = mkdtempSync(join(tmpdir(), 'readme-'))
      symlinkSync(resolve('examples'), join(folder, 'examples'))
      const printed = transcript.map(({command}) => {
        const shell = command.replace(/^kubectl crossplane/, `node ${resolve('bin/run.js')}`)
        const {stdout} = spawnSync('sh', ['-c', `(${shell}) 2>&1`], {cwd: folder, encoding: 'utf8'})
        return {command, output: stdout}
      })
      rmSync(folder, {recursive: true})
      expect(printed).toEqual(transcript)
    },
  )

  it('names two commands that run as they stand: one sets up and renders, one sets up and tests', () => {
    const commands = [...readFileSync('README.md', 'utf8').matchAll(/```sh\n(.*?)\n```/gs)].map(
      ([, text]) => text,
    )
    expect(commands.slice(0, 2)).toEqual([
      'npm ci && npm run build && bin/run.js package render example/provider-sql:v0.2.0 --packages examples/packages',
      'npm ci && npm run check',
    ])
    const ci = readFileSync('.ci/run', 'utf8')
    expect({installs: ci.includes('npm ci'), checks: ci.includes('npm run check')}).toEqual({
      installs: true,
      checks: true,
    })
  })
})
