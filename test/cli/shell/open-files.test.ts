import {spawnSync} from 'node:child_process'
import {expect, it} from '@jest/globals'
import {builtProgram} from '../../built-program.js'

it('names the limit of open files where it is too low', () => {
  // A bundle opens too few files to reach the limit.
  const command = [process.execPath, builtProgram(), 'package', 'lint', './absent']
  const {status, stderr} = spawnSync('sh', ['-c', 'ulimit -n 40; exec "$0" "$@"', ...command], {
    encoding: 'utf8',
  })
  expect(stderr).toContain('Error: cannot open a file: too many open files\n')
  expect(stderr).toContain('\nTry: Raise the limit, and run the command again: ulimit -n 1024\n')
  expect(status).toBe(7)
})
