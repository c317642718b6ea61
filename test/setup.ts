// oclif's `this.log` writes with console.log, which jest decorates; straight to the streams keeps stdout byte-exact.
import {format} from 'node:util'

const to =
  (stream: 'stderr' | 'stdout') =>
  (...values: unknown[]) => {
    process[stream].write(format(...values) + '\n')
  }

Object.assign(globalThis.console, {
  debug: to('stderr'),
  error: to('stderr'),
  info: to('stderr'),
  log: to('stdout'),
  warn: to('stderr'),
})
