import {quoted} from '../text.js'
import {
  asObject,
  asObjects,
  asText,
  isJsonArray,
  type JsonObject,
  type JsonValue,
} from '../yaml/json-value.js'
import {SIGNATURE_LIMITS} from './signature-limits.js'

/**
 * Returns why a bundle is not given to a library to verify: its parts are too many or too large, or the library would take a
 * text of it for a regular expression. Undefined for a bundle within the bounds.
 */
export function outOfBounds({verificationMaterial}: JsonObject): string | undefined {
  const material = asObject(verificationMaterial)
  const entries = asObjects(material['tlogEntries'])
  const certificates = [
    ...asObjects(asObject(material['x509CertificateChain'])['certificates']),
    asObject(material['certificate']),
  ].map(certificate => certificate['rawBytes'])
  const timestamps = asObjects(asObject(material['timestampVerificationData'])['rfc3161Timestamps']).map(
    ({signedTimestamp}) => signedTimestamp,
  )
  const {bundleParts, partLength} = SIGNATURE_LIMITS
  if ([entries, certificates, timestamps].some(({length}) => length > bundleParts))
    return 'it has too many parts'
  if ([...certificates, ...timestamps].some(part => asText(part).length > partLength))
    return 'it has a certificate or timestamp that is too large'
  return entries.map(({inclusionProof}) => proofOutOfBounds(inclusionProof)).find(why => why !== undefined)
}

function proofOutOfBounds(value: JsonValue | undefined): string | undefined {
  const {hashes, checkpoint} = asObject(value)
  if (isJsonArray(hashes) && hashes.length > SIGNATURE_LIMITS.proofHashes) return 'its proof is too long'
  const envelope = asText(asObject(checkpoint)['envelope'])
  if (envelope.length > SIGNATURE_LIMITS.partLength) return 'its checkpoint is too large'
  const names = [...envelope.matchAll(SIGNED_BY)].map(([, name = '']) => name)
  const unsafe = names.find(name => !LOG_NAME.test(name))
  if (unsafe !== undefined) return `its log has the name ${quoted(unsafe)}`
  return isOfTree(asObject(value), envelope)
    ? undefined
    : 'its proof and its checkpoint are of different trees'
}

/** @sigstore/verify takes size and root from the checkpoint, and ignores those of the proof. */
function isOfTree({treeSize, rootHash}: JsonObject, checkpoint: string): boolean {
  if (checkpoint === '') return true
  const [, size, root] = checkpoint.split('\n', 3)
  // JSON of protocol buffers has large numbers as text.
  const actual = typeof treeSize === 'number' ? String(treeSize) : asText(treeSize)
  return actual === size && asText(rootHash) === root
}

/** https://github.com/transparency-dev/formats/blob/main/log/README.md */
const SIGNED_BY = /\u2014 (\S+) /g

/** @sigstore/verify matches the name as a regular expression: without operators that could take forever. */
const LOG_NAME = /^[\w./:~-]{1,256}$/
