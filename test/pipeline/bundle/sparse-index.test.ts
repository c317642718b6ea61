import {afterEach, describe, expect, it} from '@jest/globals'
import {expectSparseIndexes} from '../../../src/pipeline/bundle/sparse-index.js'
import {status} from '../../registry/faults.js'
import {startFaulty} from '../../fakes/faulty-registry.js'
import {startRegistry} from '../../fakes/registry-server.js'
import {newClient} from '../../index/registry/some-index.js'
import {outcome} from '../../outcome.js'

const running: {close(): Promise<void>}[] = []
afterEach(() => Promise.all(running.splice(0).map(each => each.close())))

describe('a registry that lacks images of an index', () => {
  it.each([
    {status: 400, code: 'MANIFEST_BLOB_UNKNOWN'},
    {status: 404, code: 'MANIFEST_BLOB_UNKNOWN'},
    {status: 404, code: 'MANIFEST_UNKNOWN'},
    {status: 404, code: 'BLOB_UNKNOWN'},
    {status: 400, code: 'MANIFEST_INVALID'},
    {status: 412, code: 'PRECONDITION_FAILED'},
    {status: 422, code: 'MANIFEST_INVALID'},
    {status: 500, code: 'MANIFEST_BLOB_UNKNOWN'},
  ])('and answers $status $code is explained after one attempt', async lacking => {
    const server = await startRegistry({lacking})
    running.push(server)
    const repository = {registry: server.host, path: 'team/app'}
    const end = await outcome(() => expectSparseIndexes(newClient(), repository))
    expect({end, requests: server.seen.length}).toEqual({end: 'unsupported', requests: 1})
  })

  it.each([
    {code: 403, errors: '[{"code":"DENIED"}]', want: 'access-denied'},
    {code: 404, errors: '[{"code":"NAME_UNKNOWN","message":"no such repository"}]', want: 'not-found'},
    {code: 429, errors: '[{"code":"TOOMANYREQUESTS"}]', want: 'registry-failed'},
    {code: 503, errors: '[]', want: 'registry-failed'},
  ])('is not confused with $code $errors', async ({code, errors, want}) => {
    const server = await startRegistry()
    const faulty = await startFaulty(server.host, status(code, {}, `{"errors":${errors}}`))
    running.push(server, faulty)
    const repository = {registry: faulty.host, path: 'team/app'}
    expect(await outcome(() => expectSparseIndexes(newClient(), repository))).toBe(want)
  })
})
