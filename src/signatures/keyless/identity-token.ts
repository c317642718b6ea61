import {CrossplaneError} from '../../errors.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {asText} from '../../yaml/json-value.js'

/** A token of an OIDC provider (JWT), which for some minutes is all that signing as its subject takes. */
export interface IdentityToken {
  /** A secret, which is sent to the certificate authority only. */
  readonly text: string
  /** What the certificate authority takes for the subject of the token. */
  readonly subject: string
}

const JWT = /^[\w-]+\.([\w-]+)\.[\w-]+$/

/** Reads a token, of which no error has a part. Throws `input-invalid`, naming `holder`. */
export function readIdentityToken(bytes: Uint8Array, holder: string): IdentityToken {
  const text = Buffer.from(bytes).toString('latin1').trim()
  const [, claims] = JWT.exec(text) ?? []
  if (claims === undefined) throw invalid(holder, 'it is not an identity token (JWT)')
  return {text, subject: subjectOf(claims, holder)}
}

/** As cosign: the email address if there is one. https://github.com/sigstore/sigstore/blob/main/pkg/oauthflow/flow.go */
function subjectOf(claims: string, holder: string): string {
  const {email, email_verified: verified, sub} = decoded(claims, holder)
  const address = asText(email)
  if (address === '') {
    if (asText(sub) !== '') return asText(sub)
    throw invalid(holder, 'it is an identity token without a subject')
  }
  if (verified === true || verified === 'true') return address
  throw invalid(holder, 'its issuer has not verified the email address in it')
}

function decoded(claims: string, holder: string) {
  try {
    return parseJsonObject(Buffer.from(claims, 'base64url'), 'the token')
  } catch {
    // The cause has parts of the token.
    throw invalid(holder, 'it is not an identity token (JWT)')
  }
}

function invalid(holder: string, why: string): CrossplaneError {
  return new CrossplaneError('input-invalid', `cannot sign with the token in ${holder}: ${why}`, {
    suggestions: ['Write a token of an OIDC provider for the audience sigstore to the file.'],
  })
}
