import type {PushSigning} from '../../pipeline/author/sign-pushed.js'
import type {InputFiles} from '../../pipeline/request/input-files.js'
import {cryptography, signingKey} from '../wire.js'

/** The key of `--sign-key`, whose password is in COSIGN_PASSWORD as for cosign. Throws `usage`, `input-invalid`. */
export async function pushSigning(file: string, inputs: InputFiles): Promise<PushSigning> {
  const {name, bytes} = await inputs.read(file, '--sign-key')
  const key = await signingKey({name, bytes, password: process.env.COSIGN_PASSWORD})
  return {key, cryptography}
}
