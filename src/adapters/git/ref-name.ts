/** Reports whether git accepts a name of a branch or remote that cannot be read as an option or a revision. */
export function isRefName(name: string): boolean {
  return (
    name !== '' &&
    name !== '@' &&
    !/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\.lock(?:\/|$)|(?:^|\/)\.|[/.]$|^[-/]/u.test(name)
  )
}
