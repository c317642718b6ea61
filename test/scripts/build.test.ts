import {expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {builtProgram} from '../built-program.js'

it('the build lists commands in one order, whatever the order in which folders were read', () => {
  const path = join(dirname(builtProgram()), '../oclif.manifest.json')
  const {commands} = JSON.parse(readFileSync(path, 'utf8')) as {readonly commands: Readonly<object>}
  const ids = Object.keys(commands)
  expect(ids).toContain('package:render')
  expect(ids).toEqual([...ids].sort())
})
