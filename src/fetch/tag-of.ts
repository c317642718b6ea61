/** The tag in a name that is a tag already (`v1`) or a whole reference (`docker.io/team/package:v1`). */
export function tagOf(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1)
  return last.slice(last.indexOf(':') + 1)
}
