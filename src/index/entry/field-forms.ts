import {listAll} from '../../text.js'
import {XPKG_KINDS} from '../../xpkg/content/object-kinds.js'
import {isDigest, isTag, parseImageName} from '../../reference/image-name.js'
import {isDns1035Label, isDnsSubdomain} from '../../reference/kubernetes-names.js'
import {identityOf} from '../../reference/repository-name.js'

/** The form of a text in an index, and its description for messages. */
export interface FieldForm {
  readonly words: string
  is(text: string): boolean
}

const MAX_IDENTITY = 512
const MAX_CRD = 512

/** Control characters, lone surrogates, and characters that reorder or break lines on a terminal. */
const NOT_PLAIN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const WORD = /^[\x21-\x7e]{1,128}$/
const KIND = /^[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** A repository by its canonical name: `library/` of docker.io and hosts in upper case are not canonical. */
export const IDENTITY: FieldForm = {
  words: 'a repository by its full name, without a tag',
  is: text => text.length <= MAX_IDENTITY && isFullName(text),
}

function isFullName(text: string): boolean {
  const name = parseImageName(text)
  return name !== undefined && identityOf(name) === text
}

export const TAG_FORM: FieldForm = {
  words: 'a tag: up to 128 characters of A-Za-z0-9_.-',
  is: isTag,
}

/** The version in app.yaml, in a form that a lock file accepts. */
export const WORD_FORM: FieldForm = {
  words: 'one word, of up to 128 characters',
  is: text => WORD.test(text),
}

export const DIGEST: FieldForm = {words: 'sha256: and 64 digits of 0-9a-f', is: isDigest}

export const SCOPE: FieldForm = {
  words: 'Cluster or Namespaced',
  is: text => text === 'Cluster' || text === 'Namespaced',
}

export const XPKG_FORM: FieldForm = {
  words: `one of ${listAll(XPKG_KINDS, 'or')}`,
  is: text => XPKG_KINDS.some(kind => kind === text),
}

export const GROUP: FieldForm = {words: 'an API group: a DNS name in lowercase', is: isDnsSubdomain}

export const LABEL: FieldForm = {
  words: 'a DNS label: up to 63 characters of a-z0-9-, beginning with a letter',
  is: isDns1035Label,
}

export const KIND_FORM: FieldForm = {
  words: 'a kind: up to 63 characters of A-Za-z0-9-, beginning with a letter',
  is: text => KIND.test(text),
}

/** A requirement as it was written; it is parsed later. */
export const REQUIREMENT: FieldForm = plainLine(MAX_CRD)

/** Text that is shown on a terminal. */
export function plainLine(max: number, min = 0): FieldForm {
  return {
    words: `one line of ${min} to ${max} characters, without control characters`,
    is: text => text.length >= min && text.length <= max && !NOT_PLAIN.test(text),
  }
}
