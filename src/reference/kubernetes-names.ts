/** Names that Kubernetes allows; see RFC 1035 §2.3.1, RFC 1123 §2.1 and Kubernetes' "Object Names and IDs". */

const LABEL_OF_1035 = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/
const NAME = /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/
const MAX_LABEL_LENGTH = 63
const MAX_SUBDOMAIN_LENGTH = 253

/** A namespace's name (RFC 1123 label). */
export function isDnsLabel(text: string): boolean {
  return text.length <= MAX_LABEL_LENGTH && LABEL.test(text)
}

/** `a1-b`: a label that begins with a letter. */
export function isDns1035Label(text: string): boolean {
  return text.length <= MAX_LABEL_LENGTH && LABEL_OF_1035.test(text)
}

/** The name of most other objects (RFC 1123 subdomain). */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= MAX_SUBDOMAIN_LENGTH && SUBDOMAIN.test(text)
}

/** The key of a label or annotation: a name of at most 63 characters, optionally after a DNS prefix and a slash. */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf('/')
  const [prefix, name] = slash === -1 ? [undefined, text] : [text.slice(0, slash), text.slice(slash + 1)]
  return (
    (prefix === undefined || isDnsSubdomain(prefix)) && name.length <= MAX_LABEL_LENGTH && NAME.test(name)
  )
}

export function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= MAX_LABEL_LENGTH && NAME.test(text))
}

const GROUP_PATTERN = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/

/** Reports whether a text is an API group that packages can own, or `*.` and a suffix of such groups. */
export function isGroupPattern(text: string): boolean {
  return GROUP_PATTERN.test(text)
}
