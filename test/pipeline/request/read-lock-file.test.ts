import {expect, it} from '@jest/globals'
import {CrossplaneError} from '../../../src/errors.js'
import {readLockFile} from '../../../src/pipeline/request/read-request.js'

it.each([
  {name: 'the declaration, if that is missing too', files: [], want: 'x.yaml'},
  {
    name: 'the lock of a declaration that exists',
    files: ['x.yaml'],
    want: 'cannot read the lock file x.lock: no such file or directory',
  },
])('the error for a missing lock names $name', async ({files, want}) => {
  const inputs = {
    read: (name: string) => {
      if (files.includes(name)) return Promise.resolve({name, bytes: new Uint8Array()})
      const cause = Object.assign(new Error(name), {code: 'ENOENT'})
      return Promise.reject(new CrossplaneError('not-found', name, {cause}))
    },
    beside: (_file: string, path: string) => path,
  }
  const query = {
    file: 'x.lock',
    otherwise: 'take',
    isOptional: false,
    remedy: '',
    declaration: 'x.yaml',
  } as const
  await expect(readLockFile(query, inputs)).rejects.toMatchObject({code: 'not-found', message: want})
})
