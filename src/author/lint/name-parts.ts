/** Reports whether a word is a version of a Kubernetes API: `v1`, `v1beta1`. */
export function isApiVersion(word: string): boolean {
  return /^v\d+(?:(?:alpha|beta)\d+)?$/.test(word)
}

/** Reports whether a word can only be an API group: a DNS name of several labels. */
export function isApiGroup(word: string): boolean {
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(word) && !isApiVersion(word)
}
