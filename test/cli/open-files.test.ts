import {spawnSync} from 'node:child_process'
import {expect, it} from '@jest/globals'
import {programCommand} from '../built-program.js'

it('names the limit of open files where it is too low', () => {
  const command = programCommand('package', 'lint', './absent').flat()
  const {status, stderr} = spawnSync('sh', ['-c', 'ulimit -n 40; exec "$0" "$@"', ...command], {
    encoding: 'utf8',
  })
  expect(stderr).toContain('Error: cannot open a file: too many open files\n')
  expect(stderr).toContain('\nTry: Raise the limit, and run the command again: ulimit -n 1024\n')
  expect(status).toBe(7)
})
