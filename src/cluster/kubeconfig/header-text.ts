/** Reports whether a text can be the value of a header: no line break and no other control character. */
export function isHeaderText(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- control characters are what must not be sent
  return !/[\u0000-\u0008\u000a-\u001f\u007f]/.test(text)
}

/** The value of a header whose text is sent as UTF-8, as Go does: Node sends one byte for each character. */
export function headerText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** The value of an `Authorization` header for a user name and password. */
export function basicAuthorization({username, password}: {username: string; password: string}): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}
