import type {DeclaredSignatures, DeclaredSigner, Policy} from '../../declaration/policy/policy.js'
import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import {trustedKey} from '../../signatures/public-key.js'
import {readTrustedRoot} from '../../signatures/read-trusted-root.js'
import type {SignatureRule} from '../../signatures/signature-rule.js'
import type {TrustedSigner} from '../../signatures/trusted-signer.js'
import type {JsonObject} from '../../yaml/json-value.js'
import type {InputFiles} from './input-files.js'

/** Reads the keys and roots that the rules of a policy name, relative to its file. Throws `not-found`, `input-invalid`. */
export async function signatureRules(
  {file, contact, signatures = []}: Policy,
  path: string,
  inputs: InputFiles,
): Promise<readonly SignatureRule[]> {
  const read = async (name: string, field: string) => await inputs.read(inputs.beside(path, name), field)
  return await Promise.all(
    signatures.map(async (declared, index) => {
      const {line, signers, trustedRoot: root, ...rule} = declared
      const trustedRoot = await rootOf(declared, read)
      return {
        ...rule,
        place: {file, line, field: `signatures[${index}]`, ...present({owner: contact})},
        signers: await Promise.all(signers.map(async signer => await signerOf(signer, trustedRoot, read))),
      }
    }),
  )
}

type ReadFile = (name: string, field: string) => Promise<{readonly name: string; readonly bytes: Uint8Array}>

async function rootOf({trustedRoot}: DeclaredSignatures, read: ReadFile): Promise<JsonObject | undefined> {
  if (trustedRoot === undefined) return undefined
  const {name, bytes} = await read(trustedRoot, 'trustedRoot')
  return readTrustedRoot(bytes, name)
}

async function signerOf(
  signer: DeclaredSigner,
  trustedRoot: JsonObject | undefined,
  read: ReadFile,
): Promise<TrustedSigner> {
  if (signer.kind === 'key') return {...trustedKey(signer.pem, 'the key'), ...present({trustedRoot})}
  if (signer.kind === 'key-file') {
    const {name, bytes} = await read(signer.file, 'keyFile')
    return {...trustedKey(new TextDecoder().decode(bytes), name), ...present({trustedRoot})}
  }
  if (trustedRoot === undefined)
    throw new CrossplaneError('input-invalid', 'an identity needs a trusted root')
  return {...signer, trustedRoot}
}
