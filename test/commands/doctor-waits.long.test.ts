import {describe, expect, it} from '@jest/globals'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {answeringServer} from '../fakes/answering-server.js'
import {startRegistry} from '../fakes/registry-server.js'
import {doctor, kubeconfigFor, programs} from './run-doctor.js'

describe('doctor and registries', () => {
  it('names a host that accepts connections and does not respond', async () => {
    const server = await answeringServer(undefined)
    const {of} = await doctor({}, '--plain-http', '--default-source', server.host)
    await server.close()
    expect(of('registry')).toEqual([
      expect.objectContaining({state: 'Broken', message: `no data from ${server.host} for 5s`}),
    ])
  })

  it('stops an exec plugin and a credential helper that do not exit', async () => {
    const hanging = '#!/bin/sh\nexec /bin/sleep 60\n'
    const folder = programs({'docker-credential-hanging': hanging, plugin: hanging})
    const registry = await startRegistry()
    writeFileSync(join(folder, 'auth.json'), JSON.stringify({credsStore: 'hanging'}))
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: join(folder, 'plugin'),
      interactiveMode: 'Never',
    }
    writeFileSync(join(folder, 'config'), kubeconfigFor('https://localhost:1', {exec}))
    const {status, stderr, of} = await doctor(
      {PATH: folder, REGISTRY_AUTH_FILE: join(folder, 'auth.json'), KUBECONFIG: join(folder, 'config')},
      ...['--default-source', registry.host],
    )
    await registry.close()
    expect(status).toBe(1)
    expect(of('server')).toEqual([
      expect.objectContaining({
        state: 'Broken',
        message: expect.stringContaining('of the user "a": it did not exit within 5s'),
      }),
    ])
    expect(of('registry')).toEqual([expect.objectContaining({state: 'OK'})])
    // Once, although two requests need the credentials.
    expect(stderr.match(/docker-credential-hanging was stopped/g)).toHaveLength(1)
  }, 30_000)
})
