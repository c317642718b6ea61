import {afterEach, beforeEach, describe, expect, it} from '@jest/globals'
import {EventEmitter, once} from 'node:events'
import {mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, relative} from 'node:path'
import {withLock} from './build-lock.js'
import {buildServer, removeUnfinished} from './build-server.js'
import {findServer} from './find-server.js'
import {cacheEntry} from './servers.js'
import type {Server} from './servers.js'

const {CROSSPLANE_TEST_SERVERS, KUBEBUILDER_ASSETS} = process.env
let folder: string
let cache: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubectl-crossplane-test-'))
  cache = join(folder, 'cache')
  mkdirSync(cache)
  Object.assign(process.env, {CROSSPLANE_TEST_SERVERS: cache, KUBEBUILDER_ASSETS: ''})
})
afterEach(() => {
  rmSync(folder, {recursive: true})
  Object.assign(process.env, {
    CROSSPLANE_TEST_SERVERS: CROSSPLANE_TEST_SERVERS ?? '',
    KUBEBUILDER_ASSETS: KUBEBUILDER_ASSETS ?? '',
  })
})

/** A server whose recipe is a script that makes a program which prints this. */
function serverThatSays(said: string, end = ''): Server {
  const script = join(folder, 'recipe.sh')
  writeFileSync(script, `${program(said)} >"$1"\nchmod +x "$1"\n${end}`)
  return {
    name: 'server',
    version: '1.2.3',
    recipe: {script: relative(import.meta.dirname, script)},
    inAssets: true,
  }
}

function program(said: string) {
  return `printf '#!/bin/sh\\necho ${said}\\n'`
}

describe('a server that is built', () => {
  it('exists at the path of its recipe', () => {
    const server = serverThatSays('Server v1.2.3')
    expect(findServer(server)).toBeUndefined()
    buildServer(server)
    expect(findServer(server)).toBe(join(cache, cacheEntry(server), 'server'))
    expect(findServer(serverThatSays('Server v1.2.3', '# another recipe'))).toBeUndefined()
    expect(readdirSync(cache)).toHaveLength(1)
  })

  it.each([
    {name: 'is missing if its recipe fails', said: 'Server v1.2.3', end: 'exit 1'},
    {name: 'is missing if it has another version', said: 'Server v1.2.30', end: ''},
    {name: 'is missing if it cannot run', said: '', end: 'echo junk >"$1"'},
  ])('$name', ({said, end}) => {
    const server = serverThatSays(said, end)
    expect(() => {
      buildServer(server)
    }).toThrow()
    expect([findServer(server), readdirSync(cache)]).toEqual([undefined, []])
  })

  it('replaces a broken server', () => {
    const server = serverThatSays('1.2.3')
    const place = join(cache, cacheEntry(server))
    mkdirSync(place)
    writeFileSync(join(place, 'server'), 'half of a program', {mode: 0o755})
    expect(findServer(server)).toBeUndefined()
    buildServer(server)
    expect(findServer(server)).toBe(join(place, 'server'))
  })

  it('removes the files of a build that was killed', () => {
    mkdirSync(join(cache, '.building-abc/work'), {recursive: true})
    mkdirSync(join(cache, 'server-1.0.0-abc'))
    removeUnfinished()
    expect(readdirSync(cache)).toEqual(['server-1.0.0-abc'])
  })
})

describe('KUBEBUILDER_ASSETS', () => {
  it.each([
    {name: 'has the version', says: 'Kubernetes v1.2.3', inAssets: true, want: true},
    {name: 'has another', says: 'Kubernetes v1.2.4', inAssets: true, want: false},
    {
      name: 'is not searched for other servers',
      says: 'Kubernetes v1.2.3',
      inAssets: false,
      want: false,
    },
  ])('$name', ({says, inAssets, want}) => {
    const path = join(folder, 'server')
    writeFileSync(path, `#!/bin/sh\necho ${says}\n`, {mode: 0o755})
    process.env.KUBEBUILDER_ASSETS = folder
    expect(findServer({...serverThatSays(''), inAssets})).toBe(want ? path : undefined)
  })
})

describe('the lock', () => {
  it('is held by one process at a time, and notifies waiting processes', async () => {
    const [path, signs, told] = [join(folder, 'lock'), new EventEmitter(), [] as string[]]
    const [entered, waited] = [once(signs, 'in'), once(signs, 'waits')]
    const first = withLock(
      path,
      () => undefined,
      async () => {
        signs.emit('in')
        await waited
        told.push('first out')
      },
    )
    await entered
    const waiting = () => {
      told.push('second waits')
      signs.emit('waits')
    }
    await Promise.all([first, withLock(path, waiting, () => told.push('second in'))])
    expect(told).toEqual(['second waits', 'first out', 'second in'])
  })
})
