import type {YamlDocument} from 'kubectl-crossplane/plugin'

/**
 * Returns the comments above the keys of a values.yaml. The marks of helm-docs (`# --`) and of Bitnami's generator
 * (`## @param name`) are left out, and comments that are values, such as `# image: nginx`, do not count.
 */
export function commentsOf(
  bytes: Uint8Array,
  document: YamlDocument,
): (path: readonly string[]) => string | undefined {
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/)
  return path => {
    if (path.includes('*')) return undefined
    const above: string[] = []
    for (let at = document.lineOf(path) - 2; at >= 0 && isComment(lines[at]); at--)
      above.unshift(lines[at] ?? '')
    const words = above.map(textOf).filter(text => text !== '' && !COMMENTED_VALUE.test(text))
    return words.length === 0 ? undefined : words.join(' ')
  }
}

function isComment(line: string | undefined): boolean {
  return line !== undefined && /^\s*#/.test(line)
}

function textOf(line: string): string {
  return line
    .replace(/^\s*#+\s?/, '')
    .replace(/^--\s*/, '')
    .replace(/^@param\s+\S+\s*/, '')
    .trim()
}

/** A value that was commented out, or a ruler. */
const COMMENTED_VALUE = /^(-\s|[\w.-]+:(\s|$)|[-=*#]+$|@)/
