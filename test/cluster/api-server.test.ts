import {afterEach, beforeEach, describe, expect, it} from '@jest/globals'
import {mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {startCluster} from './api-server.js'

const before = {...process.env}
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubectl-crossplane-test-'))
  for (const name of ['assets', 'temp']) mkdirSync(join(folder, name))
  process.env = {...before, KUBEBUILDER_ASSETS: join(folder, 'assets'), TMPDIR: join(folder, 'temp')}
})
afterEach(() => {
  process.env = before
  rmSync(folder, {recursive: true})
})

/** A server that says the right version, and then does this instead of serving. */
function writeServer(name: string, version: string, act: string): void {
  const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo ${version}; exit; fi\n${act}\n`
  writeFileSync(join(folder, 'assets', name), script, {mode: 0o755})
}

describe('a cluster whose API server ends while it starts', () => {
  it('fails with the last output of the server, and leaves no files', async () => {
    writeServer('etcd', '3.6.8', 'exec sleep 600')
    writeServer('kube-apiserver', 'v1.36.3', 'echo a flag that is unknown; exit 1')
    await expect(startCluster({version: 'current'})).rejects.toThrow(
      /--- etcd\n\n?--- kube-apiserver\na flag that is unknown$/,
    )
    expect(readdirSync(join(folder, 'temp'))).toEqual([])
  })
})
