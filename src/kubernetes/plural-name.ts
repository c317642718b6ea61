/** Returns the plural that kubebuilder gives to a kind. A CRD can have another one, so it is only a suggestion. */
export function pluralName(kind: string): string {
  const word = kind.toLowerCase()
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`
}
