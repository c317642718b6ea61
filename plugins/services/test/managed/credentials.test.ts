import {describe, expect, it} from '@jest/globals'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {manualClock, settled} from '../../../../test/reconcile/manual-clock.js'
import {sharedCredentials} from '../../src/managed/credentials.js'
import {disk, IDLE, managedWorld} from './managed-world.js'

const PLACE = {apiVersion: 'v1', kind: 'Secret', namespace: 'system', name: 'cloud'}

/** Credentials of a cluster that serves another version of the secret at each read, and what was read. */
function world(failing: readonly number[] = []) {
  const clock = manualClock()
  let reads = 0
  const read = () => {
    reads++
    if (failing.includes(reads)) return Promise.reject(new Error('forbidden'))
    return Promise.resolve({...PLACE, metadata: {name: 'cloud', resourceVersion: String(reads)}})
  }
  const credentials = sharedCredentials({read, clock})
  const version = async (name = 'cloud') =>
    (await credentials.read({...PLACE, name}))?.metadata.resourceVersion
  /** Reads a secret, and returns it as what does not keep it in memory. */
  const readWeakly = async (name: string) => new WeakRef((await credentials.read({...PLACE, name}))!)
  return {clock, credentials, version, readWeakly}
}

/** Collects garbage, and reports whether nothing has an object any more. */
async function isCollected(object: WeakRef<object>): Promise<boolean> {
  // An object that was just read from the reference stays until the microtasks are done.
  await settled()
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  return object.deref() === undefined
}

describe('shared credentials', () => {
  it('are read once for passes that follow one another', async () => {
    const {clock, version} = world()
    expect(await Promise.all([version(), version()])).toEqual(['1', '1'])
    await clock.pass(9000)
    expect(await version()).toBe('1')
  })

  it('are read again after ten seconds', async () => {
    const {clock, version} = world()
    await version()
    await clock.pass(10_000)
    expect(await version()).toBe('2')
  })

  it('are those that were read last', async () => {
    const {credentials, version} = world()
    await version()
    await credentials.renew(PLACE)
    expect(await version()).toBe('2')
  })

  it('are those of one secret', async () => {
    const {version} = world()
    expect(await Promise.all([version(), version('other')])).toEqual(['1', '2'])
  })

  it('are not kept in memory after they expired', async () => {
    const {clock, readWeakly, version} = world()
    const kept = await readWeakly('deleted')
    await clock.pass(10_000)
    expect(await isCollected(kept)).toBe(false)
    await version()
    expect(await isCollected(kept)).toBe(true)
  })

  it('are read again after a failure', async () => {
    const {version} = world([1])
    await expect(version()).rejects.toThrow('forbidden')
    expect(await version()).toBe('2')
  })
})

describe('replaced credentials', () => {
  it('are used in the pass after one that failed', async () => {
    const {store, pass, condition} = managedWorld(
      {},
      {
        objects: [disk('one')],
        connect: (_managed, {credentials}) => {
          const text = Buffer.from(credentials).toString()
          return text === 'new' ? Promise.resolve(IDLE) : Promise.reject(new Error('login denied'))
        },
      },
    )
    await pass('one')
    expect(condition('one', 'Synced')).toBe('False connect failed: login denied')
    const secret = store.stored({apiVersion: 'v1', kind: 'Secret', namespace: 'system', name: 'cloud'})
    store.put({...secret, data: {key: Buffer.from('new').toString('base64')}})
    await pass('one')
    expect(condition('one', 'Synced')).toBe('True')
  })
})
