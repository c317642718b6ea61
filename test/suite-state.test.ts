import {expect, it} from '@jest/globals'
import {restore, stateOf} from './suite-state.cjs'

it.each<{readonly name: string; readonly read: () => unknown; readonly change: () => void}>([
  {name: 'chance', read: () => Math.random, change: () => (Math.random = () => 0.5)},
  {name: 'the time', read: () => Date.now, change: () => (Date.now = () => 0)},
  {
    name: 'a global function',
    read: () => globalThis.fetch,
    change: () => (globalThis.fetch = () => Promise.reject(new Error('no'))),
  },
  {
    name: 'a global that is removed',
    read: () => globalThis.structuredClone,
    change: () => Reflect.deleteProperty(globalThis, 'structuredClone'),
  },
  {
    name: 'a global that is added',
    read: () => 'ofThisSuite' in globalThis,
    change: () => Object.assign(globalThis, {ofThisSuite: true}),
  },
  {name: 'words of the command line', read: () => [...process.argv], change: () => process.argv.push('--x')},
  {name: 'the command line', read: () => process.argv, change: () => (process.argv = ['node'])},
  {name: 'the exit code', read: () => process.exitCode, change: () => (process.exitCode = 3)},
  {
    name: 'listeners of the process',
    read: () => [process.listenerCount('SIGUSR2'), process.listenerCount('warning')],
    change: () => process.once('SIGUSR2', () => undefined).on('warning', () => undefined),
  },
  {name: 'a variable', read: () => process.env.HOME, change: () => (process.env.HOME = '/other')},
  {
    name: 'a variable that is added',
    read: () => process.env.OF_THIS_SUITE,
    change: () => (process.env.OF_THIS_SUITE = '1'),
  },
])('a suite leaves $name as it was', ({read, change}) => {
  const state = stateOf()
  const before = read()
  change()
  const during = read()
  restore(state)
  expect(during).not.toEqual(before)
  expect(read()).toEqual(before)
})

it('listeners of the exit, which remove temporary files, stay', () => {
  const state = stateOf()
  const listener = () => undefined
  process.on('exit', listener)
  restore(state)
  expect(process.listeners('exit')).toContain(listener)
  process.removeListener('exit', listener)
})
