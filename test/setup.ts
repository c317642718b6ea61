// oclif's `this.log` writes with console.log, which jest decorates; straight to the streams keeps stdout byte-exact.
import {tmpdir} from 'node:os'
import {join} from 'node:path'
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

// What the person who runs the tests has pulled or logged in to decides nothing.
process.env.CROSSPLANE_CACHE_DIR = join(tmpdir(), `kubectl-crossplane-tests-${process.pid}`)
process.env.DOCKER_CONFIG = join(tmpdir(), 'kubectl-crossplane-tests-without-docker')
delete process.env.REGISTRY_AUTH_FILE
// How long a busy machine takes decides nothing.
process.env.CROSSPLANE_WAIT_NOTICE = '999999'
delete process.env.CROSSPLANE_INDEX
delete process.env.CROSSPLANE_MIRRORS
// In a workflow of GitHub, files would be named relative to the checkout, whatever the working folder of a test is.
delete process.env.GITHUB_WORKSPACE
