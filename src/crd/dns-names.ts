/** Names that Kubernetes allows; see RFC 1035 §2.3.1, RFC 1123 §2.1 and Kubernetes' "Object Names and IDs". */

const DNS_1035_LABEL = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/
const DNS_1123_LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/
const QUALIFIED_PART = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/
const LABEL_LENGTH = 63
const SUBDOMAIN_LENGTH = 253

/** `a1-b`: begins with a letter. */
export function isDns1035Label(text: string): boolean {
  return text.length <= LABEL_LENGTH && DNS_1035_LABEL.test(text)
}

/** `a.1-b`: labels joined by dots; only the whole has a length. */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= SUBDOMAIN_LENGTH && text.split('.').every(label => DNS_1123_LABEL.test(label))
}

/** The key of a label or annotation: a name, with or without a domain before it. */
export function isQualifiedName(text: string): boolean {
  const parts = text.split('/')
  const name = parts.at(-1) ?? ''
  const prefix = parts.length === 2 ? parts[0] : undefined
  return (
    parts.length <= 2 &&
    (prefix === undefined || isDnsSubdomain(prefix)) &&
    name.length <= LABEL_LENGTH &&
    QUALIFIED_PART.test(name)
  )
}

export function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= LABEL_LENGTH && QUALIFIED_PART.test(text))
}
